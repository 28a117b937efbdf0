/* An atomic for each group of CPUs, by pointer. */
#include "kernels/codegen/percpu_counter/reference_counter.h"

#define VARIANT "sharded-groups"

struct counter {
  HITMARK_ONCE unsigned long part;
  struct slot* HITMARK_ONCE shards;
  HITMARK_ONCE unsigned int nr_shards;
};

struct group_shard {
  struct slot* HITMARK_ONCE mine;
};

static __always_inline void counter_add(struct family_state* state, struct counter* c, long amount) {
  struct slot* shard = this_cpu_read_ptr(struct slot*, ((struct group_shard*)c->part)->mine);

  (void)state;
  atomic_add(&shard->count, amount);
}

static __always_inline long counter_sum(struct family_state* state, struct counter* c) {
  struct slot* shards = c->shards;

  (void)state;
  return sum_of_slots(shards, c->nr_shards);
}

static __always_inline long counter_read(struct family_state* state, struct counter* c) {
  return counter_sum(state, c);
}

#include "kernels/codegen/percpu_counter/reference_counter_operations.h"
