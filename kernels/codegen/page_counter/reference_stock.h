/* The per-counter stock (reference, section 2.4), on `struct stock` with nr_pages and a page counter with `stock`. */

static __always_inline struct stock* my_stock(struct page_counter* c) {
  unsigned long offset = c->stock, base;

  asm volatile("movq %%gs:0, %0" : "=r"(base)); /* as NativeCpu: gcc schedules a load of this_cpu_off otherwise */
  return (struct stock*)(base + offset);
}

static noinline void uncharge_all(struct page_counter* c, struct stock* stock, unsigned int nr_pages) {
  unsigned int held = (unsigned int)xchg(&stock->nr_pages, 0);

  page_counter_uncharge(c, nr_pages + held);
}

static __always_inline void uncharge_pages(struct family_state* s, struct page_counter* c, unsigned int nr_pages) {
  struct stock* stock = my_stock(c);
  int batch = s->batch, held = READ_ONCE(stock->nr_pages);

  do {
    if (unlikely((int)nr_pages + held > batch)) {
      uncharge_all(c, stock, nr_pages);
      return;
    }
  } while (!likely(try_cmpxchg(&stock->nr_pages, &held, (int)nr_pages + held)));
}

static noinline void drain(struct family_state* s) {
  size_t objects = s->nr_objects, cpus = s->nr_cpus, i, of;
  void* HITMARK_ONCE* first = s->objects; /* read after the two */

  for (i = 0; i < objects; ++i) {
    struct page_counter* c = first[i];
    unsigned long offset = c->stock;

    for (of = 0; of < cpus; ++of) {
      struct stock* stock = (struct stock*)(READ_ELEMENT(s->per_cpu_offset, of) + offset);
      int held;

      if (!READ_ONCE(stock->nr_pages)) continue;
      held = xchg(&stock->nr_pages, 0);
      if (held) page_counter_uncharge(c, (unsigned int)held);
    }
  }
}

static noinline bool charge_batch(struct family_state* s, struct page_counter* c, unsigned int nr_pages) {
  unsigned int batch = (unsigned int)s->batch;

  if (nr_pages < batch && !page_counter_try_charge(c, batch)) {
    uncharge_pages(s, c, batch - nr_pages);
    return true;
  }
  if (!page_counter_try_charge(c, nr_pages)) return true;
  drain(s);
  return !page_counter_try_charge(c, nr_pages);
}

static __always_inline bool charge_pages(struct family_state* s, struct page_counter* c, unsigned int nr_pages) {
  struct stock* stock = my_stock(c);
  int held = READ_ONCE(stock->nr_pages);

  while ((int)nr_pages <= held)
    if (likely(try_cmpxchg(&stock->nr_pages, &held, held - (int)nr_pages))) return true;
  return charge_batch(s, c, nr_pages);
}
