/* Linux 6.18 with consume and refill inlined. */
#include "kernels/codegen/reference_memcg.h"

#define VARIANT "percall7-inline"
#define NR_MEMCG_STOCK 7
#define MEMCG_STOCK_INLINE

struct memcg_stock_pcp {
  HITMARK_ONCE u8 lock;
  u8 nr_pages[7];
  struct mem_cgroup* cached[7];
  struct work_struct work;
  HITMARK_ONCE unsigned long flags;
  HITMARK_ONCE u8 drain_idx;
};

#include "kernels/codegen/reference_charge.h"
