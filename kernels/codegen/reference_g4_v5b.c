/* Linux 6.17: seven slots, a random one is evicted. */
#include "kernels/codegen/reference_memcg.h"

#define VARIANT "g4-v5b"
#define NR_MEMCG_STOCK 7
#define MEMCG_RANDOM_VICTIM

struct memcg_stock_pcp {
  HITMARK_ONCE u8 lock;
  u8 nr_pages[7];
  struct mem_cgroup* cached[7];
  struct work_struct work;
  HITMARK_ONCE unsigned long flags;
};

#include "kernels/codegen/reference_charge.h"
