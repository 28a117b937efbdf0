/* Layout L1. */

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
