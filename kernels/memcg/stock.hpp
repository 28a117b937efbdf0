// The per-CPU charge cache at work: consume and refill with insertion and eviction, of several slots.
// mm/memcontrol.c, Linux 6.16 to 6.18 (G4 and G5 of the reference, sections 1.2 to 1.4), and the batched count of the
// patch (S1, section 1.7) where the variant has it. A Policy (policy.hpp) says what a variant has. One slot alone is
// stock_g0.hpp's.
//
// Order on a refill that overflows: count, then nr_sock, then the overflow rule; so a full drain applies the
// slot's count once (README.md derives it from the reference's event rates).
#pragma once

#include "kernels/memcg/stock_g0.hpp"
#include "kernels/memcg/victim_g4.hpp"

namespace hitmark::memcg {
namespace {

// Adds `nr_sock` (negative on uncharge) to the slot's count. Returns what has to be applied after the unlock,
// mostly 0. Charging tests only the top, uncharging only the bottom.
template <typename Policy, typename Cpu>
HITMARK_INLINE int add_nr_sock(Cpu cpu, StockOf<Policy>& stock, std::size_t i, int nr_sock, bool charging) {
  using Count = typename Policy::Count;  // int, as the patch has it, or s8
  constexpr Count kBatch = static_cast<Count>(kChargeBatch);
  const Count count =
      static_cast<Count>(static_cast<Count>(cpu.read_once(stock.nr_sock, i)) + static_cast<Count>(nr_sock));
  if (likely(charging ? count < kBatch : count > -kBatch)) {
    cpu.write_once(stock.nr_sock, i, static_cast<std::int8_t>(count));
    return 0;
  }
  cpu.write_once(stock.nr_sock, i, 0);
  return count;
}

// Takes `nr_pages` out of the memcg's slot. `nr_sock` pages are counted on success when `with_sock`, which is
// a constant wherever this is inlined into a caller of one kind.
template <typename Policy, typename Cpu>
HITMARK_INLINE bool consume_slots(Cpu cpu, Globals* globals, MemCgroup* memcg, unsigned nr_pages, unsigned nr_sock,
                                  bool with_sock) {
  if (unlikely(nr_pages > kChargeBatch)) return false;
  StockOf<Policy>& stock = this_cpu_stock<Policy>(cpu);
  if (unlikely(!local_trylock(cpu, stock.lock))) return false;

  bool consumed = false;
  int to_apply = 0;
  for (std::size_t i = 0; i < kSlots<StockOf<Policy>>; ++i) {
    if (memcg != cpu.read_once(stock.cached, i)) continue;
    const unsigned have = cpu.read_once(stock.nr_pages, i);
    if (have >= nr_pages) {
      const unsigned left = have - nr_pages;
      cpu.write_once(stock.nr_pages, i, static_cast<std::uint8_t>(left));
      if constexpr (Policy::kBatched)
        if (with_sock) to_apply = add_nr_sock<Policy>(cpu, stock, i, static_cast<int>(nr_sock), true);
      if (unlikely(!left)) slot_emptied<Policy>(cpu, globals, &stock, i);
      consumed = true;
    }
    break;
  }
  local_unlock(cpu, stock.lock);
  if constexpr (Policy::kBatched)
    if (unlikely(to_apply)) mod_memcg_state<Policy>(cpu, globals, memcg, kSockItem, to_apply);
  return consumed;
}

// Whose slot is taken when none is free.
template <typename Policy, typename Cpu>
HITMARK_INLINE std::size_t next_victim(Cpu cpu, StockOf<Policy>& stock) {
  if constexpr (Policy::kVictim == Victim::kRandom) {
    static_cast<void>(stock);
    return random_slot(cpu, kSlots<StockOf<Policy>>);
  } else {
    const std::size_t i = cpu.read(stock.drain_idx);
    cpu.write(stock.drain_idx, static_cast<std::uint8_t>(i + 1 < kSlots<StockOf<Policy>> ? i + 1 : 0));
    return i;
  }
}

// No slot holds the memcg: takes an empty one (`empty` >= 0) or the next victim's. The stock is locked.
template <typename Policy, typename Cpu>
HITMARK_INLINE void insert_slot(Cpu cpu, Globals* globals, StockOf<Policy>& stock, int empty, MemCgroup* memcg,
                                unsigned nr_pages) {
  std::size_t i = static_cast<std::size_t>(empty);
  if (empty < 0) {
    i = next_victim<Policy>(cpu, stock);
    drain_stock<Policy>(cpu, globals, &stock, i);
  }
  css_get(cpu, memcg->css);
  cpu.write_once(stock.cached, i, memcg);
  cpu.write_once(stock.nr_pages, i, static_cast<std::uint8_t>(nr_pages));
}

// Puts `nr_pages` into the memcg's slot and, when `with_sock`, takes `nr_sock` off its count.
template <typename Policy, typename Cpu>
HITMARK_INLINE void refill_slots(Cpu cpu, Globals* globals, MemCgroup* memcg, unsigned nr_pages, unsigned nr_sock,
                                 bool with_sock) {
  int to_apply = -static_cast<int>(nr_sock);  // what does not go into the count of a slot
  StockOf<Policy>* stock = nullptr;
  if (unlikely(nr_pages > kChargeBatch) ||
      unlikely(!local_trylock(cpu, (stock = &this_cpu_stock<Policy>(cpu))->lock))) {
    memcg_uncharge(cpu, memcg, nr_pages);
    if constexpr (Policy::kBatched)
      if (with_sock) mod_memcg_state<Policy>(cpu, globals, memcg, kSockItem, to_apply);
    return;
  }

  int empty = -1;
  std::size_t i = 0;
  for (; i < kSlots<StockOf<Policy>>; ++i) {
    MemCgroup* cached = cpu.read_once(stock->cached, i);
    if (!cached && empty < 0) empty = static_cast<int>(i);
    if (memcg == cached) break;
  }
  if (likely(i < kSlots<StockOf<Policy>>)) {
    const unsigned nr_now = cpu.read_once(stock->nr_pages, i) + nr_pages;
    cpu.write_once(stock->nr_pages, i, static_cast<std::uint8_t>(nr_now));
    if constexpr (Policy::kBatched)
      if (with_sock) to_apply = add_nr_sock<Policy>(cpu, *stock, i, -static_cast<int>(nr_sock), false);
    if (unlikely(nr_now > kChargeBatch)) slot_overflowed<Policy>(cpu, globals, stock, i);
  } else {
    insert_slot<Policy>(cpu, globals, *stock, empty, memcg, nr_pages);
  }
  local_unlock(cpu, stock->lock);
  if constexpr (Policy::kBatched)
    if (with_sock && unlikely(to_apply)) mod_memcg_state<Policy>(cpu, globals, memcg, kSockItem, to_apply);
}

template <typename Policy, typename Cpu>
HITMARK_BODY bool consume(Cpu cpu, Globals* globals, MemCgroup* memcg, unsigned nr_pages, unsigned nr_sock,
                          bool with_sock) {
  if constexpr (kSingleSlot<Policy>)
    return consume_g0<Policy>(cpu, globals, memcg, nr_pages);
  else
    return consume_slots<Policy>(cpu, globals, memcg, nr_pages, nr_sock, with_sock);
}

template <typename Policy, typename Cpu>
HITMARK_BODY void refill(Cpu cpu, Globals* globals, MemCgroup* memcg, unsigned nr_pages, unsigned nr_sock,
                         bool with_sock) {
  if constexpr (kSingleSlot<Policy>)
    refill_g0<Policy>(cpu, globals, memcg, nr_pages);
  else
    refill_slots<Policy>(cpu, globals, memcg, nr_pages, nr_sock, with_sock);
}

}  // namespace
}  // namespace hitmark::memcg
