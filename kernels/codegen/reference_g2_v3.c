/* Linux 5.16: one slot, calls counted globally. */
#include "kernels/codegen/reference_memcg.h"

#define VARIANT "g2-v3"
#define NR_MEMCG_STOCK 1
#define MEMCG_STATS_V3
#define RSTAT_CPU_LOCK

struct memcg_stock_pcp {
  struct mem_cgroup* cached[1];
  unsigned int nr_pages[1];
  unsigned long task_obj[4], irq_obj[4];
  struct work_struct work;
  HITMARK_ONCE unsigned long flags;
};
_Static_assert(offsetof(struct memcg_stock_pcp, irq_obj) == 48 && sizeof(struct memcg_stock_pcp) == 120,
               "reference, section 1.1");

#include "kernels/codegen/reference_charge.h"
