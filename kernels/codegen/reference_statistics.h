/* The statistics behind the stock (reference, sections 3.2, 3.3 and 3.5): mod_memcg_state and what it calls. A
 * variant's file defines one of MEMCG_STATS_V0, _V1, _V3, _V3B, _V4, _V4B, _V5; without any it has V5b. With
 * RSTAT_CPU_LOCK an update is linked into the CPU's tree under a lock, as up to 6.16.
 */
#include "kernels/codegen/reference_counters.h"

/* As Linux had it before named address spaces: it stays where it is written. */
#define this_cpu_ptr_by_asm(ptr)                           \
  __extension__({                                          \
    unsigned long __offset = (unsigned long)(ptr), __here; \
    asm volatile("movq %%gs:0, %0" : "=r"(__here));        \
    (__typeof__((ptr) + 0))(__here + __offset);            \
  })

#define second_static_percpu (64 + 1024) /* the offset of a variable behind the stock's reserve */

static __always_inline struct mem_cgroup* parent_mem_cgroup(struct mem_cgroup* memcg) {
  return (struct mem_cgroup*)memcg->css.parent;
}

#if defined(MEMCG_STATS_V0)
#elif defined(RSTAT_CPU_LOCK)
static __always_inline struct css_rstat_cpu* css_rstat_cpu(struct cgroup_subsys_state* css, unsigned long base) {
  return per_cpu_ptr((struct css_rstat_cpu*)css->rstat_cpu, base);
}

static __always_inline void spin_lock(HITMARK_ONCE unsigned int* lock) {
  unsigned int unlocked = 0;

  while (unlikely(!try_cmpxchg(lock, &unlocked, 1))) {
    while (READ_ONCE(*lock)) __builtin_ia32_pause();
    unlocked = 0;
  }
}

static noinline void cgroup_rstat_updated(struct cgroup_subsys_state* css) {
  unsigned long here = this_cpu_off;
  HITMARK_ONCE unsigned int* cpu_lock;

  if (likely(READ_ONCE(css_rstat_cpu(css, here)->updated_next))) return;

  cpu_lock = per_cpu_ptr((HITMARK_ONCE unsigned int*)css->ss->lhead, here);
  spin_lock(cpu_lock);
  while (css) {
    struct css_rstat_cpu *rstatc = css_rstat_cpu(css, here), *prstatc;
    struct cgroup_subsys_state* parent;

    if (rstatc->updated_next) break;
    parent = css->parent;
    if (!parent) {
      WRITE_ONCE(rstatc->updated_next, css);
      break;
    }
    prstatc = css_rstat_cpu(parent, here);
    WRITE_ONCE(rstatc->updated_next, prstatc->updated_children);
    prstatc->updated_children = css;
    css = parent;
  }
  smp_store_release(cpu_lock, 0);
}

#define rstat_updated cgroup_rstat_updated
#else
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

#define rstat_updated css_rstat_updated
#endif

static __always_inline bool memcg_vmstats_needs_flush(struct globals* g, struct memcg_vmstats* vmstats) {
  unsigned int stats_updates = (unsigned int)READ_ONCE(vmstats->stats_updates);

  return stats_updates > MEMCG_CHARGE_BATCH * READ_ONCE(g->nr_online_cpus);
}

#if defined(MEMCG_STATS_V0)
static noinline void mod_memcg_state(struct globals* g, struct mem_cgroup* memcg, size_t idx, int val) {
  unsigned long items = (unsigned long)memcg->vmstats_percpu->state;
  long* kept = (long*)(items + idx * sizeof(long)); /* per CPU */
  struct mem_cgroup* mi;
  long x;

  (void)g;
  x = val + this_cpu_read_long(*kept);
  if (unlikely((x < 0 ? -x : x) > 32)) {
    for (mi = memcg; mi; mi = parent_mem_cgroup(mi)) atomic_add(&mi->vmstats->state[idx], x);
    x = 0;
  }
  this_cpu_write_long(*kept, x);
}
#else
#if defined(MEMCG_STATS_V1)
static __always_inline void memcg_rstat_updated(struct globals* g, struct mem_cgroup* memcg, int val) {
  (void)g, (void)val;
  rstat_updated(&memcg->css);
}
#elif defined(MEMCG_STATS_V3)
#define stats_updates (*(unsigned int*)second_static_percpu) /* per CPU, static */

static __always_inline void memcg_rstat_updated(struct globals* g, struct mem_cgroup* memcg, int val) {
  (void)val;
  rstat_updated(&memcg->css);
  if (!(this_cpu_add_return_int(stats_updates, 1) % MEMCG_CHARGE_BATCH)) atomic_add(&g->stats_flush_threshold, 1);
}
#elif defined(MEMCG_STATS_V3B)
#define stats_updates (*(unsigned int*)second_static_percpu) /* per CPU, static */

static __always_inline void memcg_rstat_updated(struct globals* g, struct mem_cgroup* memcg, int val) {
  unsigned int magnitude, x;

  if (unlikely(!val)) return;
  rstat_updated(&memcg->css);

  magnitude = val < 0 ? -(unsigned int)val : (unsigned int)val;
  x = this_cpu_add_return_int(stats_updates, magnitude);
  if (x <= MEMCG_CHARGE_BATCH) return;
  atomic_add(&g->stats_flush_threshold, (int)(x / MEMCG_CHARGE_BATCH));
  this_cpu_write_int(stats_updates, 0);
}
#elif defined(MEMCG_STATS_V4)
static __always_inline void memcg_rstat_updated(struct globals* g, struct mem_cgroup* memcg, int val) {
  unsigned int magnitude, x;

  if (unlikely(!val)) return;
  rstat_updated(&memcg->css);

  magnitude = val < 0 ? -(unsigned int)val : (unsigned int)val;
  for (; memcg; memcg = parent_mem_cgroup(memcg)) {
    struct memcg_vmstats_percpu* pcpu = memcg->vmstats_percpu;
    struct memcg_vmstats* vmstats;

    x = this_cpu_add_return_int(pcpu->stats_updates, magnitude);
    if (x < MEMCG_CHARGE_BATCH) continue;
    vmstats = memcg->vmstats;
    if (!memcg_vmstats_needs_flush(g, vmstats)) atomic_add(&vmstats->stats_updates, (int)x);
    this_cpu_write_int(pcpu->stats_updates, 0);
  }
}
#elif defined(MEMCG_STATS_V4B)
static __always_inline void memcg_rstat_updated(struct globals* g, struct mem_cgroup* memcg, int val) {
  struct memcg_vmstats_percpu* statc;
  struct memcg_vmstats* vmstats;
  unsigned int magnitude, x;

  if (unlikely(!val)) return;
  rstat_updated(&memcg->css);

  statc = this_cpu_ptr_by_asm(memcg->vmstats_percpu);
  magnitude = val < 0 ? -(unsigned int)val : (unsigned int)val;
  for (; statc; statc = statc->parent_pcpu) {
    x = READ_ONCE(statc->stats_updates) + magnitude;
    WRITE_ONCE(statc->stats_updates, x);
    if (x < MEMCG_CHARGE_BATCH) continue;
    vmstats = statc->vmstats;
    if (!memcg_vmstats_needs_flush(g, vmstats)) atomic_add(&vmstats->stats_updates, (int)x);
    WRITE_ONCE(statc->stats_updates, 0);
  }
}
#elif defined(MEMCG_STATS_V5)
static __always_inline void memcg_rstat_updated(struct globals* g, struct mem_cgroup* memcg, int val) {
  struct memcg_vmstats_percpu* statc;
  struct memcg_vmstats* vmstats;
  unsigned int magnitude, x;

  if (unlikely(!val)) return;
  rstat_updated(&memcg->css);

  statc = this_cpu_ptr_by_asm(memcg->vmstats_percpu);
  magnitude = val < 0 ? -(unsigned int)val : (unsigned int)val;
  for (; statc; statc = statc->parent_pcpu) {
    vmstats = statc->vmstats;
    if (memcg_vmstats_needs_flush(g, vmstats)) return;
    x = READ_ONCE(statc->stats_updates) + magnitude;
    WRITE_ONCE(statc->stats_updates, x);
    if (x < MEMCG_CHARGE_BATCH) continue;
    atomic_add(&vmstats->stats_updates, (int)x);
    WRITE_ONCE(statc->stats_updates, 0);
  }
}
#else
static __always_inline void memcg_rstat_updated(struct globals* g, struct mem_cgroup* memcg, int val) {
  struct memcg_vmstats_percpu *pcpu, *statc;
  struct memcg_vmstats* vmstats;
  unsigned int magnitude;

  if (unlikely(!val)) return;
  rstat_updated(&memcg->css);

  magnitude = val < 0 ? -(unsigned int)val : (unsigned int)val;
  for (pcpu = memcg->vmstats_percpu; pcpu; pcpu = statc->parent_pcpu) {
    statc = this_cpu_ptr(pcpu);
    vmstats = statc->vmstats;
    if (memcg_vmstats_needs_flush(g, vmstats)) return;
    if (this_cpu_add_return_int(pcpu->stats_updates, magnitude) >= MEMCG_CHARGE_BATCH)
      atomic_add(&vmstats->stats_updates, (int)this_cpu_xchg_int(pcpu->stats_updates, 0));
  }
}
#endif

static noinline void mod_memcg_state(struct globals* g, struct mem_cgroup* memcg, size_t idx, int val) {
  struct memcg_vmstats_percpu* pcpu = memcg->vmstats_percpu;

  this_cpu_add_long(pcpu->state[idx], val);
  memcg_rstat_updated(g, memcg, val);
}
#endif
