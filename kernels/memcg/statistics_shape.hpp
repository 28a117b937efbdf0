// What a generation of the statistics keeps and where, for code that serves all of them (state.hpp). Ids V0 to V7
// and their rules: the reference, section 3.5.
#pragma once

namespace hitmark::memcg {

struct StatisticsShape {
  // How the flusher learns which memcgs a CPU has updated.
  enum class Rstat {
    kNone,      // V0: there is no flusher
    kCpuLock,   // up to 6.16: a tree per CPU under the CPU's lock, ancestors linked at once
    kLockless,  // from 6.17: a lockless list per CPU, which the flusher turns into the tree
  };
  // What says how much waits for a flush.
  enum class Pending {
    kItems,    // V0: a remainder per (memcg, CPU, item), the rest is in the shared items
    kUnknown,  // V1: nothing, so every reader flushes
    kGlobal,   // V3: one count for all memcgs
    kMemcg,    // V4 and later: a count per memcg
  };
  const char* update_rule;  // the trait
  Rstat rstat;
  Pending pending;
  bool parent_is_address;  // of a MemcgVmstatsPercpu, the parent's: its address on this CPU, not its per-CPU offset
};

constexpr const char* text_of(StatisticsShape::Rstat rstat) {
  if (rstat == StatisticsShape::Rstat::kNone) return "none";
  return rstat == StatisticsShape::Rstat::kCpuLock ? "tree under a CPU lock" : "lockless list";
}

}  // namespace hitmark::memcg
