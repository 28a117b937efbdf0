/* The counters behind the stock: page_counter walks (reference, section 2.3) and css references (1.4). */
#include "kernels/codegen/reference_memcg.h"

static __always_inline void propagate_protected(unsigned long usage, HITMARK_ONCE unsigned long* limit,
                                                HITMARK_ONCE long* own, HITMARK_ONCE long* children) {
  unsigned long bound = READ_ONCE(*limit);
  unsigned long protected = usage < bound ? usage : bound;
  long old = READ_ONCE(*own);

  if (likely((long)protected == old)) return;
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
  bool protection = counter->protection_support;
  struct page_counter* c;

  for (c = counter; c; c = c->parent) page_counter_cancel(c, nr_pages, protection);
}

/* Null, or the counter whose limit is in the way; then nothing is charged. */
static noinline struct page_counter* page_counter_try_charge(struct page_counter* counter, unsigned long nr_pages) {
  bool protection = counter->protection_support;
  struct page_counter *c, *below;

  for (c = counter; c; c = c->parent) {
    unsigned long new = (unsigned long)atomic_add_return(&c->usage, (long)nr_pages);

    if (unlikely(new > READ_ONCE(c->max))) {
      atomic_add(&c->usage, -(long)nr_pages);
      if (c->track_failcnt) WRITE_ONCE(c->failcnt, READ_ONCE(c->failcnt) + 1);
      for (below = counter; below != c; below = below->parent) page_counter_cancel(below, nr_pages, protection);
      return c;
    }
    if (protection) propagate_protected_usage(c, new);
    if (new > READ_ONCE(c->local_watermark)) {
      WRITE_ONCE(c->local_watermark, new);
      if (new > READ_ONCE(c->watermark)) WRITE_ONCE(c->watermark, new);
    }
  }
  return NULL;
}

static __always_inline void css_add_refs(struct cgroup_subsys_state* css, long nr) {
  unsigned long ref;

  if (css->flags & CSS_NO_REF) return;
  ref = READ_ONCE(css->refcnt.percpu_count_ptr);
  if (likely(!(ref & PERCPU_REF_ATOMIC_DEAD)))
    this_cpu_add_long(*(HITMARK_ONCE long*)ref, nr);
  else
    atomic_add(&css->refcnt.data->count, nr);
}

static __always_inline void css_get(struct cgroup_subsys_state* css) { css_add_refs(css, 1); }

static __always_inline void css_put(struct cgroup_subsys_state* css) { css_add_refs(css, -1); }
