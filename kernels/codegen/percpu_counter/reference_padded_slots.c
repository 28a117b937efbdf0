/* An atomic for each CPU, each on a line of its own. */
#include "kernels/codegen/percpu_counter/reference_counter.h"

#define VARIANT "padded-slots"
#define SLOT struct slot

#include "kernels/codegen/percpu_counter/reference_locked_slots.h"
