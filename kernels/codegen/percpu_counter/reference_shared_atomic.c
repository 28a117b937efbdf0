/* One atomic for all CPUs. */
#include "kernels/codegen/percpu_counter/reference_counter.h"

#define VARIANT "shared-atomic"

struct counter {
  HITMARK_ONCE long count;
};

static __always_inline void counter_add(struct family_state* state, struct counter* c, long amount) {
  (void)state;
  atomic_add(&c->count, amount);
}

static __always_inline long counter_sum(struct family_state* state, struct counter* c) {
  (void)state;
  return READ_ONCE(c->count);
}

static __always_inline long counter_read(struct family_state* state, struct counter* c) {
  return counter_sum(state, c);
}

#include "kernels/codegen/percpu_counter/reference_counter_operations.h"
