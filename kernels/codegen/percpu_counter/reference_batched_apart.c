/* percpu_counter_add_batch() with the pointer on another line. */
#include "kernels/codegen/percpu_counter/reference_counter.h"

#define VARIANT "batched-apart"

struct counter {
  HITMARK_ONCE unsigned long part;
  HITMARK_ONCE unsigned int lock __cacheline_aligned;
  HITMARK_ONCE long count;
};

#include "kernels/codegen/percpu_counter/reference_spilled.h"
