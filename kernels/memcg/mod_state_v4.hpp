// Statistics V4, 6.8-rc (8d59d2214c23), and V4b, 6.8 to 6.15 (9cee7e8ef3e3): a count per memcg, to which a CPU adds
// when it has a batch and the memcg is not to be flushed anyway; the shared count is read at no other time. V4 walks
// the memcgs, three dependent loads a level; V4b walks the per-CPU parts, each of which has its parent's address and
// the shared part's. The reference, section 3.5. The counts are 6.18's, of 32 bits; these releases' have 64.
#pragma once

#include "kernels/memcg/rstat_updated.hpp"

namespace hitmark::memcg {
namespace {

template <StatisticsShape::Rstat kRstat>
struct StatisticsV4 {
  static constexpr StatisticsShape kShape = {.update_rule = "V4: per memcg, shared count read past a batch",
                                             .rstat = kRstat,
                                             .pending = StatisticsShape::Pending::kMemcg,
                                             .parent_is_address = false};

  template <typename Cpu>
  HITMARK_INLINE static void mod_memcg_state(Cpu cpu, Globals* globals, MemCgroup* memcg, std::size_t item, int val) {
    const PerCpu<MemcgVmstatsPercpu> vmstats_percpu(cpu.read(memcg->vmstats_percpu));
    cpu.this_cpu_add(vmstats_percpu.field(&MemcgVmstatsPercpu::state, item), val);
    if (unlikely(!val)) return;
    rstat_updated<kRstat>(cpu, memcg);
    const unsigned magnitude = val < 0 ? -static_cast<unsigned>(val) : static_cast<unsigned>(val);
    for (MemCgroup* at = memcg; at; at = parent_mem_cgroup(cpu, at)) {
      const auto own =
          PerCpu<MemcgVmstatsPercpu>(cpu.read(at->vmstats_percpu)).field(&MemcgVmstatsPercpu::stats_updates);
      const unsigned updates = cpu.this_cpu_add_return(own, magnitude);
      if (updates < kChargeBatch) continue;
      MemcgVmstats& vmstats = *cpu.read(at->vmstats);
      if (!memcg_vmstats_needs_flush(cpu, globals, vmstats))
        cpu.atomic_add(vmstats.stats_updates, static_cast<int>(updates));
      cpu.this_cpu_write(own, 0);
    }
  }
};

template <StatisticsShape::Rstat kRstat>
struct StatisticsV4b {
  static constexpr StatisticsShape kShape = {.update_rule = "V4b: as V4 through cached pointers",
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
      const unsigned updates = cpu.read_once(statc->stats_updates) + magnitude;
      cpu.write_once(statc->stats_updates, updates);
      if (updates < kChargeBatch) continue;
      MemcgVmstats& vmstats = *cpu.read(statc->vmstats);
      if (!memcg_vmstats_needs_flush(cpu, globals, vmstats))
        cpu.atomic_add(vmstats.stats_updates, static_cast<int>(updates));
      cpu.write_once(statc->stats_updates, 0);
    }
  }
};

}  // namespace
}  // namespace hitmark::memcg
