/* The walks of a page counter (reference, section 2.3), on any `struct page_counter` that is defined before.
 * PAGE_COUNTER_ALWAYS_PROTECT: the rule up to 6.0. PAGE_COUNTER_WITHOUT_FLAGS and _WITHOUT_LOCAL_WATERMARK: the layout
 * has no such fields. PAGE_COUNTER_PROTECTION(c): whether the counter that a walk begins at has protections.
 */
#ifndef HITMARK_REFERENCE_PAGE_COUNTER_H
#define HITMARK_REFERENCE_PAGE_COUNTER_H

#ifndef PAGE_COUNTER_PROTECTION
#ifdef PAGE_COUNTER_WITHOUT_FLAGS
#define PAGE_COUNTER_PROTECTION(c) true
#else
#define PAGE_COUNTER_PROTECTION(c) ((c)->protection_support)
#endif
#endif

static __always_inline void propagate_protected(unsigned long usage, HITMARK_ONCE unsigned long* limit,
                                                HITMARK_ONCE long* own, HITMARK_ONCE long* children) {
  unsigned long bound = READ_ONCE(*limit), protected;
  long old;

#ifdef PAGE_COUNTER_ALWAYS_PROTECT
  if (!bound && !READ_ONCE(*own)) return;
#endif
  protected = usage < bound ? usage : bound;
#ifndef PAGE_COUNTER_ALWAYS_PROTECT
  old = READ_ONCE(*own);
  if (likely((long)protected == old)) return;
#endif
  old = xchg(own, (long)protected);
  if ((long)protected != old) atomic_add(children, (long)protected - old);
}

static __always_inline void propagate_protected_usage(struct page_counter* c, unsigned long usage) {
  struct page_counter* parent = c->parent;

  if (!parent) return;
  propagate_protected(usage, &c->min, &c->min_usage, &parent->children_min_usage);
  propagate_protected(usage, &c->low, &c->low_usage, &parent->children_low_usage);
}

static __always_inline void page_counter_cancel(struct page_counter* c, unsigned long nr_pages, bool protection) {
  long new = atomic_add_return(&c->usage, -(long)nr_pages);

  if (protection) propagate_protected_usage(c, (unsigned long)new);
}

static noinline void page_counter_uncharge(struct page_counter* counter, unsigned long nr_pages) {
  bool protection = PAGE_COUNTER_PROTECTION(counter);
  struct page_counter* c;

  for (c = counter; c; c = c->parent) page_counter_cancel(c, nr_pages, protection);
}

/* Null, or the counter whose limit is in the way; then nothing is charged. */
static noinline struct page_counter* page_counter_try_charge(struct page_counter* counter, unsigned long nr_pages) {
  bool protection = PAGE_COUNTER_PROTECTION(counter);
  struct page_counter *c, *below;

  for (c = counter; c; c = c->parent) {
    unsigned long new = (unsigned long)atomic_add_return(&c->usage, (long)nr_pages);

    if (unlikely(new > READ_ONCE(c->max))) {
      atomic_add(&c->usage, -(long)nr_pages);
#ifndef PAGE_COUNTER_WITHOUT_FLAGS
      if (c->track_failcnt)
#endif
        WRITE_ONCE(c->failcnt, READ_ONCE(c->failcnt) + 1);
      for (below = counter; below != c; below = below->parent) page_counter_cancel(below, nr_pages, protection);
      return c;
    }
    if (protection) propagate_protected_usage(c, new);
#ifndef PAGE_COUNTER_WITHOUT_LOCAL_WATERMARK
    if (new <= READ_ONCE(c->local_watermark)) continue;
    WRITE_ONCE(c->local_watermark, new);
#endif
    if (new > READ_ONCE(c->watermark)) WRITE_ONCE(c->watermark, new);
  }
  return NULL;
}

#endif
