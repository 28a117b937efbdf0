/* Charging: try_charge, charge, uncharge, and the drain of all stocks (reference, sections 1.6, 1.7, 2.1), and
 * the table of what a variant can be asked to do. Beyond reference_stock.h's macros a variant's file defines
 *   VARIANT             its name, as a string,
 *   MEMCG_STOCK_INLINE  when consume and refill are part of charge and uncharge.
 */
#include "kernels/codegen/reference_operations.h"
#include "kernels/codegen/reference_stock.h"

#if defined(MEMCG_SOCK_BATCHED) && !defined(MEMCG_STOCK_INLINE)
/* One function each for every caller. */
static noinline bool consume_stock(struct globals* g, struct mem_cgroup* memcg, unsigned int nr_pages,
                                   unsigned int nr_sock) {
  return __consume_stock(g, memcg, nr_pages, nr_sock, nr_sock != 0);
}

static noinline void refill_stock(struct globals* g, struct mem_cgroup* memcg, unsigned int nr_pages,
                                  unsigned int nr_sock) {
  __refill_stock(g, memcg, nr_pages, nr_sock, nr_sock != 0);
}

#define consume_pages(g, memcg, nr_pages) consume_stock(g, memcg, nr_pages, 0)
#define refill_pages(g, memcg, nr_pages) refill_stock(g, memcg, nr_pages, 0)
#else
#define consume_pages(g, memcg, nr_pages) __consume_stock(g, memcg, nr_pages, 0, false)
#define consume_stock(g, memcg, nr_pages, nr_sock) __consume_stock(g, memcg, nr_pages, nr_sock, true)
#define refill_stock(g, memcg, nr_pages, nr_sock) __refill_stock(g, memcg, nr_pages, nr_sock, true)

static noinline void refill_pages(struct globals* g, struct mem_cgroup* memcg, unsigned int nr_pages) {
  __refill_stock(g, memcg, nr_pages, 0, false);
}
#endif

static noinline void drain_local_stock(struct globals* g, struct memcg_stock_pcp* stock) {
  size_t i;

  lock_section(stock);
  for (i = 0; i < NR_MEMCG_STOCK; i++) drain_stock(g, stock, i);
  clear_bit(FLUSHING_CACHED_CHARGE, &stock->flags);
  unlock_section(stock);
}

/* The owner's part of a work item: Linux runs it in a worker, here the CPU asks for it. */
static noinline void work(struct globals* g) {
  struct memcg_stock_pcp* stock = this_cpu_ptr(&memcg_stock);

  if (likely(!(smp_load_acquire(&stock->work.data) & (1UL << WORK_STRUCT_PENDING_BIT)))) return;
  clear_bit(WORK_STRUCT_PENDING_BIT, &stock->work.data);
  stock->work.entry.next = NULL;
  stock->work.entry.prev = NULL;
  drain_local_stock(g, stock);
}

static __always_inline bool mem_cgroup_is_descendant(struct mem_cgroup* memcg, struct mem_cgroup* root) {
  struct cgroup_subsys_state* css = &memcg->css;

  while (css && css != &root->css) css = css->parent;
  return css != NULL;
}

static __always_inline bool is_drain_needed(struct memcg_stock_pcp* stock, struct mem_cgroup* root) {
  struct mem_cgroup* memcg;
  size_t i;

  for (i = 0; i < NR_MEMCG_STOCK; i++) {
    memcg = READ_ELEMENT(stock->cached, i);
    if (!memcg) continue;
    if ((READ_ELEMENT(stock->nr_pages, i) || slot_has_sock(stock, i)) && mem_cgroup_is_descendant(memcg, root))
      return true;
  }
  return false;
}

static noinline void drain_all_stock(struct globals* g, struct mem_cgroup* root) {
  unsigned int cpus, unlocked = 0;
  unsigned long here;
  size_t cpu;

  if (!try_cmpxchg(&g->percpu_charge_mutex, &unlocked, 1)) return;
  here = this_cpu_off;
  cpus = g->nr_cpu_ids;
  for (cpu = 0; cpu < cpus; cpu++) {
    unsigned long base = READ_ELEMENT(g->per_cpu_offset, cpu);
    struct memcg_stock_pcp* stock = per_cpu_ptr(&memcg_stock, base);

    if (READ_ONCE(stock->flags) & (1UL << FLUSHING_CACHED_CHARGE)) continue;
    if (!is_drain_needed(stock, root)) continue;
    if (test_and_set_bit(FLUSHING_CACHED_CHARGE, &stock->flags)) continue;
    if (base == here) {
      drain_local_stock(g, stock);
      continue;
    }
    stock->work.entry.next = g;
    stock->work.entry.prev = g;
    test_and_set_bit(WORK_STRUCT_PENDING_BIT, &stock->work.data);
  }
  smp_store_release(&g->percpu_charge_mutex, 0);
}

static noinline void drain(struct globals* g) { drain_all_stock(g, g->root_mem_cgroup); }

static __always_inline void check_high(struct mem_cgroup* memcg) {
  struct cgroup_subsys_state* css;

  for (css = &memcg->css; css; css = css->parent) {
    struct mem_cgroup* at = container_of(css, struct mem_cgroup, css);
    unsigned long memory = (unsigned long)READ_ONCE(at->memory.usage);
    bool mem_high = memory > READ_ONCE(at->memory.high);
    unsigned long swap = (unsigned long)READ_ONCE(at->swap.usage);
    bool swap_high = swap > READ_ONCE(at->swap.high);

#if NR_MEMCG_STOCK == 1 /* else gcc tests swap first, here alone (README.md) */
    if (likely(!swap_high) && likely(!mem_high)) continue;
#else
    if (likely(!mem_high) && likely(!swap_high)) continue;
#endif
    test_and_set_bit(WORK_STRUCT_PENDING_BIT, &at->high_work.data);
    return;
  }
}

static noinline bool try_charge(struct globals* g, struct mem_cgroup* memcg, unsigned int nr_pages) {
  unsigned int batch = nr_pages > MEMCG_CHARGE_BATCH ? nr_pages : MEMCG_CHARGE_BATCH;
  struct page_counter* counter;
  bool drained = false;

  for (;;) {
    if (consume_pages(g, memcg, nr_pages)) return true;
    counter = page_counter_try_charge(&memcg->memory, batch);
    if (likely(!counter)) break;
    if (batch > nr_pages) {
      batch = nr_pages;
      continue;
    }
    if (drained) return false;
    drain_all_stock(g, container_of(counter, struct mem_cgroup, memory));
    drained = true;
  }
  if (batch > nr_pages) refill_pages(g, memcg, batch - nr_pages);
  check_high(memcg);
  return true;
}

static noinline bool charge(struct globals* g, struct mem_cgroup* memcg, unsigned int nr_pages) {
#ifdef MEMCG_SOCK_BATCHED
  if (likely(consume_stock(g, memcg, nr_pages, nr_pages))) return true;
  if (unlikely(!try_charge(g, memcg, nr_pages))) return false;
#elif defined(MEMCG_STOCK_INLINE)
  if (!consume_pages(g, memcg, nr_pages) && unlikely(!try_charge(g, memcg, nr_pages))) return false;
#else
  if (unlikely(!try_charge(g, memcg, nr_pages))) return false;
#endif
  mod_memcg_state(g, memcg, MEMCG_SOCK_INDEX, (int)nr_pages);
  return true;
}

static noinline void uncharge(struct globals* g, struct mem_cgroup* memcg, unsigned int nr_pages) {
#ifdef MEMCG_SOCK_BATCHED
  refill_stock(g, memcg, nr_pages, nr_pages);
#else
  mod_memcg_state(g, memcg, MEMCG_SOCK_INDEX, -(int)nr_pages);
#ifdef MEMCG_STOCK_INLINE
  __refill_stock(g, memcg, nr_pages, 0, false);
#else
  refill_pages(g, memcg, nr_pages);
#endif
#endif
}

static noinline void charge_failed(struct globals* g) {
  struct driver* driver = g->driver;

  this_cpu_add_long(driver->failed_charges, 1);
}

static noinline void pair(void* g, void* memcg, unsigned int nr_pages) {
  if (likely(charge(g, memcg, nr_pages)))
    uncharge(g, memcg, nr_pages);
  else
    charge_failed(g);
}

static noinline void charge_one(void* g, void* memcg, unsigned int nr_pages) {
  if (unlikely(!charge(g, memcg, nr_pages))) charge_failed(g);
}

static noinline void uncharge_one(void* g, void* memcg, unsigned int nr_pages) { uncharge(g, memcg, nr_pages); }

static noinline void run_work(void* g, void* unused, unsigned int ignored) {
  (void)unused, (void)ignored;
  work(g);
}

static noinline void run_drain(void* g, void* unused, unsigned int ignored) {
  (void)unused, (void)ignored;
  drain(g);
}

static const struct reference_operation all[] = {
    {"pair", pair},     {"charge", charge_one}, {"uncharge", uncharge_one},
    {"work", run_work}, {"drain", run_drain},   {NULL, NULL},
};

static const struct reference_operations operations = {
    .family = "sock-charge",
    .variant = VARIANT,
    .plain = HITMARK_REFERENCE_PLAIN,
    .operations = all,
};

static __attribute__((constructor)) void register_operations(void) { register_reference(&operations); }
