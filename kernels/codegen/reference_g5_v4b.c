/* Linux 6.18 with the statistics of 6.8. */
#include "kernels/codegen/reference_memcg.h"

#define VARIANT "g5-v4b"
#define NR_MEMCG_STOCK 7
#define MEMCG_STATS_V4B

struct memcg_stock_pcp {
  HITMARK_ONCE u8 lock;
  u8 nr_pages[7];
  struct mem_cgroup* cached[7];
  struct work_struct work;
  HITMARK_ONCE unsigned long flags;
  HITMARK_ONCE u8 drain_idx;
};

#include "kernels/codegen/reference_charge.h"
