/* Layout L4 without protections. */
#include "kernels/codegen/reference_family.h"

#define VARIANT "l4-unprotected"
#define PAGE_COUNTER_PROTECTION(c) false

struct page_counter {
  HITMARK_ONCE long usage;
  HITMARK_ONCE unsigned long failcnt;
  HITMARK_ONCE unsigned long emin __cacheline_aligned;
  HITMARK_ONCE long min_usage, children_min_usage;
  HITMARK_ONCE unsigned long elow;
  HITMARK_ONCE long low_usage, children_low_usage;
  HITMARK_ONCE unsigned long watermark, local_watermark;
  HITMARK_ONCE bool protection_support, track_failcnt;
  HITMARK_ONCE unsigned long min, low, high, max;
  struct page_counter* HITMARK_ONCE parent;
};

#include "kernels/codegen/page_counter/reference_operations.h"
