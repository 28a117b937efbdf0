/* A batch is taken and added while no flush is due. */

static __always_inline void count_update(struct family_state* s, struct stats* stats, struct stats_cpu* pcpu,
                                         unsigned int magnitude) {
  long updates;

  if (needs_flush(s, stats)) return;
  updates = full_batch(s, pcpu, magnitude);
  if (updates) atomic_add(&stats->stats_updates, updates);
}
