// Statistics V3, 5.16 (11192d9c124d), and V3b, 5.17 (20211118065350.697046-1-shakeelb@google.com): one count for all
// memcgs, to which a CPU adds when it has a batch. V3 counts calls, V3b pages. The reference, section 3.5.
#pragma once

#include "kernels/memcg/rstat_updated.hpp"

namespace hitmark::memcg {
namespace {

inline constexpr PerCpuField<unsigned> kStatsUpdatesOfCpu(kSecondStaticPercpu);  // StatsUpdates::stats_updates

struct StatisticsV3 {
  static constexpr StatisticsShape kShape = {.update_rule = "V3: calls, in one global count",
                                             .rstat = StatisticsShape::Rstat::kCpuLock,
                                             .pending = StatisticsShape::Pending::kGlobal,
                                             .parent_is_address = false};

  template <typename Cpu>
  HITMARK_INLINE static void mod_memcg_state(Cpu cpu, Globals* globals, MemCgroup* memcg, std::size_t item, int val) {
    const PerCpu<MemcgVmstatsPercpu> vmstats_percpu(cpu.read(memcg->vmstats_percpu));
    cpu.this_cpu_add(vmstats_percpu.field(&MemcgVmstatsPercpu::state, item), val);
    rstat_updated<kShape.rstat>(cpu, memcg);
    if (cpu.this_cpu_add_return(kStatsUpdatesOfCpu, 1) % kChargeBatch == 0)
      cpu.atomic_add(globals->stats_flush_threshold, 1);
  }
};

struct StatisticsV3b {
  static constexpr StatisticsShape kShape = {.update_rule = "V3b: pages, in one global count",
                                             .rstat = StatisticsShape::Rstat::kCpuLock,
                                             .pending = StatisticsShape::Pending::kGlobal,
                                             .parent_is_address = false};

  template <typename Cpu>
  HITMARK_INLINE static void mod_memcg_state(Cpu cpu, Globals* globals, MemCgroup* memcg, std::size_t item, int val) {
    const PerCpu<MemcgVmstatsPercpu> vmstats_percpu(cpu.read(memcg->vmstats_percpu));
    cpu.this_cpu_add(vmstats_percpu.field(&MemcgVmstatsPercpu::state, item), val);
    if (unlikely(!val)) return;
    rstat_updated<kShape.rstat>(cpu, memcg);
    const unsigned magnitude = val < 0 ? -static_cast<unsigned>(val) : static_cast<unsigned>(val);
    const unsigned updates = cpu.this_cpu_add_return(kStatsUpdatesOfCpu, magnitude);
    if (updates <= kChargeBatch) return;
    cpu.atomic_add(globals->stats_flush_threshold, static_cast<int>(updates / kChargeBatch));
    cpu.this_cpu_write(kStatsUpdatesOfCpu, 0);
  }
};

}  // namespace
}  // namespace hitmark::memcg
