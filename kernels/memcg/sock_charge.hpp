// Charging pages of socket memory to a memcg: try_charge_memcg(), mem_cgroup_sk_charge() and -uncharge(),
// and drain_all_stock() with its work item (mm/memcontrol.c, Linux 6.18, cgroup v2; the reference, sections
// 1.6, 1.7 and 2.1). Preemption is not modelled: one pinned thread plays one CPU.
#pragma once

#include "kernels/memcg/rstat_flush.hpp"
#include "kernels/memcg/stock.hpp"

namespace hitmark::memcg {
namespace {

// One function each for all callers that do not have the body inlined. Per call, only try_charge consumes, and
// the compiler inlines a static function with one caller: so it is written out there (try_charge below).
template <typename Policy, typename Cpu>
HITMARK_OUT_OF_LINE bool consume_stock(Cpu cpu, Globals* globals, MemCgroup* memcg, unsigned nr_pages,
                                       unsigned nr_sock) {
  return consume<Policy>(cpu, globals, memcg, nr_pages, nr_sock, nr_sock != 0);
}
template <typename Policy, typename Cpu>
HITMARK_OUT_OF_LINE void refill_stock(Cpu cpu, Globals* globals, MemCgroup* memcg, unsigned nr_pages,
                                      unsigned nr_sock) {
  refill<Policy>(cpu, globals, memcg, nr_pages, nr_sock, nr_sock != 0);
}
template <typename Policy, typename Cpu>
HITMARK_OUT_OF_LINE void refill_pages(Cpu cpu, Globals* globals, MemCgroup* memcg, unsigned nr_pages) {
  refill<Policy>(cpu, globals, memcg, nr_pages, 0, false);
}

template <typename Policy>
inline constexpr bool kInlined = Policy::kInlining == Inlining::kInlined;
template <typename Policy>
inline constexpr bool kSharedBodies = Policy::kBatched && !kInlined<Policy>;

// Drains every slot of this CPU's stock, whoever asked and for whichever memcg.
template <typename Policy, typename Cpu>
HITMARK_NOIPA void drain_local_stock(Cpu cpu, Globals* globals, StockOf<Policy>* stock) {
  if constexpr (HasTrylock<StockOf<Policy>>) cpu.write(stock->lock, 1);
  for (std::size_t i = 0; i < kSlots<StockOf<Policy>>; ++i) drain_stock<Policy>(cpu, globals, stock, i);
  cpu.clear_bit(stock->flags, kFlushingCachedChargeBit);
  if constexpr (HasTrylock<StockOf<Policy>>) local_unlock(cpu, stock->lock);
}

// Event "work": the owner looks into its mailbox and drains when asked to.
template <typename Policy, typename Cpu>
HITMARK_NOIPA void work(Cpu cpu, Globals* globals) {
  StockOf<Policy>& stock = this_cpu_stock<Policy>(cpu);
  if (likely(!(cpu.load_acquire(stock.work.data) & (1UL << kWorkPendingBit)))) return;
  cpu.clear_bit(stock.work.data, kWorkPendingBit);
  cpu.write(stock.work.entry.next, nullptr);
  cpu.write(stock.work.entry.prev, nullptr);
  drain_local_stock<Policy>(cpu, globals, &stock);
}

template <typename Cpu>
HITMARK_INLINE bool mem_cgroup_is_descendant(Cpu cpu, MemCgroup* memcg, MemCgroup* root) {
  CgroupSubsysState* css = &memcg->css;
  while (css && css != &root->css) css = cpu.read(css->parent);
  return css != nullptr;
}

// Whether another CPU's stock holds anything below `root`: a remote read of its line 0.
template <typename Policy, typename Cpu>
HITMARK_INLINE bool is_drain_needed(Cpu cpu, StockOf<Policy>& stock, MemCgroup* root) {
  for (std::size_t i = 0; i < kSlots<StockOf<Policy>>; ++i) {
    MemCgroup* memcg = cpu.read_once(stock.cached, i);
    if (!memcg) continue;
    bool holds = cpu.read_once(stock.nr_pages, i) != 0;
    if constexpr (Policy::kBatched) holds = holds || cpu.read_once(stock.nr_sock, i) != 0;
    if (holds && mem_cgroup_is_descendant(cpu, memcg, root)) return true;
  }
  return false;
}

// Asks every CPU whose stock holds pages of `root` or below to drain; gives up when somebody else is at it.
// The flags bit makes this the only writer of the work item until its owner has run it.
template <typename Policy, typename Cpu>
HITMARK_NOIPA void drain_all_stock(Cpu cpu, Globals* globals, MemCgroup* root) {
  unsigned free = 0;
  if (!cpu.try_cmpxchg(globals->percpu_charge_mutex, free, 1)) return;
  const std::uintptr_t here = cpu.this_cpu_off();
  const unsigned cpus = cpu.read(globals->nr_cpu_ids);
  for (std::size_t c = 0; c < cpus; ++c) {
    const std::uintptr_t base = cpu.read(globals->per_cpu_offset, c);
    auto& stock = *reinterpret_cast<StockOf<Policy>*>(base + kStaticPercpu);
    if (cpu.read_once(stock.flags) & (1UL << kFlushingCachedChargeBit)) continue;
    if (!is_drain_needed<Policy>(cpu, stock, root)) continue;
    if (cpu.test_and_set_bit(stock.flags, kFlushingCachedChargeBit)) continue;
    if (base == here) {
      drain_local_stock<Policy>(cpu, globals, &stock);
      continue;
    }
    cpu.write(stock.work.entry.next, globals);  // schedule_work_on(): on a list, then pending
    cpu.write(stock.work.entry.prev, globals);
    cpu.test_and_set_bit(stock.work.data, kWorkPendingBit);
  }
  cpu.store_release(globals->percpu_charge_mutex, 0);
}

// Event "drain".
template <typename Policy, typename Cpu>
HITMARK_NOIPA void drain(Cpu cpu, Globals* globals) {
  drain_all_stock<Policy>(cpu, globals, cpu.read(globals->root_mem_cgroup));
}

// After every batch that was charged, up to and including the root.
template <typename Cpu>
HITMARK_INLINE void check_high(Cpu cpu, MemCgroup* memcg) {
  for (CgroupSubsysState* css = &memcg->css; css; css = cpu.read(css->parent)) {
    MemCgroup* at = mem_cgroup_from_css(css);
    // One access a statement: the order of two in one expression is the compiler's.
    const auto memory = static_cast<unsigned long>(cpu.read_once(at->memory.usage));
    const bool mem_high = memory > cpu.read_once(at->memory.high);
    const auto swap = static_cast<unsigned long>(cpu.read_once(at->swap.usage));
    const bool swap_high = swap > cpu.read_once(at->swap.high);
    if (likely(!mem_high) && likely(!swap_high)) continue;
    cpu.test_and_set_bit(at->high_work.data, kWorkPendingBit);  // schedule_work(): nothing to reclaim here
    return;
  }
}

// Nothing can be reclaimed here, so a charge over the limit tries the exact size, then a drain, then fails.
template <typename Policy, typename Cpu>
HITMARK_OUT_OF_LINE bool try_charge(Cpu cpu, Globals* globals, MemCgroup* memcg, unsigned nr_pages) {
  unsigned batch = nr_pages > kChargeBatch ? nr_pages : kChargeBatch;
  for (bool drained = false;;) {
    bool consumed;
    if constexpr (kSharedBodies<Policy>)
      consumed = consume_stock<Policy>(cpu, globals, memcg, nr_pages, 0);
    else
      consumed = consume<Policy>(cpu, globals, memcg, nr_pages, 0, false);
    if (consumed) return true;

    PageCounter* over_limit = page_counter_try_charge(cpu, &memcg->memory, batch);
    if (likely(!over_limit)) break;
    if (batch > nr_pages) {
      batch = nr_pages;
      continue;
    }
    if (drained) return false;
    drain_all_stock<Policy>(cpu, globals, mem_cgroup_from_memory(over_limit));
    drained = true;
  }
  if (batch > nr_pages) {
    if constexpr (kSharedBodies<Policy>)
      refill_stock<Policy>(cpu, globals, memcg, batch - nr_pages, 0);
    else
      refill_pages<Policy>(cpu, globals, memcg, batch - nr_pages);
  }
  check_high(cpu, memcg);
  return true;
}

// mem_cgroup_sk_charge(). False: the limit refused it and nothing is charged.
template <typename Policy, typename Cpu>
HITMARK_NOIPA bool charge(Cpu cpu, Globals* globals, MemCgroup* memcg, unsigned nr_pages) {
  if constexpr (!Policy::kBatched) {
    if constexpr (kInlined<Policy>) {
      if (!consume<Policy>(cpu, globals, memcg, nr_pages, 0, false) &&
          unlikely(!try_charge<Policy>(cpu, globals, memcg, nr_pages)))
        return false;
    } else {
      if (unlikely(!try_charge<Policy>(cpu, globals, memcg, nr_pages))) return false;
    }
    mod_memcg_state<Policy>(cpu, globals, memcg, kSockItem, static_cast<int>(nr_pages));
    return true;
  } else {
    bool consumed;
    if constexpr (kSharedBodies<Policy>)
      consumed = consume_stock<Policy>(cpu, globals, memcg, nr_pages, nr_pages);
    else
      consumed = consume<Policy>(cpu, globals, memcg, nr_pages, nr_pages, true);
    if (likely(consumed)) return true;
    if (unlikely(!try_charge<Policy>(cpu, globals, memcg, nr_pages))) return false;
    mod_memcg_state<Policy>(cpu, globals, memcg, kSockItem, static_cast<int>(nr_pages));
    return true;
  }
}

// mem_cgroup_sk_uncharge().
template <typename Policy, typename Cpu>
HITMARK_NOIPA void uncharge(Cpu cpu, Globals* globals, MemCgroup* memcg, unsigned nr_pages) {
  if constexpr (Policy::kBatched) {
    if constexpr (kSharedBodies<Policy>)
      refill_stock<Policy>(cpu, globals, memcg, nr_pages, nr_pages);
    else
      refill<Policy>(cpu, globals, memcg, nr_pages, nr_pages, true);
  } else {
    mod_memcg_state<Policy>(cpu, globals, memcg, kSockItem, -static_cast<int>(nr_pages));
    if constexpr (kInlined<Policy>)
      refill<Policy>(cpu, globals, memcg, nr_pages, 0, false);
    else
      refill_pages<Policy>(cpu, globals, memcg, nr_pages);
  }
}

}  // namespace
}  // namespace hitmark::memcg
