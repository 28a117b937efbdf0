/* percpu_counter_add_batch() on the layout of struct percpu_counter. */
#include "kernels/codegen/percpu_counter/reference_counter.h"

#define VARIANT "batched"

struct counter {
  HITMARK_ONCE unsigned int lock;
  HITMARK_ONCE long count;
  void *next, *prev;
  HITMARK_ONCE unsigned long part;
};

#include "kernels/codegen/percpu_counter/reference_spilled.h"
