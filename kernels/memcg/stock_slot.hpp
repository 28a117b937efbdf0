// One slot of the per-CPU charge cache: its lock, its drain, and what happens when it is emptied or overflows. The
// same in every generation (mm/memcontrol.c; the reference, sections 1.2 to 1.6). Releases up to 6.14 have no lock
// byte: they disable interrupts, which no program may, so nothing stands for it (README.md).
#pragma once

#include "kernels/memcg/mod_state.hpp"
#include "kernels/memcg/policy.hpp"
#include "kernels/memcg/stock_layouts.hpp"
#include "kernels/memory/arena.hpp"

namespace hitmark::memcg {
namespace {

template <typename Policy>
using StockOf = typename Policy::Stock;

// u8 since there are several slots, unsigned before.
template <typename Policy>
using PageCountOf = std::conditional_t<HasTrylock<StockOf<Policy>>, std::uint8_t, unsigned>;

template <typename Policy, typename Cpu>
HITMARK_INLINE StockOf<Policy>& this_cpu_stock(Cpu cpu) {
  return cpu.this_cpu_ptr(PerCpu<StockOf<Policy>>(kStaticPercpu));
}

template <typename Policy>
inline constexpr bool kSingleSlot = kSlots<StockOf<Policy>> == 1;

// local_trylock: taken means that the section interrupted on this CPU holds it. No LOCK: one owner.
template <typename Cpu>
HITMARK_INLINE bool local_trylock(Cpu cpu, Cell<std::uint8_t>& lock) {
  if (unlikely(cpu.read(lock))) return false;
  cpu.write(lock, 1);
  return true;
}

template <typename Cpu>
HITMARK_INLINE void local_unlock(Cpu cpu, Cell<std::uint8_t>& lock) {
  cpu.write(lock, 0);
}

template <typename Cpu>
HITMARK_INLINE void memcg_uncharge(Cpu cpu, MemCgroup* memcg, unsigned nr_pages) {
  page_counter_uncharge(cpu, &memcg->memory, nr_pages);
}

// Returns the slot's pages and its count to the hierarchy and releases the slot. The stock is locked.
template <typename Policy, typename Cpu>
HITMARK_NOIPA void drain_stock(Cpu cpu, Globals* globals, StockOf<Policy>* stock, std::size_t i) {
  MemCgroup* old = cpu.read_once(stock->cached, i);
  if (!old) return;
  if (const unsigned nr_pages = cpu.read_once(stock->nr_pages, i)) {
    memcg_uncharge(cpu, old, nr_pages);
    cpu.write_once(stock->nr_pages, i, 0);
  }
  if constexpr (Policy::kBatched) {
    if (const int nr_sock = cpu.read_once(stock->nr_sock, i)) {
      mod_memcg_state<Policy>(cpu, globals, old, kSockItem, nr_sock);
      cpu.write_once(stock->nr_sock, i, 0);
    }
  }
  cpu.write_once(stock->cached, i, nullptr);
  css_put(cpu, old->css);
}

// A consume took the last page. The full-drain rule keeps the slot (G5); the watermark rule releases it (G6),
// with batching only when no count is left in it.
template <typename Policy, typename Cpu>
HITMARK_NOIPA void slot_emptied(Cpu cpu, Globals* globals, StockOf<Policy>* stock, std::size_t i) {
  if (!cpu.read(globals->keep_low)) return;
  if constexpr (Policy::kBatched)
    if (cpu.read_once(stock->nr_sock, i)) return;
  MemCgroup* old = cpu.read_once(stock->cached, i);
  cpu.write_once(stock->cached, i, nullptr);
  css_put(cpu, old->css);
}

// A refill left more than a batch in the slot.
template <typename Policy, typename Cpu>
HITMARK_NOIPA void slot_overflowed(Cpu cpu, Globals* globals, StockOf<Policy>* stock, std::size_t i) {
  if (!cpu.read(globals->keep_low)) return drain_stock<Policy>(cpu, globals, stock, i);
  const unsigned nr_pages = cpu.read_once(stock->nr_pages, i);
  const unsigned low = cpu.read(globals->low);
  memcg_uncharge(cpu, cpu.read_once(stock->cached, i), nr_pages - low);
  cpu.write_once(stock->nr_pages, i, static_cast<PageCountOf<Policy>>(low));
}

}  // namespace
}  // namespace hitmark::memcg
