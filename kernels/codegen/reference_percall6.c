/* Linux 6.18 with the patch's six slots, where the patch has them. */
#include "kernels/codegen/reference_memcg.h"

#define VARIANT "percall6"
#define NR_MEMCG_STOCK 6

struct memcg_stock_pcp {
  HITMARK_ONCE u8 lock;
  u8 nr_pages[6];
  char unused[9];
  struct mem_cgroup* cached[6];
  struct work_struct work;
  HITMARK_ONCE unsigned long flags;
  HITMARK_ONCE u8 drain_idx;
};

#include "kernels/codegen/reference_charge.h"
