/* Layout L0, the protection rule up to 6.0. */
#include "kernels/codegen/reference_family.h"

#define VARIANT "l0"
#define PAGE_COUNTER_WITHOUT_FLAGS
#define PAGE_COUNTER_WITHOUT_LOCAL_WATERMARK
#define PAGE_COUNTER_ALWAYS_PROTECT

struct page_counter {
  HITMARK_ONCE long usage;
  HITMARK_ONCE unsigned long min, low, high, max;
  struct page_counter* HITMARK_ONCE parent;
  HITMARK_ONCE unsigned long emin;
  HITMARK_ONCE long min_usage, children_min_usage;
  HITMARK_ONCE unsigned long elow;
  HITMARK_ONCE long low_usage, children_low_usage;
  HITMARK_ONCE unsigned long watermark, failcnt;
};

#include "kernels/codegen/page_counter/reference_operations.h"
