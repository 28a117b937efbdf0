/* Layout L4; with PAGE_COUNTER_STOCK it also has the per-CPU stock. */

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
#ifdef PAGE_COUNTER_STOCK
  HITMARK_ONCE unsigned long stock; /* per-CPU offset */
#endif
};
