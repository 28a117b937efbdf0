// Statistics V0, up to 5.12: every CPU keeps what it has not passed on yet, per memcg and item; above a batch the
// memcg's item and every ancestor's are updated at once. Nothing is flushed: the items are right but for at most a
// batch per CPU. The reference, section 3.5. Left out: the second per-CPU array, of memory.stat's local values.
#pragma once

#include "kernels/memcg/mem_cgroup.hpp"
#include "kernels/memcg/statistics_shape.hpp"

namespace hitmark::memcg {
namespace {

struct StatisticsV0 {
  static constexpr StatisticsShape kShape = {.update_rule = "V0: past a batch into the item of every ancestor",
                                             .rstat = StatisticsShape::Rstat::kNone,
                                             .pending = StatisticsShape::Pending::kItems,
                                             .parent_is_address = false};
  static constexpr long kBatch = 32;  // MEMCG_CHARGE_BATCH of these releases

  template <typename Cpu>
  HITMARK_INLINE static void mod_memcg_state(Cpu cpu, Globals*, MemCgroup* memcg, std::size_t item, int val) {
    const auto kept =
        PerCpu<MemcgVmstatsPercpu>(cpu.read(memcg->vmstats_percpu)).field(&MemcgVmstatsPercpu::state, item);
    long x = val + cpu.this_cpu_read(kept);
    if (unlikely((x < 0 ? -x : x) > kBatch)) {
      for (MemCgroup* at = memcg; at; at = parent_mem_cgroup(cpu, at))
        cpu.atomic_add(cpu.read(at->vmstats)->state[item], x);
      x = 0;
    }
    cpu.this_cpu_write(kept, x);
  }
};

}  // namespace
}  // namespace hitmark::memcg
