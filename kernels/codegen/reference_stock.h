/* The stock: consume, refill, drain (reference, sections 1.2 to 1.7). A variant's file defines, before it
 * includes this, struct memcg_stock_pcp and NR_MEMCG_STOCK, and
 *   MEMCG_SOCK_BATCHED   when the slots have an nr_sock,
 *   SOCK_COUNT           the type of the arithmetic on it, int in the patch,
 *   MEMCG_RANDOM_VICTIM  when a random slot is evicted.
 * With NR_MEMCG_STOCK 1 the stock is that of releases up to 6.14 (reference_stock_g0.h), whose counts are unsigned.
 */
#include "kernels/codegen/reference_statistics.h"

#define FLUSHING_CACHED_CHARGE 0
#define memcg_stock (*(struct memcg_stock_pcp*)64) /* per CPU, static */

#if NR_MEMCG_STOCK == 1
typedef unsigned int page_count;
#define lock_section(stock) ((void)0) /* interrupts off */
#define unlock_section(stock) ((void)0)
#else
typedef u8 page_count;
#define lock_section(stock) WRITE_ONCE((stock)->lock, 1)
#define unlock_section(stock) local_unlock(&(stock)->lock)
#endif

static __always_inline bool local_trylock(HITMARK_ONCE u8* lock) {
  if (unlikely(READ_ONCE(*lock))) return false;
  WRITE_ONCE(*lock, 1);
  return true;
}

static __always_inline void local_unlock(HITMARK_ONCE u8* lock) { WRITE_ONCE(*lock, 0); }

static __always_inline void memcg_uncharge(struct mem_cgroup* memcg, unsigned int nr_pages) {
  page_counter_uncharge(&memcg->memory, nr_pages);
}

#ifdef MEMCG_SOCK_BATCHED
#define mod_sock(g, memcg, nr) mod_memcg_state(g, memcg, MEMCG_SOCK_INDEX, nr)

static __always_inline bool slot_has_sock(struct memcg_stock_pcp* stock, size_t i) {
  return READ_ELEMENT(stock->nr_sock, i);
}

static __always_inline void drain_sock(struct globals* g, struct memcg_stock_pcp* stock, size_t i,
                                       struct mem_cgroup* old) {
  int nr_sock = READ_ELEMENT(stock->nr_sock, i);

  if (!nr_sock) return;
  mod_sock(g, old, nr_sock);
  WRITE_ELEMENT(stock->nr_sock, i, 0);
}

/* What does not fit into the slot's count, for the caller to apply after the unlock. */
static __always_inline int charge_sock(struct memcg_stock_pcp* stock, size_t i, int nr) {
  SOCK_COUNT count = (SOCK_COUNT)(READ_ELEMENT(stock->nr_sock, i) + (SOCK_COUNT)nr);

  if (likely(count < (SOCK_COUNT)MEMCG_CHARGE_BATCH)) {
    WRITE_ELEMENT(stock->nr_sock, i, (s8)count);
    return 0;
  }
  WRITE_ELEMENT(stock->nr_sock, i, 0);
  return count;
}

/* `nr` is negative: uncharging tests only the bottom. */
static __always_inline int uncharge_sock(struct memcg_stock_pcp* stock, size_t i, int nr) {
  SOCK_COUNT count = (SOCK_COUNT)(READ_ELEMENT(stock->nr_sock, i) + (SOCK_COUNT)nr);

  if (likely(count > -(SOCK_COUNT)MEMCG_CHARGE_BATCH)) {
    WRITE_ELEMENT(stock->nr_sock, i, (s8)count);
    return 0;
  }
  WRITE_ELEMENT(stock->nr_sock, i, 0);
  return count;
}
#else
#define mod_sock(g, memcg, nr) ((void)(g), (void)(nr))
#define slot_has_sock(stock, i) false
#define drain_sock(g, stock, i, old) ((void)(g))
#define charge_sock(stock, i, nr) ((void)(nr), 0)
#define uncharge_sock(stock, i, nr) ((void)(nr), 0)
#endif

static noinline void drain_stock(struct globals* g, struct memcg_stock_pcp* stock, size_t i) {
  struct mem_cgroup* old = READ_ELEMENT(stock->cached, i);
  unsigned int nr_pages;

  if (!old) return;
  nr_pages = READ_ELEMENT(stock->nr_pages, i);
  if (nr_pages) {
    memcg_uncharge(old, nr_pages);
    WRITE_ELEMENT(stock->nr_pages, i, 0);
  }
  drain_sock(g, stock, i, old);
  WRITE_ELEMENT(stock->cached, i, NULL);
  css_put(&old->css);
}

/* The watermark rule releases an empty slot, the full-drain rule keeps it. */
static noinline void slot_emptied(struct globals* g, struct memcg_stock_pcp* stock, size_t i) {
  struct mem_cgroup* old;

  if (!g->keep_low) return;
  if (slot_has_sock(stock, i)) return;
  old = READ_ELEMENT(stock->cached, i);
  WRITE_ELEMENT(stock->cached, i, NULL);
  css_put(&old->css);
}

static noinline void slot_overflowed(struct globals* g, struct memcg_stock_pcp* stock, size_t i) {
  unsigned int nr_pages, low;

  if (!g->keep_low) {
    drain_stock(g, stock, i);
    return;
  }
  nr_pages = READ_ELEMENT(stock->nr_pages, i);
  low = g->low;
  memcg_uncharge(READ_ELEMENT(stock->cached, i), nr_pages - low);
  WRITE_ELEMENT(stock->nr_pages, i, (page_count)low);
}

#if NR_MEMCG_STOCK == 1
#include "kernels/codegen/reference_stock_g0.h"
#else

static __always_inline bool __consume_stock(struct globals* g, struct mem_cgroup* memcg, unsigned int nr_pages,
                                            unsigned int nr_sock, bool sock) {
  struct memcg_stock_pcp* stock;
  bool ret = false;
  int to_apply = 0;
  unsigned int left;
  size_t i;

  if (unlikely(nr_pages > MEMCG_CHARGE_BATCH)) return false;
  stock = this_cpu_ptr(&memcg_stock);
  if (unlikely(!local_trylock(&stock->lock))) return false;

  for (i = 0; i < NR_MEMCG_STOCK; i++) {
    if (memcg != READ_ELEMENT(stock->cached, i)) continue;
    left = READ_ELEMENT(stock->nr_pages, i);
    if (left >= nr_pages) {
      left -= nr_pages;
      WRITE_ELEMENT(stock->nr_pages, i, (u8)left);
      if (sock) to_apply = charge_sock(stock, i, (int)nr_sock);
      if (unlikely(!left)) slot_emptied(g, stock, i);
      ret = true;
    }
    break;
  }
  local_unlock(&stock->lock);
  if (unlikely(to_apply)) mod_sock(g, memcg, to_apply);
  return ret;
}

static __always_inline size_t next_victim(struct memcg_stock_pcp* stock) {
#ifdef MEMCG_RANDOM_VICTIM
  u32 word = this_cpu_read_int(*(u32*)second_static_percpu);

  (void)stock;
  word ^= word << 13;
  word ^= word >> 17;
  word ^= word << 5;
  this_cpu_write_int(*(u32*)second_static_percpu, word);
  return (size_t)((u64)word * NR_MEMCG_STOCK >> 32);
#else
  size_t i = stock->drain_idx;

  stock->drain_idx = (u8)(i + 1 < NR_MEMCG_STOCK ? i + 1 : 0);
  return i;
#endif
}

static __always_inline void fill_slot(struct globals* g, struct memcg_stock_pcp* stock, int empty,
                                      struct mem_cgroup* memcg, unsigned int nr_pages) {
  size_t i = (size_t)empty;

  if (empty < 0) {
    i = next_victim(stock);
    drain_stock(g, stock, i);
  }
  css_get(&memcg->css);
  WRITE_ELEMENT(stock->cached, i, memcg);
  WRITE_ELEMENT(stock->nr_pages, i, (u8)nr_pages);
}

static __always_inline void __refill_stock(struct globals* g, struct mem_cgroup* memcg, unsigned int nr_pages,
                                           unsigned int nr_sock, bool sock) {
  struct memcg_stock_pcp* stock = NULL;
  int to_apply = -(int)nr_sock;
  struct mem_cgroup* cached;
  unsigned int nr_now;
  size_t i;
  int empty = -1;

  if (unlikely(nr_pages > MEMCG_CHARGE_BATCH || !local_trylock(&(stock = this_cpu_ptr(&memcg_stock))->lock))) {
    memcg_uncharge(memcg, nr_pages);
    if (sock) mod_sock(g, memcg, to_apply);
    return;
  }

  for (i = 0; i < NR_MEMCG_STOCK; i++) {
    cached = READ_ELEMENT(stock->cached, i);
    if (!cached && empty < 0) empty = (int)i;
    if (memcg == cached) break;
  }
  if (likely(i < NR_MEMCG_STOCK)) {
    nr_now = READ_ELEMENT(stock->nr_pages, i) + nr_pages;
    WRITE_ELEMENT(stock->nr_pages, i, (u8)nr_now);
    if (sock) to_apply = uncharge_sock(stock, i, to_apply);
    if (unlikely(nr_now > MEMCG_CHARGE_BATCH)) slot_overflowed(g, stock, i);
  } else {
    fill_slot(g, stock, empty, memcg, nr_pages);
  }
  local_unlock(&stock->lock);
  if (sock && unlikely(to_apply)) mod_sock(g, memcg, to_apply);
}
#endif
