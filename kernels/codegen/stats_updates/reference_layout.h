/* The count beside the state, which only the flusher writes. */

struct stats {
  HITMARK_ONCE unsigned long percpu;
  HITMARK_ONCE long state __cacheline_aligned;
  HITMARK_ONCE long state_pending;
  HITMARK_ONCE long stats_updates;
  HITMARK_ONCE unsigned int lock __cacheline_aligned;
};
