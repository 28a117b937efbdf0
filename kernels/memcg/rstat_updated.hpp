// Telling the flusher that a CPU has updated a css: css_rstat_updated() of kernel/cgroup/rstat.c as since 6.17, and
// its predecessor cgroup_rstat_updated(). Steps: the reference, section 3.3. Where 6.16 has a tree per subsystem
// and earlier releases one for all, the tree here is memory's.
#pragma once

#include "kernels/memcg/mem_cgroup.hpp"
#include "kernels/memcg/statistics_shape.hpp"

namespace hitmark::memcg {
namespace {

using Rstat = StatisticsShape::Rstat;

template <typename Cpu>
HITMARK_INLINE void spin_lock(Cpu cpu, Cell<unsigned>& lock) {
  for (unsigned free = 0; unlikely(!cpu.try_cmpxchg(lock, free, 1)); free = 0)
    while (cpu.read_once(lock)) cpu.relax();
}

template <typename Cpu>
HITMARK_INLINE CssRstatCpu& css_rstat_cpu(Cpu cpu, CgroupSubsysState* css, std::uintptr_t base) {
  return *reinterpret_cast<CssRstatCpu*>(base + cpu.read(css->rstat_cpu));
}

// Links `css` and its ancestors into the CPU's tree of what is to be flushed, up to one that is in it.
template <typename Cpu>
HITMARK_INLINE void css_process_update(Cpu cpu, CgroupSubsysState* css, std::uintptr_t base) {
  while (css) {
    CssRstatCpu& rstatc = css_rstat_cpu(cpu, css, base);
    if (cpu.read(rstatc.updated_next)) return;
    CgroupSubsysState* parent = cpu.read(css->parent);
    if (!parent) {
      cpu.write_once(rstatc.updated_next, css);
      return;
    }
    CssRstatCpu& above = css_rstat_cpu(cpu, parent, base);
    cpu.write_once(rstatc.updated_next, cpu.read(above.updated_children));
    cpu.write(above.updated_children, css);
    css = parent;
  }
}

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

// Up to 6.16. The first look is without the lock: a link that a flusher is just cutting is made again by the next
// update.
template <typename Cpu>
HITMARK_NOIPA void cgroup_rstat_updated(Cpu cpu, CgroupSubsysState* css) {
  const std::uintptr_t here = cpu.this_cpu_off();
  if (likely(cpu.read_once(css_rstat_cpu(cpu, css, here).updated_next) != nullptr)) return;
  auto& cpu_lock = *reinterpret_cast<RstatCpuLock*>(here + cpu.read(cpu.read(css->ss)->lhead));
  spin_lock(cpu, cpu_lock.lock);
  css_process_update(cpu, css, here);
  cpu.store_release(cpu_lock.lock, 0);
}

template <Rstat kRstat, typename Cpu>
HITMARK_INLINE void rstat_updated(Cpu cpu, MemCgroup* memcg) {
  if constexpr (kRstat == Rstat::kLockless)
    css_rstat_updated(cpu, &memcg->css);
  else
    cgroup_rstat_updated(cpu, &memcg->css);
}

}  // namespace
}  // namespace hitmark::memcg
