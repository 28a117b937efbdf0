/* Layout L3. */
#include "kernels/codegen/reference_family.h"

#define VARIANT "l3"

struct page_counter {
  HITMARK_ONCE long usage;
  HITMARK_ONCE unsigned long emin __cacheline_aligned;
  HITMARK_ONCE long min_usage, children_min_usage;
  HITMARK_ONCE unsigned long elow;
  HITMARK_ONCE long low_usage, children_low_usage;
  HITMARK_ONCE unsigned long watermark, local_watermark, failcnt;
  HITMARK_ONCE bool protection_support __cacheline_aligned;
  HITMARK_ONCE bool track_failcnt;
  HITMARK_ONCE unsigned long min, low, high, max;
  struct page_counter* HITMARK_ONCE parent;
};

#include "kernels/codegen/page_counter/reference_operations.h"
