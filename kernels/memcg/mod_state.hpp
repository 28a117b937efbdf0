// The update of one statistic: mod_memcg_state() of mm/memcontrol.c and css_rstat_updated() of
// kernel/cgroup/rstat.c, form V5b (Linux 6.16 to 7.0). Steps: the reference, sections 3.2 and 3.3.
#pragma once

#include "kernels/memcg/mem_cgroup.hpp"

namespace hitmark::memcg {
namespace {

// Puts this CPU's part of `css` on the CPU's list for the flusher, unless it is there: one read, mostly.
template <typename Cpu>
HITMARK_NOIPA void css_rstat_updated(Cpu cpu, CgroupSubsysState* css) {
  const bool is_self = static_cast<void*>(css) == cpu.read(css->cgroup);
  CgroupSubsys* ss = cpu.read(css->ss);
  if (!is_self && unlikely(!cpu.read(ss->css_rstat_flush))) return;

  LlistNode& lnode = cpu.this_cpu_ptr(PerCpu<CssRstatCpu>(cpu.read(css->rstat_cpu))).lnode;
  if (likely(cpu.read_once(lnode.next) != &lnode)) return;

  // LOCK: the flusher of another CPU takes the node off the list.
  LlistNode* self = &lnode;
  if (!cpu.try_cmpxchg(lnode.next, self, nullptr)) return;
  LlistHead& lhead = cpu.this_cpu_ptr(PerCpu<LlistHead>(cpu.read(ss->lhead)));
  LlistNode* first = cpu.read_once(lhead.first);
  do {
    cpu.write_once(lnode.next, first);
  } while (!cpu.try_cmpxchg(lhead.first, first, &lnode));
}

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

// `val` in pages: MEMCG_SOCK and the like are counted in pages, so nothing is rounded.
template <typename Cpu>
HITMARK_NOIPA void mod_memcg_state(Cpu cpu, Globals* globals, MemCgroup* memcg, std::size_t item, int val) {
  const PerCpu<MemcgVmstatsPercpu> vmstats_percpu(cpu.read(memcg->vmstats_percpu));
  cpu.this_cpu_add(vmstats_percpu.field(&MemcgVmstatsPercpu::state, item), val);
  memcg_rstat_updated(cpu, globals, memcg, val);
}

}  // namespace
}  // namespace hitmark::memcg
