// An array with an atomic for each CPU: what packed-slots and padded-slots do, and all that they differ in is `Slot`.
#pragma once

#include "kernels/percpu_counter/counter_variant.hpp"

namespace hitmark::percpu_counter {
namespace {

template <typename C, typename Slot>
struct LockedSlots : Exact {
  static Slot* new_slots(FamilySetup& setup, const std::string& index, const char* type) {
    return setup.shared_array<Slot>("slots" + index, type, setup.arena.cpu_count());
  }
  template <typename Cpu>
  HITMARK_INLINE static void add(Cpu cpu, FamilyState*, C& counter, long amount) {
    Slot* slots = cpu.read(counter.slots);
    const std::size_t mine = cpu.this_cpu_read(kCpuNumbers.field(&CpuNumbers::cpu));
    cpu.atomic_add(slots[mine].count, amount);
  }
  template <typename Cpu>
  HITMARK_INLINE static long sum(Cpu cpu, FamilyState* state, C& counter) {
    Slot* slots = cpu.read(counter.slots);
    return sum_of_slots(cpu, slots, cpu.read(state->nr_cpus));
  }
  template <typename Cpu>
  HITMARK_INLINE static long read(Cpu cpu, FamilyState* state, C& counter) {
    return sum(cpu, state, counter);
  }
};

}  // namespace
}  // namespace hitmark::percpu_counter
