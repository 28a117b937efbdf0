/* An array of SLOT, an atomic for each CPU. */

struct counter {
  SLOT* HITMARK_ONCE slots;
};

static __always_inline void counter_add(struct family_state* state, struct counter* c, long amount) {
  SLOT* slots = c->slots;
  size_t mine = this_cpu_read_int(cpu_numbers.cpu);

  (void)state;
  atomic_add(&slots[mine].count, amount);
}

static __always_inline long counter_sum(struct family_state* state, struct counter* c) {
  SLOT* slots = c->slots;

  return sum_of_slots(slots, state->nr_cpus);
}

static __always_inline long counter_read(struct family_state* state, struct counter* c) {
  return counter_sum(state, c);
}

#include "kernels/codegen/percpu_counter/reference_counter_operations.h"
