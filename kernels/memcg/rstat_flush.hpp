// The flusher and the reader of memory.stat: css_rstat_flush() of kernel/cgroup/rstat.c (Linux 6.18),
// mem_cgroup_css_rstat_flush() of mm/memcontrol.c. Steps: the reference, section 3.4. The per-node statistics
// (lruvec) are left out: no path of this family changes them. The generations of the statistics differ in how the
// tree of a CPU is guarded, in what says that a flush is due, and in what it resets.
#pragma once

#include "kernels/memcg/rstat_updated.hpp"

namespace hitmark::memcg {
namespace {

// Takes every node off the CPU's lockless list; the rstat lock makes this the only taker.
template <typename Cpu>
HITMARK_INLINE void css_process_update_tree(Cpu cpu, CgroupSubsys* ss, std::uintptr_t base) {
  LlistHead& lhead = *reinterpret_cast<LlistHead*>(base + cpu.read(ss->lhead));
  for (;;) {
    LlistNode* first = cpu.read_once(lhead.first);
    do {
      if (!first) return;
    } while (!cpu.try_cmpxchg(lhead.first, first, cpu.read_once(first->next)));
    auto* rstatc = reinterpret_cast<CssRstatCpu*>(reinterpret_cast<char*>(first) - offsetof(CssRstatCpu, lnode));
    CgroupSubsysState* css = cpu.read(rstatc->owner);
    cpu.write_once(first->next, first);  // off-list again: from here on the owner may put it back
    css_process_update(cpu, css, base);
  }
}

template <typename Cpu>
HITMARK_INLINE void unlink_from_parent(Cpu cpu, CgroupSubsysState* root, std::uintptr_t base) {
  CgroupSubsysState* parent = cpu.read(root->parent);
  if (!parent) return;
  CgroupSubsysState* next = cpu.read(css_rstat_cpu(cpu, root, base).updated_next);
  CssRstatCpu& above = css_rstat_cpu(cpu, parent, base);
  CgroupSubsysState* child = cpu.read(above.updated_children);
  if (child == root) {
    cpu.write(above.updated_children, next);
    return;
  }
  for (;;) {
    CssRstatCpu& rstatc = css_rstat_cpu(cpu, child, base);
    child = cpu.read(rstatc.updated_next);
    if (child != root) continue;
    cpu.write_once(rstatc.updated_next, next);
    return;
  }
}

// Cuts the subtree of `root` out of the CPU's tree and returns it as a list through rstat_flush_next,
// children before parents; null when nothing below `root` was updated on this CPU.
template <typename Cpu>
HITMARK_INLINE CgroupSubsysState* css_rstat_cut_list(Cpu cpu, CgroupSubsysState* root, std::uintptr_t base) {
  if (!cpu.read(css_rstat_cpu(cpu, root, base).updated_next)) return nullptr;
  unlink_from_parent(cpu, root, base);

  CgroupSubsysState* head = nullptr;
  for (CgroupSubsysState* css = root; css;) {
    cpu.write(css->rstat_flush_next, head);
    head = css;
    CgroupSubsysState* next = cpu.read(css_rstat_cpu(cpu, css, base).updated_children);
    while (next == css && css != root) {  // no child left here: the sibling, or else the parent's sibling
      CgroupSubsysState* parent = cpu.read(css->parent);
      next = cpu.read(css_rstat_cpu(cpu, css, base).updated_next);
      css = parent;
    }
    css = next == css ? nullptr : next;
  }
  for (CgroupSubsysState* css = head; css; css = cpu.read(css->rstat_flush_next)) {
    CssRstatCpu& rstatc = css_rstat_cpu(cpu, css, base);
    cpu.write(rstatc.updated_children, css);
    cpu.write_once(rstatc.updated_next, nullptr);
  }
  return head;
}

template <Rstat kRstat, typename Cpu>
HITMARK_INLINE CgroupSubsysState* css_rstat_updated_list(Cpu cpu, CgroupSubsysState* root, std::uintptr_t base) {
  CgroupSubsys* ss = cpu.read(root->ss);
  if constexpr (kRstat == Rstat::kLockless) {
    css_process_update_tree(cpu, ss, base);
    return css_rstat_cut_list(cpu, root, base);
  } else {
    Cell<unsigned>& cpu_lock = reinterpret_cast<RstatCpuLock*>(base + cpu.read(ss->lhead))->lock;
    spin_lock(cpu, cpu_lock);
    CgroupSubsysState* head = css_rstat_cut_list(cpu, root, base);
    cpu.store_release(cpu_lock, 0);
    return head;
  }
}

template <typename Cpu, typename T>
HITMARK_INLINE void aggregate(Cpu cpu, std::size_t items, Cell<T>* total, Cell<T>* local, Cell<T>* pending,
                              Cell<T>* parent_pending, Cell<T>* percpu, Cell<T>* percpu_prev) {
  for (std::size_t i = 0; i < items; ++i) {
    T delta = cpu.read(pending[i]);
    if (delta) cpu.write(pending[i], 0);
    T delta_cpu = 0;
    const T value = cpu.read_once(percpu[i]);
    const T before = cpu.read(percpu_prev[i]);
    if (value != before) {
      delta_cpu = value - before;
      delta += delta_cpu;
      cpu.write(percpu_prev[i], value);
    }
    if (delta_cpu) cpu.write_once(local[i], cpu.read_once(local[i]) + delta_cpu);
    if (!delta) continue;
    cpu.write_once(total[i], cpu.read_once(total[i]) + delta);
    if (parent_pending) cpu.write(parent_pending[i], cpu.read(parent_pending[i]) + delta);
  }
}

template <StatisticsShape::Pending kPending, typename Cpu>
HITMARK_NOIPA void mem_cgroup_css_rstat_flush(Cpu cpu, CgroupSubsysState* css, std::uintptr_t base) {
  MemCgroup* memcg = mem_cgroup_from_css(css);
  CgroupSubsysState* above = cpu.read(css->parent);
  MemcgVmstats* parent = above ? cpu.read(mem_cgroup_from_css(above)->vmstats) : nullptr;
  MemcgVmstats& stats = *cpu.read(memcg->vmstats);
  auto& statc = *reinterpret_cast<MemcgVmstatsPercpu*>(base + cpu.read(memcg->vmstats_percpu));

  aggregate(cpu, kStateItems, stats.state, stats.state_local, stats.state_pending,
            parent ? parent->state_pending : nullptr, statc.state, statc.state_prev);
  aggregate(cpu, kEventItems, stats.events, stats.events_local, stats.events_pending,
            parent ? parent->events_pending : nullptr, statc.events, statc.events_prev);
  if constexpr (kPending != StatisticsShape::Pending::kMemcg) return;
  cpu.write_once(statc.stats_updates, 0);  // races with the owner's add; the loss is tolerated
  if (cpu.read_once(stats.stats_updates)) cpu.write_once(stats.stats_updates, 0);
}

template <typename Statistics, typename Cpu>
HITMARK_NOIPA void css_rstat_flush(Cpu cpu, Globals* globals, CgroupSubsysState* root) {
  const unsigned cpus = cpu.read(globals->nr_cpu_ids);
  Cell<unsigned>& lock = cpu.read(root->ss)->rstat_ss_lock;
  for (unsigned c = 0; c < cpus; ++c) {
    const std::uintptr_t base = cpu.read(globals->per_cpu_offset[c]);
    spin_lock(cpu, lock);  // per CPU, so that others get in between
    for (CgroupSubsysState* css = css_rstat_updated_list<Statistics::kShape.rstat>(cpu, root, base); css;
         css = cpu.read(css->rstat_flush_next))
      mem_cgroup_css_rstat_flush<Statistics::kShape.pending>(cpu, css, base);
    cpu.store_release(lock, 0);
  }
}

// Event "flush": what the 2 s work item does, from the root and unconditionally. V0 has nothing to flush.
template <typename Statistics, typename Cpu>
HITMARK_NOIPA void flush(Cpu cpu, Globals* globals) {
  if constexpr (Statistics::kShape.rstat == Rstat::kNone)
    return;
  else
    css_rstat_flush<Statistics>(cpu, globals, &cpu.read(globals->root_mem_cgroup)->css);
  if constexpr (Statistics::kShape.pending == StatisticsShape::Pending::kGlobal)
    cpu.write_once(globals->stats_flush_threshold, 0);
}

// Event "read": a reader of memory.stat. V3 flushes everything when anything is to be flushed.
template <typename Statistics, typename Cpu>
HITMARK_NOIPA void read_memory_stat(Cpu cpu, Globals* globals) {
  using Pending = StatisticsShape::Pending;
  constexpr Pending kPending = Statistics::kShape.pending;
  MemCgroup* memcg = cpu.read(cpu.this_cpu_ptr(PerCpu<Driver>(cpu.read(globals->driver))).reads);
  MemcgVmstats& stats = *cpu.read(memcg->vmstats);
  if constexpr (kPending == Pending::kUnknown) {
    css_rstat_flush<Statistics>(cpu, globals, &memcg->css);
  } else if constexpr (kPending == Pending::kGlobal) {
    if (global_stats_need_flush(cpu, globals)) flush<Statistics>(cpu, globals);
  } else if constexpr (kPending == Pending::kMemcg) {
    if (memcg_vmstats_needs_flush(cpu, globals, stats)) css_rstat_flush<Statistics>(cpu, globals, &memcg->css);
  }
  for (const auto& item : stats.state) static_cast<void>(cpu.read_once(item));
  for (const auto& item : stats.events) static_cast<void>(cpu.read_once(item));
}

}  // namespace
}  // namespace hitmark::memcg
