/* The family page-counter in C. A variant's file defines VARIANT, `struct page_counter` and what
 * reference_page_counter.h wants to know; with PAGE_COUNTER_STOCK, `struct stock` as well.
 */
#include "kernels/codegen/reference_page_counter.h"

#ifdef PAGE_COUNTER_STOCK
#include "kernels/codegen/page_counter/reference_stock.h"
#else
static __always_inline bool charge_pages(struct family_state* s, struct page_counter* c, unsigned int nr_pages) {
  (void)s;
  return !page_counter_try_charge(c, nr_pages);
}

static __always_inline void uncharge_pages(struct family_state* s, struct page_counter* c, unsigned int nr_pages) {
  (void)s;
  page_counter_uncharge(c, nr_pages);
}

static __always_inline void drain(struct family_state* s) { (void)s; }
#endif

static noinline void charge_failed(struct family_state* s) {
  this_cpu_add_long(((struct driver*)s->driver)->failed_charges, 1);
}

static noinline void pair(void* s, void* counter, unsigned int nr_pages) {
  if (likely(charge_pages(s, counter, nr_pages)))
    uncharge_pages(s, counter, nr_pages);
  else
    charge_failed(s);
}

static noinline void charge(void* s, void* counter, unsigned int nr_pages) {
  if (unlikely(!charge_pages(s, counter, nr_pages))) charge_failed(s);
}

static noinline void uncharge(void* s, void* counter, unsigned int nr_pages) { uncharge_pages(s, counter, nr_pages); }

static noinline void run_work(void* s, void* unused, unsigned int ignored) { (void)s, (void)unused, (void)ignored; }

static noinline void run_flush(void* s, void* unused, unsigned int ignored) { (void)s, (void)unused, (void)ignored; }

static noinline void run_drain(void* s, void* unused, unsigned int ignored) {
  (void)unused, (void)ignored;
  drain(s);
}

static noinline void run_read(void* s, void* unused, unsigned int ignored) {
  struct driver* driver = this_driver((struct family_state*)s);
  struct page_counter* c;
  long sum;

  (void)unused, (void)ignored;
  for (c = driver->object, sum = 0; c; c = c->parent) sum += READ_ONCE(c->usage);
  driver->reading = sum;
}

static const struct reference_operation all[] = {
    {"pair", pair},       {"charge", charge},   {"uncharge", uncharge}, {"work", run_work},
    {"flush", run_flush}, {"drain", run_drain}, {"read", run_read},     {NULL, NULL},
};
REGISTER_REFERENCE("page-counter", VARIANT)
