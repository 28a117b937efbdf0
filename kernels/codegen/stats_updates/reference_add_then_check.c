/* Linux 6.8. */
#include "kernels/codegen/stats_updates/reference_stats.h"

#define VARIANT "add-then-check"

#include "kernels/codegen/stats_updates/reference_layout.h"
#include "kernels/codegen/stats_updates/reference_restart_shared.h"
#include "kernels/codegen/stats_updates/reference_shared_count.h"

static __always_inline void count_update(struct family_state* s, struct stats* stats, struct stats_cpu* pcpu,
                                         unsigned int magnitude) {
  long updates = full_batch(s, pcpu, magnitude);

  if (!updates || needs_flush(s, stats)) return;
  atomic_add(&stats->stats_updates, updates);
}

#include "kernels/codegen/stats_updates/reference_stats_operations.h"
