/* Linux 6.16. */
#include "kernels/codegen/stats_updates/reference_stats.h"

#define VARIANT "check-then-add"

#include "kernels/codegen/stats_updates/reference_layout.h"
#include "kernels/codegen/stats_updates/reference_restart_shared.h"
#include "kernels/codegen/stats_updates/reference_shared_count.h"
#include "kernels/codegen/stats_updates/reference_shared_count_when_below.h"
#include "kernels/codegen/stats_updates/reference_stats_operations.h"
