/* The counters behind the stock: page_counter walks (reference, section 2.3), css references (1.4), and the
 * statistics of form V5b (3.2, 3.3).
 */
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

static noinline void css_rstat_updated(struct cgroup_subsys_state* css) {
  void* cgroup = css->cgroup;
  struct cgroup_subsys* ss = css->ss;
  struct llist_node *lnode, *next, *self, *first;
  struct llist_head* lhead;

  if (css != cgroup && unlikely(!ss->css_rstat_flush)) /* equal: the cgroup's own css */
    return;

  lnode = &this_cpu_ptr((struct css_rstat_cpu*)css->rstat_cpu)->lnode;
  next = READ_ONCE(lnode->next);
  if (likely(lnode != next)) return;

  self = lnode;
  if (!try_cmpxchg(&lnode->next, &self, NULL)) return;
  lhead = this_cpu_ptr((struct llist_head*)ss->lhead);
  first = READ_ONCE(lhead->first);
  do {
    WRITE_ONCE(lnode->next, first);
  } while (!try_cmpxchg(&lhead->first, &first, lnode));
}

static __always_inline bool memcg_vmstats_needs_flush(struct globals* g, struct memcg_vmstats* vmstats) {
  unsigned int stats_updates = (unsigned int)READ_ONCE(vmstats->stats_updates);

  return stats_updates > MEMCG_CHARGE_BATCH * READ_ONCE(g->nr_online_cpus);
}

static __always_inline void memcg_rstat_updated(struct globals* g, struct mem_cgroup* memcg, int val) {
  struct memcg_vmstats_percpu *pcpu, *statc;
  struct memcg_vmstats* vmstats;
  unsigned int magnitude;

  if (unlikely(!val)) return;
  css_rstat_updated(&memcg->css);

  magnitude = val < 0 ? -(unsigned int)val : (unsigned int)val;
  for (pcpu = memcg->vmstats_percpu; pcpu; pcpu = statc->parent_pcpu) {
    statc = this_cpu_ptr(pcpu);
    vmstats = statc->vmstats;
    if (memcg_vmstats_needs_flush(g, vmstats)) return;
    if (this_cpu_add_return_int(pcpu->stats_updates, magnitude) >= MEMCG_CHARGE_BATCH)
      atomic_add(&vmstats->stats_updates, (int)this_cpu_xchg_int(pcpu->stats_updates, 0));
  }
}

static noinline void mod_memcg_state(struct globals* g, struct mem_cgroup* memcg, size_t idx, int val) {
  struct memcg_vmstats_percpu* pcpu = memcg->vmstats_percpu;

  this_cpu_add_long(pcpu->state[idx], val);
  memcg_rstat_updated(g, memcg, val);
}
