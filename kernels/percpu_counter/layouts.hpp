// The structs of the family percpu-counter: what a counter is, and what a CPU has of it. `part` members are offsets
// into the per-CPU areas; LinuxCounter has the fields of Linux's struct percpu_counter in their order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/memory/cell.hpp"

namespace hitmark::percpu_counter {

inline constexpr unsigned kSockets = 2;

// One count, on a line of its own.
struct alignas(64) AtomicCounter {
  Cell<long> count;
};

// A slot for every CPU in an array: each on its line, or eight neighbours on one.
struct alignas(64) PaddedSlot {
  Cell<long> count;
};
struct PackedSlot {
  Cell<long> count;
};
struct alignas(64) PaddedSlotsCounter {
  Cell<PaddedSlot*> slots;
};
struct alignas(64) PackedSlotsCounter {
  Cell<PackedSlot*> slots;
};

// The count is in the CPUs' parts alone.
struct alignas(64) PercpuOnlyCounter {
  Cell<std::uintptr_t> part;  // of a PercpuCount
};
struct PercpuCount {
  Cell<long> count;
};
// The part of the restartable addition, as its assembly has it (rseq.hpp).
struct alignas(64) RseqCount {
  Cell<long> count;
  Cell<unsigned> player;    // the number that rseq gives the CPU on which this part was last added to
  Cell<unsigned> restarts;  // natively: times that the kernel has restarted an addition
};
struct alignas(64) RseqCounter {
  Cell<std::uintptr_t> part;         // of a RseqCount
  Cell<std::ptrdiff_t> rseq_offset;  // of a thread's struct rseq from its thread pointer, __rseq_offset
};
// What glibc registers for each thread (struct rseq); here for traced CPUs.
struct alignas(32) RseqArea {
  Cell<std::uint32_t> cpu_id_start;
  Cell<std::uint32_t> cpu_id;
  Cell<std::uint64_t> rseq_cs;
  Cell<std::uint32_t> flags;
};

// struct percpu_counter of Linux 6.18 with hotplug: all that an addition reads is beside what a spill writes.
struct alignas(64) LinuxCounter {
  Cell<unsigned> lock;
  Cell<long> count;
  Cell<void*> list_next, list_prev;
  Cell<std::uintptr_t> part;  // `counters`, of a SmallCount
};
struct alignas(64) ApartCounter {
  Cell<std::uintptr_t> part;
  alignas(64) Cell<unsigned> lock;
  Cell<long> count;
};
struct SmallCount {
  Cell<int> count;
};

// One atomic for each group of CPUs, found through the CPU's own pointer.
struct alignas(64) GroupShardsCounter {
  Cell<std::uintptr_t> part;  // of a GroupShard
  Cell<PaddedSlot*> shards;
  Cell<unsigned> nr_shards;
};
struct GroupShard {
  Cell<PaddedSlot*> mine;
};
// One atomic for each half of the CPUs, in the counter itself, found by the CPU's number of its half.
struct alignas(64) HalfShardsCounter {
  PaddedSlot shard[kSockets];
};

// The static per-CPU object.
struct CpuNumbers {
  Cell<unsigned> cpu;
  Cell<unsigned> half;  // 0 below the middle of the arena's CPUs, 1 above
  RseqArea rseq;
};

}  // namespace hitmark::percpu_counter
