/* Layout L1, the protection rule of 6.1. */
#include "kernels/codegen/reference_family.h"

#define VARIANT "l1-on-change"
#define PAGE_COUNTER_WITHOUT_FLAGS
#define PAGE_COUNTER_WITHOUT_LOCAL_WATERMARK

struct page_counter {
  HITMARK_ONCE long usage;
  HITMARK_ONCE unsigned long min, low, high, max;
  HITMARK_ONCE unsigned long emin;
  HITMARK_ONCE long min_usage, children_min_usage;
  HITMARK_ONCE unsigned long elow;
  HITMARK_ONCE long low_usage, children_low_usage;
  HITMARK_ONCE unsigned long watermark, failcnt;
  struct page_counter* HITMARK_ONCE parent;
};

#include "kernels/codegen/page_counter/reference_operations.h"
