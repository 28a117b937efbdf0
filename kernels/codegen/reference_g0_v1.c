/* Linux 5.13: one slot, statistics wait for a flusher. */
#include "kernels/codegen/reference_memcg.h"

#define VARIANT "g0-v1"
#define NR_MEMCG_STOCK 1
#define MEMCG_STATS_V1
#define RSTAT_CPU_LOCK

struct memcg_stock_pcp {
  struct mem_cgroup* cached[1];
  unsigned int nr_pages[1];
  void* cached_objcg;
  unsigned int nr_bytes;
  struct work_struct work;
  HITMARK_ONCE unsigned long flags;
};
_Static_assert(offsetof(struct memcg_stock_pcp, work) == 32 && sizeof(struct memcg_stock_pcp) == 72,
               "reference, section 1.1");

#include "kernels/codegen/reference_charge.h"
