/* One add without LOCK. */
#include "kernels/codegen/percpu_counter/reference_counter.h"

#define VARIANT "percpu-add"

struct counter {
  HITMARK_ONCE unsigned long part;
};

struct percpu_count {
  HITMARK_ONCE long count;
};

static __always_inline void counter_add(struct family_state* state, struct counter* c, long amount) {
  (void)state;
  this_cpu_add_long(((struct percpu_count*)c->part)->count, amount);
}

static __always_inline long counter_sum(struct family_state* state, struct counter* c) {
  return sum_of_parts(struct percpu_count, state, c->part);
}

static __always_inline long counter_read(struct family_state* state, struct counter* c) {
  return counter_sum(state, c);
}

#include "kernels/codegen/percpu_counter/reference_counter_operations.h"
