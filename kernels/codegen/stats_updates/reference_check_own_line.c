/* The same, the count on its own line. */
#include "kernels/codegen/stats_updates/reference_stats.h"

#define VARIANT "check-own-line"

struct stats {
  HITMARK_ONCE unsigned long percpu;
  HITMARK_ONCE long state __cacheline_aligned;
  HITMARK_ONCE long state_pending;
  HITMARK_ONCE long stats_updates __cacheline_aligned;
  HITMARK_ONCE unsigned int lock __cacheline_aligned;
};

#include "kernels/codegen/stats_updates/reference_restart_shared.h"
#include "kernels/codegen/stats_updates/reference_shared_count.h"
#include "kernels/codegen/stats_updates/reference_shared_count_when_below.h"
#include "kernels/codegen/stats_updates/reference_stats_operations.h"
