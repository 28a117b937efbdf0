/* A batch by xadd, spilled without a lock. */
#include "kernels/codegen/percpu_counter/reference_counter.h"

#define VARIANT "batched-xadd"

struct counter {
  HITMARK_ONCE unsigned long part;
  HITMARK_ONCE unsigned int lock __cacheline_aligned;
  HITMARK_ONCE long count;
};

static __always_inline void counter_add(struct family_state* state, struct counter* c, long amount) {
  struct small_count* mine = (struct small_count*)c->part;
  int batch = state->batch;
  int count = this_cpu_add_return_s32(mine->count, (int)amount);

  if (unlikely(count >= batch) || unlikely(count <= -batch)) atomic_add(&c->count, this_cpu_xchg_s32(mine->count, 0));
}

static __always_inline long counter_sum(struct family_state* state, struct counter* c) {
  long spilled = READ_ONCE(c->count);

  return spilled + sum_of_parts(struct small_count, state, c->part);
}

static __always_inline long counter_read(struct family_state* state, struct counter* c) {
  (void)state;
  return READ_ONCE(c->count);
}

#include "kernels/codegen/percpu_counter/reference_counter_operations.h"
