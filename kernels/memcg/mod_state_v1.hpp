// Statistics V1, 5.13 (2d146aa3aa842): an update is a private add and a link into the CPU's tree. Nobody counts what
// waits, so every reader flushes. The reference, section 3.5.
#pragma once

#include "kernels/memcg/rstat_updated.hpp"

namespace hitmark::memcg {
namespace {

struct StatisticsV1 {
  static constexpr StatisticsShape kShape = {.update_rule = "V1: not counted",
                                             .rstat = StatisticsShape::Rstat::kCpuLock,
                                             .pending = StatisticsShape::Pending::kUnknown,
                                             .parent_is_address = false};

  template <typename Cpu>
  HITMARK_INLINE static void mod_memcg_state(Cpu cpu, Globals*, MemCgroup* memcg, std::size_t item, int val) {
    const PerCpu<MemcgVmstatsPercpu> vmstats_percpu(cpu.read(memcg->vmstats_percpu));
    cpu.this_cpu_add(vmstats_percpu.field(&MemcgVmstatsPercpu::state, item), val);
    rstat_updated<kShape.rstat>(cpu, memcg);
  }
};

}  // namespace
}  // namespace hitmark::memcg
