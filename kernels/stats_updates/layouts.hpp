// The structs of the family stats-updates: one memcg's statistics, cut down to one item and to the count of updates
// that wait for a flush. Modelled on memcg_vmstats_percpu and memcg_vmstats (reference, section 3.1).
#pragma once

#include <cstdint>

#include "kernels/memory/cell.hpp"

namespace hitmark::stats_updates {

// Per CPU. The first line is what an update reads and writes; the second is the flusher's.
struct alignas(64) StatsCpu {
  Cell<unsigned> stats_updates;  // of this CPU, not yet in the shared count
  Cell<unsigned> flushable;      // pushed-flag: 1 when a flush would be worth it
  Cell<long> state;
  alignas(64) Cell<long> state_prev;  // what the flusher has taken over
};

// Shared. As in 6.18 the count is beside the flusher's data and away from what an update only reads.
struct alignas(64) Stats {
  Cell<std::uintptr_t> percpu;  // of a StatsCpu
  alignas(64) Cell<long> state;
  Cell<long> state_pending;
  Cell<long> stats_updates;
  alignas(64) Cell<unsigned> lock;
};
// The count on the line of what every update reads.
struct alignas(64) StatsBesideReadMostly {
  Cell<std::uintptr_t> percpu;
  Cell<long> stats_updates;
  alignas(64) Cell<long> state;
  Cell<long> state_pending;
  alignas(64) Cell<unsigned> lock;
};
// The count on a line of its own.
struct alignas(64) StatsOwnLine {
  Cell<std::uintptr_t> percpu;
  alignas(64) Cell<long> state;
  Cell<long> state_pending;
  alignas(64) Cell<long> stats_updates;
  alignas(64) Cell<unsigned> lock;
};

// A count for each group of CPUs.
struct alignas(64) GroupUpdates {
  Cell<long> stats_updates;
};
struct GroupPointer {
  Cell<GroupUpdates*> mine;
};
struct alignas(64) StatsByGroup {
  Cell<std::uintptr_t> percpu;
  Cell<std::uintptr_t> group;  // of a GroupPointer
  Cell<GroupUpdates*> groups;
  Cell<unsigned> nr_groups;
  Cell<long> share;  // of the threshold, for each group
  alignas(64) Cell<long> state;
  Cell<long> state_pending;
  alignas(64) Cell<unsigned> lock;
};

}  // namespace hitmark::stats_updates
