/* An atomic for each half of the CPUs, by number. */
#include "kernels/codegen/percpu_counter/reference_counter.h"

#define VARIANT "sharded-halves"

struct counter {
  struct slot shard[2];
};

static __always_inline void counter_add(struct family_state* state, struct counter* c, long amount) {
  size_t half = this_cpu_read_int(cpu_numbers.half);

  (void)state;
  atomic_add(&c->shard[half].count, amount);
}

static __always_inline long counter_sum(struct family_state* state, struct counter* c) {
  long first = READ_ONCE(c->shard[0].count);

  (void)state;
  return first + READ_ONCE(c->shard[1].count);
}

static __always_inline long counter_read(struct family_state* state, struct counter* c) {
  return counter_sum(state, c);
}

#include "kernels/codegen/percpu_counter/reference_counter_operations.h"
