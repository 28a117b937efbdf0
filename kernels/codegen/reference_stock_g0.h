/* The stock of one memcg (reference, section 1.1: G0, G2 and G3). Included by reference_stock.h. */

static __always_inline bool __consume_stock(struct globals* g, struct mem_cgroup* memcg, unsigned int nr_pages,
                                            unsigned int nr_sock, bool sock) {
  struct memcg_stock_pcp* stock;
  unsigned int left;
  bool ret = false;

  (void)nr_sock, (void)sock;
  if (unlikely(nr_pages > MEMCG_CHARGE_BATCH)) return false;
  stock = this_cpu_ptr(&memcg_stock);
  if (memcg == READ_ELEMENT(stock->cached, 0)) {
    left = READ_ELEMENT(stock->nr_pages, 0);
    if (left >= nr_pages) {
      left -= nr_pages;
      WRITE_ELEMENT(stock->nr_pages, 0, left);
      if (unlikely(!left)) slot_emptied(g, stock, 0);
      ret = true;
    }
  }
  return ret;
}

static __always_inline void __refill_stock(struct globals* g, struct mem_cgroup* memcg, unsigned int nr_pages,
                                           unsigned int nr_sock, bool sock) {
  struct memcg_stock_pcp* stock = this_cpu_ptr(&memcg_stock);
  unsigned int nr_now;

  (void)nr_sock, (void)sock;
  if (memcg != READ_ELEMENT(stock->cached, 0)) {
    drain_stock(g, stock, 0);
    css_get(&memcg->css);
    WRITE_ELEMENT(stock->cached, 0, memcg);
  }
  nr_now = READ_ELEMENT(stock->nr_pages, 0) + nr_pages;
  WRITE_ELEMENT(stock->nr_pages, 0, nr_now);
  if (unlikely(nr_now > MEMCG_CHARGE_BATCH)) slot_overflowed(g, stock, 0);
}
