/* The patch with its counts in a line of their own. */
#include "kernels/codegen/reference_memcg.h"

#define VARIANT "separate-line"
#define NR_MEMCG_STOCK 6
#define MEMCG_SOCK_BATCHED
#define SOCK_COUNT int
#define MEMCG_STOCK_INLINE

struct memcg_stock_pcp {
  HITMARK_ONCE u8 lock;
  u8 nr_pages[6];
  char unused1[9];
  struct mem_cgroup* cached[6];
  struct work_struct work;
  HITMARK_ONCE unsigned long flags;
  HITMARK_ONCE u8 drain_idx;
  char unused2[23];
  s8 nr_sock[6];
};

#include "kernels/codegen/reference_charge.h"
