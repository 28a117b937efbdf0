/* Layout L2. */
#include "kernels/codegen/reference_family.h"

#define VARIANT "l2"
#define PAGE_COUNTER_WITHOUT_FLAGS
#define PAGE_COUNTER_WITHOUT_LOCAL_WATERMARK

struct page_counter {
  HITMARK_ONCE long usage;
  HITMARK_ONCE unsigned long emin __cacheline_aligned;
  HITMARK_ONCE long min_usage, children_min_usage;
  HITMARK_ONCE unsigned long elow;
  HITMARK_ONCE long low_usage, children_low_usage;
  HITMARK_ONCE unsigned long watermark, failcnt;
  HITMARK_ONCE unsigned long min __cacheline_aligned;
  HITMARK_ONCE unsigned long low, high, max;
  struct page_counter* HITMARK_ONCE parent;
};

#include "kernels/codegen/page_counter/reference_operations.h"
