// Invariants and digest of a sock-charge variant, for quiescent points: no operation runs on any CPU.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "kernels/memcg/state.hpp"
#include "kernels/memory/arena_digest.hpp"
#include "kernels/memory/native_cpu.hpp"

namespace hitmark::memcg {
namespace {

constexpr NativeCpu kCpu;

struct Checker {
  Globals* globals;
  const Setup& setup = *globals->setup;
  std::vector<Slot> all_slots = slots(globals);
  std::string broken = {};

  bool require(bool holds, const std::string& who, const std::string& what, long left, long right) {
    if (!holds && broken.empty())
      broken = who + ": " + what + " (" + std::to_string(left) + ", " + std::to_string(right) + ")";
    return holds;
  }

  static bool bit_of(const unsigned char* at, unsigned bit) {
    unsigned long word;
    std::memcpy(&word, at, sizeof word);
    return (word >> bit) & 1;
  }

  void check_stock(unsigned cpu) {
    const std::string who = "cpu " + std::to_string(cpu);
    const auto* stock = static_cast<const unsigned char*>(setup.arena->percpu_address(cpu, kStaticPercpu));
    if (setup.stock.lock != StockLayout::kNone)
      require(stock[setup.stock.lock] == 0, who, "the stock is locked", stock[setup.stock.lock], 0);
    if (setup.stock.drain_idx != StockLayout::kNone) {
      const unsigned victim = stock[setup.stock.drain_idx];
      require(victim < setup.stock.slots, who, "drain_idx is no slot", victim, setup.stock.slots);
    }
    const bool claimed = bit_of(stock + setup.stock.flags, kFlushingCachedChargeBit);
    require(!claimed, who, "a drain is asked for and has not run (flags)", claimed, 0);
    const bool queued = bit_of(stock + setup.stock.work + offsetof(WorkStruct, data), kWorkPendingBit);
    require(!queued, who, "the drain's work is pending and has not run", queued, 0);
    for (const Slot& slot : all_slots) {
      if (slot.cpu != cpu) continue;
      const std::string at = who + ", slot " + std::to_string(slot.index);
      require(slot.nr_pages <= kChargeBatch, at, "more pages than a batch", slot.nr_pages, kChargeBatch);
      require(std::abs(slot.nr_sock) < static_cast<int>(kChargeBatch), at, "nr_sock beyond its bound of 63",
              slot.nr_sock, kChargeBatch - 1);
      require(slot.cached || (!slot.nr_pages && !slot.nr_sock), at, "pages or a count without a memcg", slot.nr_pages,
              slot.nr_sock);
      for (const Slot& other : all_slots)
        require(!slot.cached || other.cpu != cpu || other.index <= slot.index || other.cached != slot.cached, at,
                "the same memcg as in slot", other.index, 0);
    }
  }

  long children_sum(const MemCgroup* memcg, long (*of)(const MemCgroup*)) {
    long sum = 0;
    for (const MemCgroup* child : setup.memcgs)
      if (kCpu.read(child->css.parent) == &memcg->css) sum += of(child);
    return sum;
  }

  bool is_leaf(const MemCgroup* memcg) {
    return std::any_of(setup.leaves.begin(), setup.leaves.end(),
                       [&](const auto& group) { return std::find(group.begin(), group.end(), memcg) != group.end(); });
  }

  void check_pages(const MemCgroup* memcg, const std::string& who) {
    const long usage = kCpu.read_once(memcg->memory.usage);
    if (is_leaf(memcg)) {
      const long live = live_pages(globals, memcg), counted = sock_pages(globals, memcg);
      require(live >= 0, who, "stocks hold more pages than are charged", live, 0);
      require(live == counted, who, "pages charged and not stocked differ from applied plus batched statistics", live,
              counted);
    } else {
      const long below = children_sum(memcg, [](const MemCgroup* c) { return kCpu.read_once(c->memory.usage); });
      require(usage == below, who, "usage differs from the sum of the children's", usage, below);
      const long own = sock_pages(globals, memcg);
      require(own == 0, who, "an inner memcg has statistics of its own", own, 0);
    }
    const long stocked =
        std::count_if(all_slots.begin(), all_slots.end(), [&](const Slot& slot) { return slot.cached == memcg; });
    const long refs = references(globals, memcg);
    require(refs == stocked, who, "references differ from the slots that hold it", refs, stocked);
  }

  // Without a flusher: what a CPU keeps back is at most a batch of its releases, 32 pages.
  void check_kept(const MemCgroup* memcg, const std::string& who) {
    for (unsigned cpu = 0; cpu < setup.arena->cpu_count(); ++cpu) {
      const auto& statc =
          *static_cast<MemcgVmstatsPercpu*>(setup.arena->percpu_address(cpu, kCpu.read(memcg->vmstats_percpu)));
      const long kept = kCpu.read_once(statc.state[kSockItem]);
      require(std::abs(kept) <= 32, who, "a CPU keeps back more pages of its item than 32", kept, cpu);
    }
  }

  void check_statistics(const MemCgroup* memcg, const std::string& who) {
    if (setup.statistics.pending == StatisticsShape::Pending::kItems) return check_kept(memcg, who);
    const MemcgVmstats& stats = *kCpu.read(memcg->vmstats);
    long flushed = 0;
    for (unsigned cpu = 0; cpu < setup.arena->cpu_count(); ++cpu) {
      const auto& statc =
          *static_cast<MemcgVmstatsPercpu*>(setup.arena->percpu_address(cpu, kCpu.read(memcg->vmstats_percpu)));
      flushed += kCpu.read(statc.state_prev[kSockItem]);
    }
    const long local = kCpu.read_once(stats.state_local[kSockItem]);
    require(local == flushed, who, "state_local differs from what was flushed", local, flushed);
    const long total = kCpu.read_once(stats.state[kSockItem]) + kCpu.read(stats.state_pending[kSockItem]);
    const long below = local + children_sum(memcg, [](const MemCgroup* c) {
                         return kCpu.read_once(kCpu.read(c->vmstats)->state[kSockItem]);
                       });
    require(total == below, who, "state plus pending differs from its own and its children's", total, below);
  }

  // The CPU's list holds it, or (its part is not flushed yet) the CPU's tree.
  void check_listed(const MemCgroup* memcg, const std::string& who) {
    for (unsigned cpu = 0; cpu < setup.arena->cpu_count(); ++cpu) {
      const auto& statc =
          *static_cast<MemcgVmstatsPercpu*>(setup.arena->percpu_address(cpu, kCpu.read(memcg->vmstats_percpu)));
      const auto& rstatc =
          *static_cast<CssRstatCpu*>(setup.arena->percpu_address(cpu, kCpu.read(memcg->css.rstat_cpu)));
      long waiting = 0;
      for (std::size_t i = 0; i < kStateItems; ++i)
        waiting += kCpu.read_once(statc.state[i]) != kCpu.read(statc.state_prev[i]);
      for (std::size_t i = 0; i < kEventItems; ++i)
        waiting += kCpu.read_once(statc.events[i]) != kCpu.read(statc.events_prev[i]);
      const bool listed = kCpu.read_once(rstatc.lnode.next) != &rstatc.lnode || kCpu.read(rstatc.updated_next);
      require(!waiting || listed, who, "items wait for a flusher that does not know of them on cpu", waiting, cpu);
    }
  }
};

}  // namespace

std::string violated_invariant(Globals* globals) {
  Checker checker{globals};
  for (unsigned cpu = 0; cpu < checker.setup.arena->cpu_count(); ++cpu) checker.check_stock(cpu);
  for (std::size_t i = 0; i < checker.setup.memcgs.size(); ++i) {
    checker.check_pages(checker.setup.memcgs[i], checker.setup.names[i]);
    checker.check_statistics(checker.setup.memcgs[i], checker.setup.names[i]);
  }
  return checker.broken;
}

std::string unlisted_update(Globals* globals) {
  Checker checker{globals};
  if (checker.setup.statistics.rstat == StatisticsShape::Rstat::kNone) return "";
  for (std::size_t i = 0; i < checker.setup.memcgs.size(); ++i)
    checker.check_listed(checker.setup.memcgs[i], checker.setup.names[i]);
  return checker.broken;
}

std::uint64_t digest(Globals* globals) {
  const void* const ours[] = {&globals->setup};
  return arena_digest(*globals->setup->arena, ours);
}

}  // namespace hitmark::memcg
