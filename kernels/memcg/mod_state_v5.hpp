// Statistics V5 (20250410025752.92159-1-shakeel.butt@linux.dev) and V5b, both 6.16: the shared count of a memcg is read
// on every update, and the walk ends at the first that is to be flushed. V5 counts by load and store at the
// addresses that V4b has cached; V5b, to 7.0, by one instruction each, and its per-CPU parts have their parents'
// offsets. The reference, sections 3.2 and 3.5.
#pragma once

#include "kernels/memcg/rstat_updated.hpp"

namespace hitmark::memcg {
namespace {

template <StatisticsShape::Rstat kRstat>
struct StatisticsV5 {
  static constexpr StatisticsShape kShape = {.update_rule = "V5: shared count read on every update",
                                             .rstat = kRstat,
                                             .pending = StatisticsShape::Pending::kMemcg,
                                             .parent_is_address = true};

  template <typename Cpu>
  HITMARK_INLINE static void mod_memcg_state(Cpu cpu, Globals* globals, MemCgroup* memcg, std::size_t item, int val) {
    const PerCpu<MemcgVmstatsPercpu> vmstats_percpu(cpu.read(memcg->vmstats_percpu));
    cpu.this_cpu_add(vmstats_percpu.field(&MemcgVmstatsPercpu::state, item), val);
    if (unlikely(!val)) return;
    rstat_updated<kRstat>(cpu, memcg);
    auto* statc = &cpu.this_cpu_ptr(PerCpu<MemcgVmstatsPercpu>(cpu.read(memcg->vmstats_percpu)));
    const unsigned magnitude = val < 0 ? -static_cast<unsigned>(val) : static_cast<unsigned>(val);
    for (; statc; statc = reinterpret_cast<MemcgVmstatsPercpu*>(cpu.read(statc->parent_pcpu))) {
      MemcgVmstats& vmstats = *cpu.read(statc->vmstats);
      // Once this level is to be flushed its ancestors are, too.
      if (memcg_vmstats_needs_flush(cpu, globals, vmstats)) return;
      const unsigned updates = cpu.read_once(statc->stats_updates) + magnitude;
      cpu.write_once(statc->stats_updates, updates);
      if (updates < kChargeBatch) continue;
      cpu.atomic_add(vmstats.stats_updates, static_cast<int>(updates));
      cpu.write_once(statc->stats_updates, 0);
    }
  }
};

template <typename Cpu>
HITMARK_INLINE void memcg_rstat_updated(Cpu cpu, Globals* globals, MemCgroup* memcg, int val) {
  if (unlikely(!val)) return;
  css_rstat_updated(cpu, &memcg->css);

  const unsigned magnitude = val < 0 ? -static_cast<unsigned>(val) : static_cast<unsigned>(val);
  for (PerCpu<MemcgVmstatsPercpu> at(cpu.read(memcg->vmstats_percpu)); at;) {
    MemcgVmstatsPercpu& statc = cpu.this_cpu_ptr(at);
    MemcgVmstats& vmstats = *cpu.read(statc.vmstats);
    // Once this level is to be flushed its ancestors are, too.
    if (memcg_vmstats_needs_flush(cpu, globals, vmstats)) return;

    const auto stats_updates = at.field(&MemcgVmstatsPercpu::stats_updates);
    if (cpu.this_cpu_add_return(stats_updates, magnitude) >= kChargeBatch)
      cpu.atomic_add(vmstats.stats_updates, static_cast<int>(cpu.this_cpu_xchg(stats_updates, 0)));
    at = PerCpu<MemcgVmstatsPercpu>(cpu.read(statc.parent_pcpu));
  }
}

struct StatisticsV5b {
  static constexpr StatisticsShape kShape = {.update_rule = "V5b: as V5, counted by one instruction",
                                             .rstat = StatisticsShape::Rstat::kLockless,
                                             .pending = StatisticsShape::Pending::kMemcg,
                                             .parent_is_address = false};

  template <typename Cpu>
  HITMARK_INLINE static void mod_memcg_state(Cpu cpu, Globals* globals, MemCgroup* memcg, std::size_t item, int val) {
    const PerCpu<MemcgVmstatsPercpu> vmstats_percpu(cpu.read(memcg->vmstats_percpu));
    cpu.this_cpu_add(vmstats_percpu.field(&MemcgVmstatsPercpu::state, item), val);
    memcg_rstat_updated(cpu, globals, memcg, val);
  }
};

}  // namespace
}  // namespace hitmark::memcg
