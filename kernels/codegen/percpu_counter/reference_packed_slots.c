/* An atomic for each CPU, eight on a line. */
#include "kernels/codegen/percpu_counter/reference_counter.h"

#define VARIANT "packed-slots"
#define SLOT struct packed_slot

#include "kernels/codegen/percpu_counter/reference_locked_slots.h"
