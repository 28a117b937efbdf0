/* A flag on every CPU's own line. */
#include "kernels/codegen/stats_updates/reference_stats.h"

#define VARIANT "pushed-flag"

#include "kernels/codegen/stats_updates/reference_layout.h"
#include "kernels/codegen/stats_updates/reference_shared_count.h"

static __always_inline void set_flags(struct family_state* s, struct stats* stats, unsigned int value) {
  unsigned long percpu = stats->percpu;
  size_t cpus = s->nr_cpus, i;

  for (i = 0; i < cpus; ++i) WRITE_ONCE(per_cpu_stats(s, percpu, i)->flushable, value);
}

static noinline void push(struct family_state* s, struct stats* stats) {
  unsigned int unlocked = 0;

  if (!try_cmpxchg(&stats->lock, &unlocked, 1)) return;
  if (needs_flush(s, stats)) set_flags(s, stats, 1);
  spin_unlock(&stats->lock);
}

static __always_inline void count_update(struct family_state* s, struct stats* stats, struct stats_cpu* pcpu,
                                         unsigned int magnitude) {
  unsigned long waiting;
  long updates;

  if (this_cpu_read_int(pcpu->flushable)) return;
  updates = full_batch(s, pcpu, magnitude);
  if (!updates) return;
  waiting = (unsigned long)atomic_add_return(&stats->stats_updates, updates);
  if (waiting > READ_ONCE(s->threshold)) push(s, stats);
}

static __always_inline void restart(struct family_state* s, struct stats* stats) {
  unsigned long waiting = (unsigned long)READ_ONCE(stats->stats_updates);

  if (!waiting) return;
  WRITE_ONCE(stats->stats_updates, 0);
  if (waiting > READ_ONCE(s->threshold)) set_flags(s, stats, 0);
}

#include "kernels/codegen/stats_updates/reference_stats_operations.h"
