// percpu_counter_add_batch() and its readers on any struct with `part`, `lock` and `count`.
#pragma once

#include "kernels/percpu_counter/counter_variant.hpp"

namespace hitmark::percpu_counter {
namespace {

constexpr long magnitude(long value) { return value < 0 ? -value : value; }

template <typename C>
struct SpilledUnderLock {
  static void set_up(FamilySetup& setup, C& counter, const std::string& index) {
    NativeCpu{}.write(counter.part, setup.percpu<SmallCount>("part" + index, "hitmark::percpu_counter::SmallCount"));
  }

  template <typename Cpu>
  HITMARK_INLINE static void add(Cpu cpu, FamilyState* state, C& counter, long amount) {
    const auto mine = PerCpu<SmallCount>(cpu.read(counter.part)).field(&SmallCount::count);
    const long batch = cpu.read(state->batch);
    int count = cpu.this_cpu_read(mine);
    do {
      if (unlikely(magnitude(count + amount) >= batch)) return spill(cpu, counter, amount);
    } while (!cpu.this_cpu_try_cmpxchg(mine, count, static_cast<int>(count + amount)));
  }

  template <typename Cpu>
  HITMARK_NOIPA static void spill(Cpu cpu, C& counter, long amount) {
    const auto mine = PerCpu<SmallCount>(cpu.read(counter.part)).field(&SmallCount::count);
    spin_lock(cpu, counter.lock);
    const int count = cpu.this_cpu_read(mine);
    cpu.write_once(counter.count, cpu.read_once(counter.count) + count + amount);
    cpu.this_cpu_add(mine, -count);
    spin_unlock(cpu, counter.lock);
  }

  // percpu_counter_sum(): no spill can come between, so nothing is seen twice or never.
  template <typename Cpu>
  HITMARK_INLINE static long sum(Cpu cpu, FamilyState* state, C& counter) {
    spin_lock(cpu, counter.lock);
    const long spilled = cpu.read_once(counter.count);
    const long parts = sum_of_parts(cpu, state, cpu.read(counter.part), &SmallCount::count);
    spin_unlock(cpu, counter.lock);
    return spilled + parts;
  }
  // percpu_counter_read()
  template <typename Cpu>
  HITMARK_INLINE static long read(Cpu cpu, FamilyState*, C& counter) {
    return cpu.read_once(counter.count);
  }

  template <typename Cpu>
  static long error_bound(Cpu cpu, FamilyState* state) {
    return static_cast<long>(cpu.read(state->nr_cpus)) * (cpu.read(state->batch) - 1);
  }
  template <typename Cpu>
  static std::string fault(Cpu cpu, FamilyState* state, C& counter) {
    for (std::size_t i = 0; i < cpu.read(state->nr_cpus); ++i) {
      const long part = cpu.read_once(per_cpu<SmallCount>(cpu, state, cpu.read(counter.part), i).count);
      if (magnitude(part) >= cpu.read(state->batch))
        return "cpu " + std::to_string(i) + " keeps " + std::to_string(part) + ", a batch or more";
    }
    return cpu.read_once(counter.lock) ? "the lock is held" : "";
  }
};

}  // namespace
}  // namespace hitmark::percpu_counter
