/* The patch without its inlining. */
#include "kernels/codegen/reference_memcg.h"

#define VARIANT "packed6-outline"
#define NR_MEMCG_STOCK 6
#define MEMCG_SOCK_BATCHED
#define SOCK_COUNT int

struct memcg_stock_pcp {
  HITMARK_ONCE u8 lock;
  u8 nr_pages[6];
  s8 nr_sock[6];
  struct mem_cgroup* cached[6];
  struct work_struct work;
  HITMARK_ONCE unsigned long flags;
  HITMARK_ONCE u8 drain_idx;
};

#include "kernels/codegen/reference_charge.h"
