// A family member's objects: the memcgs in their hierarchy, their statistics and the stocks, put into an
// arena, and what can be read from them at a quiescent point. Serves every layout; compiled once, never part
// of an operation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/memcg/statistics_shape.hpp"
#include "kernels/memcg/stock_layouts.hpp"
#include "kernels/memory/arena.hpp"
#include "kernels/variant.hpp"
#include "kernels/workload.hpp"

namespace hitmark::memcg {

struct Setup {
  Arena* arena;
  Workload workload;
  StockLayout stock;
  StatisticsShape statistics;
  std::vector<MemCgroup*> memcgs;               // all, parents before children; the first is the root
  std::vector<std::string> names;               // "root", "g0.l1", "g0.m3"
  std::vector<std::vector<MemCgroup*>> leaves;  // by group, what the group's CPUs charge
};

// Root, then per group a chain of depth - 1 memcgs with `memcgs` leaves below its end. Requires a workload
// with depth, memcgs and groups >= 1, groups <= CPUs <= kMaxCpus, refill.high 64 and low <= 64.
// `random_victims`: every CPU gets a generator's word (victim_g4.hpp).
Globals* set_up(Arena& arena, const Workload& workload, const StockLayout& stock, const StatisticsShape& statistics,
                bool random_victims);
void tear_down(Globals* globals);

// `index` modulo the leaves of the CPU's group; of the even partner's group when the workload is split.
MemCgroup* object(Globals* globals, unsigned cpu, unsigned index);
// Saturated when every leaf's shared count exceeds the flush threshold, or the one of all memcgs does; none where
// nothing is counted.
Phase phase(Globals* globals);

// One slot of one CPU's stock.
struct Slot {
  unsigned cpu, index;
  MemCgroup* cached;
  unsigned nr_pages;
  int nr_sock;
};
std::vector<Slot> slots(Globals* globals);

// Pages that are charged to `memcg` itself according to its counter: usage less what stocks hold.
long live_pages(Globals* globals, const MemCgroup* memcg);
// The statistic of `memcg` itself according to all CPUs: applied plus batched.
long sock_pages(Globals* globals, const MemCgroup* memcg);
// Pages that CPUs keep back of the item of `memcg` and below (V0), and so 0 with a flusher.
long kept_pages(Globals* globals, const MemCgroup* memcg);
// References that stocks hold on `memcg` according to its count.
long references(Globals* globals, const MemCgroup* memcg);
// Charges refused at the limit, counted on `cpu` by "pair" and "charge".
unsigned long failed_charges(Globals* globals, unsigned cpu);

// The invariants of the reference's section 9 and of the flusher; empty when all hold. Every CPU must have run
// "work" after the last drain was asked for. state_check.cpp.
std::string violated_invariant(Globals* globals);
// Empty when the flusher knows of every statistic that it has not taken over. Apart, because it need not hold where
// operations overlap: an update that is still in its CPU's store buffer when a flush passes waits, as in the kernel,
// for that CPU's next one. state_check.cpp.
std::string unlisted_update(Globals* globals);
// Of every byte of every object, pointers as (object, offset). state_check.cpp.
std::uint64_t digest(Globals* globals);

}  // namespace hitmark::memcg
