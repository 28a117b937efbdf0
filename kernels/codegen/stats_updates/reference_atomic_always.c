/* Add to one atomic. */
#include "kernels/codegen/stats_updates/reference_stats.h"

#define VARIANT "atomic-always"

#include "kernels/codegen/stats_updates/reference_layout.h"
#include "kernels/codegen/stats_updates/reference_restart_shared.h"
#include "kernels/codegen/stats_updates/reference_shared_count.h"

static __always_inline void count_update(struct family_state* s, struct stats* stats, struct stats_cpu* pcpu,
                                         unsigned int magnitude) {
  (void)s, (void)pcpu;
  atomic_add(&stats->stats_updates, (long)magnitude);
}

#include "kernels/codegen/stats_updates/reference_stats_operations.h"
