/* The operations on statistics, in terms of the variant's count_update(), needs_flush() and restart(). */

static __always_inline void update(struct family_state* s, struct stats* stats, int amount) {
  struct stats_cpu* pcpu = (struct stats_cpu*)stats->percpu;

  this_cpu_add_long(pcpu->state, amount);
  if (unlikely(!amount)) return;
  count_update(s, stats, pcpu, amount < 0 ? -(unsigned int)amount : (unsigned int)amount);
}

static __always_inline void flush_stats(struct family_state* s, struct stats* stats) {
  unsigned long percpu;
  size_t cpus, i;
  long delta = 0;

  spin_lock(&stats->lock);
  percpu = stats->percpu;
  cpus = s->nr_cpus;
  for (i = 0; i < cpus; ++i) {
    struct stats_cpu* statc = per_cpu_stats(s, percpu, i);
    long now = READ_ONCE(statc->state);

    delta += now - statc->state_prev;
    statc->state_prev = now;
    WRITE_ONCE(statc->stats_updates, 0);
  }
  if (delta) WRITE_ONCE(stats->state, READ_ONCE(stats->state) + delta);
  restart(s, stats);
  spin_unlock(&stats->lock);
}

static noinline void add(void* state, void* object, unsigned int amount) { update(state, object, (int)amount); }

static noinline void sub(void* state, void* object, unsigned int amount) { update(state, object, -(int)amount); }

static noinline void run_work(void* state, void* object, unsigned int amount) {
  (void)state, (void)object, (void)amount;
}

static noinline void run_flush(void* state, void* unused, unsigned int ignored) {
  struct driver* driver = this_driver((struct family_state*)state);

  (void)unused, (void)ignored;
  flush_stats(state, driver->object);
}

static noinline void run_read(void* state, void* unused, unsigned int ignored) {
  struct driver* driver = this_driver((struct family_state*)state);
  struct stats* stats = driver->object;

  (void)unused, (void)ignored;
  if (needs_flush(state, stats)) flush_stats(state, stats);
  driver->reading = READ_ONCE(stats->state);
}

static const struct reference_operation all[] = {
    {"add", add}, {"sub", sub}, {"work", run_work}, {"flush", run_flush}, {"read", run_read}, {NULL, NULL},
};
REGISTER_REFERENCE("stats-updates", VARIANT)
