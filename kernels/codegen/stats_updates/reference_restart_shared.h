static __always_inline void restart(struct family_state* s, struct stats* stats) {
  (void)s;
  if (READ_ONCE(stats->stats_updates)) WRITE_ONCE(stats->stats_updates, 0);
}
