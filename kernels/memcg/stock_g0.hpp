// The stock of one memcg alone: G0, G2 and G3 of the reference (section 1.1), up to 6.15. Another memcg's refill drains
// it, and so does a refill above the batch. A refill of any size goes into it, as there is no lock to find busy and
// no byte to overflow. Statistics are not batched in it.
#pragma once

#include "kernels/memcg/stock_slot.hpp"

namespace hitmark::memcg {
namespace {

template <typename Policy, typename Cpu>
HITMARK_INLINE bool consume_g0(Cpu cpu, Globals* globals, MemCgroup* memcg, unsigned nr_pages) {
  static_assert(!Policy::kBatched, "a single slot has no counts");
  if (unlikely(nr_pages > kChargeBatch)) return false;
  StockOf<Policy>& stock = this_cpu_stock<Policy>(cpu);
  bool consumed = false;
  if (memcg == cpu.read_once(stock.cached, 0)) {
    const unsigned have = cpu.read_once(stock.nr_pages, 0);
    if (have >= nr_pages) {
      const unsigned left = have - nr_pages;
      cpu.write_once(stock.nr_pages, 0, left);
      if (unlikely(!left)) slot_emptied<Policy>(cpu, globals, &stock, 0);
      consumed = true;
    }
  }
  return consumed;
}

template <typename Policy, typename Cpu>
HITMARK_INLINE void refill_g0(Cpu cpu, Globals* globals, MemCgroup* memcg, unsigned nr_pages) {
  StockOf<Policy>& stock = this_cpu_stock<Policy>(cpu);
  if (memcg != cpu.read_once(stock.cached, 0)) {
    drain_stock<Policy>(cpu, globals, &stock, 0);
    css_get(cpu, memcg->css);
    cpu.write_once(stock.cached, 0, memcg);
  }
  const unsigned nr_now = cpu.read_once(stock.nr_pages, 0) + nr_pages;
  cpu.write_once(stock.nr_pages, 0, nr_now);
  if (unlikely(nr_now > kChargeBatch)) slot_overflowed<Policy>(cpu, globals, &stock, 0);
}

}  // namespace
}  // namespace hitmark::memcg
