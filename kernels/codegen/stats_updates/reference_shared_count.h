/* Counting in stats->stats_updates. */

static __always_inline bool needs_flush(struct family_state* s, struct stats* stats) {
  unsigned long updates = (unsigned long)READ_ONCE(stats->stats_updates);

  return updates > READ_ONCE(s->threshold);
}
