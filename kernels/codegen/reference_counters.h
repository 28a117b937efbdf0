/* The counters behind the stock: page_counter walks (reference, section 2.3) and css references (1.4). */
#include "kernels/codegen/reference_memcg.h"
#include "kernels/codegen/reference_page_counter.h"

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
