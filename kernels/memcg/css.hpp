// What memcg uses of cgroups (Linux 6.18): css with its reference count, the per-CPU part of rstat, and the
// subsystem. Layouts: the reference, section 3.1, and the BTF of 6.18.44. Counting: section 1.4.
#pragma once

#include <cstdint>

#include "kernels/memory/cell.hpp"
#include "kernels/memory/compiler.hpp"

namespace hitmark::memcg {

struct CgroupSubsys;
struct CgroupSubsysState;

struct ListHead {
  Cell<void*> next, prev;
};

struct WorkStruct {
  Cell<unsigned long> data;  // bit 0: pending
  ListHead entry;
  Cell<void*> func;
};
inline constexpr unsigned kWorkPendingBit = 0;

struct LlistNode {
  Cell<LlistNode*> next;  // itself: on no list
};
struct LlistHead {
  Cell<LlistNode*> first;
};

struct PercpuRefData {
  Cell<long> count;  // the references when the per-CPU mode is off
  unsigned char callbacks_and_rcu[48];
};
struct PercpuRefCount {  // one CPU's share of a css's references
  Cell<unsigned long> count;
};
struct PercpuRef {
  Cell<std::uintptr_t> percpu_count_ptr;  // per-CPU offset; bit 0: atomic mode, bit 1: dead
  Cell<PercpuRefData*> data;
};
inline constexpr std::uintptr_t kPercpuRefAtomic = 1, kPercpuRefDead = 2;

struct CssRstatCpu {
  Cell<CgroupSubsysState*> updated_children;  // itself: none
  Cell<CgroupSubsysState*> updated_next;      // null: not in the updated tree; the last child's is the parent
  LlistNode lnode;
  Cell<CgroupSubsysState*> owner;
};

struct CgroupSubsysState {
  Cell<void*> cgroup;
  Cell<CgroupSubsys*> ss;
  PercpuRef refcnt;
  Cell<std::uintptr_t> rstat_cpu;  // per-CPU offset of a CssRstatCpu
  ListHead sibling;
  ListHead children;
  Cell<int> id;
  Cell<unsigned> flags;
  Cell<std::uint64_t> serial_nr;
  Cell<int> online_cnt;
  WorkStruct destroy_work;
  unsigned char destroy_rwork[56];
  Cell<CgroupSubsysState*> parent;
  Cell<int> nr_descendants;
  Cell<CgroupSubsysState*> rstat_flush_next;
};
inline constexpr unsigned kCssNoRef = 1;   // CSS_NO_REF: the root
inline constexpr unsigned kCssOnline = 2;  // CSS_ONLINE

struct alignas(64) CgroupSubsys {
  unsigned char callbacks[56];
  Cell<void*> css_rstat_flush;
  unsigned char callbacks_names_and_files[176];
  Cell<unsigned> depends_on;
  Cell<unsigned> rstat_ss_lock;  // spinlock: 0 free
  Cell<std::uintptr_t> lhead;    // per-CPU offset of an LlistHead; before 6.17 of an RstatCpuLock
};

struct RstatCpuLock {  // before 6.17: guards a CPU's tree of what is to be flushed
  Cell<unsigned> lock;
};

// struct cgroup: only its address is used, to tell a cgroup's own css from a subsystem's.
struct alignas(64) Cgroup {
  unsigned char self[64];
};

namespace {

template <typename Cpu>
HITMARK_INLINE void css_change_references(Cpu cpu, CgroupSubsysState& css, long by) {
  if (cpu.read(css.flags) & kCssNoRef) return;
  const std::uintptr_t word = cpu.read_once(css.refcnt.percpu_count_ptr);
  if (likely(!(word & (kPercpuRefAtomic | kPercpuRefDead))))
    cpu.this_cpu_add(PerCpu<PercpuRefCount>(word).field(&PercpuRefCount::count), static_cast<unsigned long>(by));
  else
    cpu.atomic_add(cpu.read(css.refcnt.data)->count, by);
}

template <typename Cpu>
HITMARK_INLINE void css_get(Cpu cpu, CgroupSubsysState& css) {
  css_change_references(cpu, css, 1);
}

// The last put of a dying css would free it; here a css lives as long as its arena.
template <typename Cpu>
HITMARK_INLINE void css_put(Cpu cpu, CgroupSubsysState& css) {
  css_change_references(cpu, css, -1);
}

}  // namespace
}  // namespace hitmark::memcg
