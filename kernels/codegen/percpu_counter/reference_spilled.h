/* percpu_counter_add_batch() on a `struct counter` with part, lock and count; ends the variant's file. */

#define magnitude(x) ((x) < 0 ? -(x) : (x))
#define my_count(c) (((struct small_count*)(c)->part)->count)

static noinline void spill(struct counter* c, long amount) {
  struct small_count* mine = (struct small_count*)c->part;
  int count;

  spin_lock(&c->lock);
  count = (int)this_cpu_read_int(mine->count);
  WRITE_ONCE(c->count, READ_ONCE(c->count) + count + amount);
  this_cpu_add_int(mine->count, -count);
  spin_unlock(&c->lock);
}

static __always_inline void counter_add(struct family_state* state, struct counter* c, long amount) {
  struct small_count* mine = (struct small_count*)c->part;
  long batch = state->batch;
  int count = (int)this_cpu_read_int(mine->count);

  do {
    if (unlikely(magnitude(count + amount) >= batch)) {
      spill(c, amount);
      return;
    }
  } while (!this_cpu_try_cmpxchg_int(mine->count, &count, count + amount));
}

static __always_inline long counter_sum(struct family_state* state, struct counter* c) {
  long spilled, parts;

  spin_lock(&c->lock);
  spilled = READ_ONCE(c->count);
  parts = sum_of_parts(struct small_count, state, c->part);
  spin_unlock(&c->lock);
  return spilled + parts;
}

static __always_inline long counter_read(struct family_state* state, struct counter* c) {
  (void)state;
  return READ_ONCE(c->count);
}

#include "kernels/codegen/percpu_counter/reference_counter_operations.h"
