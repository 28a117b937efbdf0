/* Linux 6.8-rc: one slot, a count per memcg. */
#include "kernels/codegen/reference_memcg.h"

#define VARIANT "g3-v4"
#define NR_MEMCG_STOCK 1
#define MEMCG_STATS_V4
#define RSTAT_CPU_LOCK

struct memcg_stock_pcp {
  struct mem_cgroup* cached[1];
  unsigned int nr_pages[1];
  void *cached_objcg, *cached_pgdat;
  unsigned int nr_bytes;
  int nr_slab_reclaimable_b, nr_slab_unreclaimable_b;
  struct work_struct work;
  HITMARK_ONCE unsigned long flags;
};
_Static_assert(offsetof(struct memcg_stock_pcp, work) == 48 && sizeof(struct memcg_stock_pcp) == 88,
               "reference, section 1.1");

#include "kernels/codegen/reference_charge.h"
