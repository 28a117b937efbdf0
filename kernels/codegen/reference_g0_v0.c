/* Linux up to 5.12: one slot, what is above a batch goes into every level's item. */
#include "kernels/codegen/reference_memcg.h"

#define VARIANT "g0-v0"
#define NR_MEMCG_STOCK 1
#define MEMCG_STATS_V0

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
