// The policies that count in one shared word, for any struct that has it as `stats_updates`.
#pragma once

#include "kernels/stats_updates/stats_variant.hpp"

namespace hitmark::stats_updates {
namespace {

template <typename S>
struct SharedCount {
  using Stats = S;
  static void set_up(FamilySetup&, S&, const std::string&) {}

  template <typename Cpu>
  HITMARK_INLINE static bool needs_flush(Cpu cpu, FamilyState* state, S& stats) {
    const auto updates = static_cast<unsigned long>(cpu.read_once(stats.stats_updates));
    return updates > cpu.read_once(state->threshold);
  }
  template <typename Cpu>
  HITMARK_INLINE static void restart(Cpu cpu, FamilyState*, S& stats) {
    if (cpu.read_once(stats.stats_updates)) cpu.write_once(stats.stats_updates, 0);
  }
};

// Adds to this CPU's count. Not 0 when that makes a batch, which is then taken out.
template <typename Cpu>
HITMARK_INLINE long full_batch(Cpu cpu, FamilyState* state, PerCpu<StatsCpu> statc, unsigned magnitude) {
  const auto own = statc.field(&StatsCpu::stats_updates);
  const auto batch = static_cast<unsigned>(cpu.read(state->batch));
  if (cpu.this_cpu_add_return(own, magnitude) < batch) return 0;
  return cpu.this_cpu_xchg(own, 0);
}

// Since 6.16: the shared count is read on every update; once a flush is worth it, nothing is counted any more.
template <typename S>
struct CheckThenAddTo : SharedCount<S> {
  template <typename Cpu>
  HITMARK_INLINE static void count(Cpu cpu, FamilyState* state, S& stats, PerCpu<StatsCpu> statc, unsigned magnitude) {
    if (SharedCount<S>::needs_flush(cpu, state, stats)) return;
    if (const long updates = full_batch(cpu, state, statc, magnitude)) cpu.atomic_add(stats.stats_updates, updates);
  }
};

}  // namespace
}  // namespace hitmark::stats_updates
