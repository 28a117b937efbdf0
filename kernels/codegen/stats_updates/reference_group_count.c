/* A count for each group of CPUs. */
#include "kernels/codegen/stats_updates/reference_stats.h"

#define VARIANT "group-count"

struct group_updates {
  HITMARK_ONCE long stats_updates;
} __cacheline_aligned;

struct group_pointer {
  struct group_updates* HITMARK_ONCE mine;
};

struct stats {
  HITMARK_ONCE unsigned long percpu;
  HITMARK_ONCE unsigned long group;
  struct group_updates* HITMARK_ONCE groups;
  HITMARK_ONCE unsigned int nr_groups;
  HITMARK_ONCE long share;
  HITMARK_ONCE long state __cacheline_aligned;
  HITMARK_ONCE long state_pending;
  HITMARK_ONCE unsigned int lock __cacheline_aligned;
};

static __always_inline void count_update(struct family_state* s, struct stats* stats, struct stats_cpu* pcpu,
                                         unsigned int magnitude) {
  struct group_updates* group = this_cpu_read_ptr(struct group_updates*, ((struct group_pointer*)stats->group)->mine);
  long waiting = READ_ONCE(group->stats_updates), updates;

  if (waiting > stats->share) return;
  updates = full_batch(s, pcpu, magnitude);
  if (updates) atomic_add(&group->stats_updates, updates);
}

static __always_inline bool needs_flush(struct family_state* s, struct stats* stats) {
  struct group_updates* groups = stats->groups;
  long share = stats->share;
  size_t count = stats->nr_groups, i;

  (void)s;
  for (i = 0; i < count; ++i)
    if (READ_ONCE(groups[i].stats_updates) > share) return true;
  return false;
}

static __always_inline void restart(struct family_state* s, struct stats* stats) {
  struct group_updates* groups = stats->groups;
  size_t count = stats->nr_groups, i;

  (void)s;
  for (i = 0; i < count; ++i)
    if (READ_ONCE(groups[i].stats_updates)) WRITE_ONCE(groups[i].stats_updates, 0);
}

#include "kernels/codegen/stats_updates/reference_stats_operations.h"
