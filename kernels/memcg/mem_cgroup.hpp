// struct mem_cgroup and its statistics (Linux 6.18, BTF of 6.18.44; the reference, sections 2.2 and 3.1) with
// the same neighbours on the same lines, and the kernel's global data that the paths read.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/memcg/css.hpp"
#include "kernels/memcg/page_counter.hpp"
#include "kernels/memory/arena.hpp"

namespace hitmark::memcg {

inline constexpr unsigned kChargeBatch = 64;  // MEMCG_CHARGE_BATCH: unsigned, see the reference, section 1.8
inline constexpr std::size_t kStateItems = 40, kEventItems = 31;
inline constexpr std::size_t kSockItem = 34;  // of MEMCG_SOCK: offset 296 in MemcgVmstatsPercpu, line 4

struct MemcgVmstats {
  Cell<long> state[kStateItems];
  Cell<unsigned long> events[kEventItems];
  Cell<long> state_local[kStateItems];
  Cell<unsigned long> events_local[kEventItems];
  Cell<long> state_pending[kStateItems];
  Cell<unsigned long> events_pending[kEventItems];
  Cell<int> stats_updates;
};

struct alignas(64) MemcgVmstatsPercpu {
  Cell<unsigned> stats_updates;
  Cell<std::uintptr_t> parent_pcpu;  // per-CPU offset; 0 at the root
  Cell<MemcgVmstats*> vmstats;
  Cell<long> state[kStateItems];
  Cell<unsigned long> events[kEventItems];
  Cell<long> state_prev[kStateItems];
  Cell<unsigned long> events_prev[kEventItems];
};

struct alignas(64) MemCgroup {
  CgroupSubsysState css;
  Cell<std::uint64_t> id;
  unsigned char pad1[40];
  PageCounter memory;
  PageCounter swap;
  ListHead memory_peaks, swap_peaks;
  Cell<unsigned> peaks_lock;
  WorkStruct high_work;
  Cell<unsigned long> zswap_max;
  Cell<bool> zswap_writeback;
  unsigned char vmpressure_oom_and_files[296];
  Cell<MemcgVmstats*> vmstats;
  Cell<long> memory_events[9];
  Cell<long> memory_events_local[9];
  Cell<std::uint64_t> socket_pressure;
  Cell<int> kmemcg_id;
  Cell<void*> objcg, orig_objcg;
  ListHead objcg_list;
  Cell<std::uintptr_t> vmstats_percpu;  // per-CPU offset of a MemcgVmstatsPercpu
  ListHead cgwb_list;
  unsigned char writeback_and_thp[352];
  PageCounter kmem, tcpmem;  // of cgroup v1
  unsigned char v1_and_nodes[192];
};

// Per-CPU variables of older releases, static in the kernel: their place is a compile-time offset, that of the
// first object behind the arena's reserve for the stock (set_up checks it). No variant has both.
inline constexpr std::uintptr_t kSecondStaticPercpu = kStaticPercpu + kStaticPercpuSize;
struct StatsUpdates {  // 5.16 to 6.7: of all memcgs on a CPU
  Cell<unsigned> stats_updates;
};
struct BatchedEntropy {  // 6.16: where get_random_u32() takes its word from
  Cell<std::uint32_t> word;
};

inline constexpr unsigned kMaxCpus = 512;
struct Setup;

// Static data of the kernel. `state` of every operation points to it.
struct alignas(64) Globals {
  Cell<unsigned> nr_online_cpus;  // __num_online_cpus
  Cell<unsigned> nr_cpu_ids;
  Cell<MemCgroup*> root_mem_cgroup;
  Cell<bool> keep_low;          // the refill rule: RefillRule::Kind::kWatermark
  Cell<unsigned> low;           // pages that rule keeps
  Cell<std::uintptr_t> driver;  // per-CPU offset of a Driver
  Setup* setup;                 // ours, for set-up and checks; no operation reads it
  alignas(64) Cell<unsigned> percpu_charge_mutex;
  alignas(64) Cell<std::uintptr_t> per_cpu_offset[kMaxCpus];  // __per_cpu_offset
  alignas(64) Cell<int> stats_flush_threshold;                // 5.16 to 6.7: updates of all memcgs, in batches
};

// What a CPU's caller of the memcg code knows; touched by failing charges and by readers only.
struct alignas(64) Driver {
  Cell<unsigned long> failed_charges;
  Cell<MemCgroup*> reads;  // whose memory.stat the event "read" reads
};

namespace {

HITMARK_INLINE MemCgroup* mem_cgroup_from_css(CgroupSubsysState* css) { return reinterpret_cast<MemCgroup*>(css); }

HITMARK_INLINE MemCgroup* mem_cgroup_from_memory(PageCounter* memory) {
  return reinterpret_cast<MemCgroup*>(reinterpret_cast<char*>(memory) - offsetof(MemCgroup, memory));
}

template <typename Cpu>
HITMARK_INLINE MemCgroup* parent_mem_cgroup(Cpu cpu, MemCgroup* memcg) {
  return mem_cgroup_from_css(cpu.read(memcg->css.parent));  // the css comes first, so null stays null
}

// Whether a reader would flush: more than a batch of updates per online CPU are waiting.
template <typename Cpu>
HITMARK_INLINE bool memcg_vmstats_needs_flush(Cpu cpu, Globals* globals, MemcgVmstats& vmstats) {
  const auto stats_updates = static_cast<unsigned>(cpu.read_once(vmstats.stats_updates));
  return stats_updates > kChargeBatch * cpu.read_once(globals->nr_online_cpus);
}

// The same of all memcgs together (V3): more than one batch per online CPU.
template <typename Cpu>
HITMARK_INLINE bool global_stats_need_flush(Cpu cpu, Globals* globals) {
  const auto batches = static_cast<unsigned>(cpu.read_once(globals->stats_flush_threshold));
  return batches > cpu.read(globals->nr_online_cpus);
}

}  // namespace
}  // namespace hitmark::memcg
