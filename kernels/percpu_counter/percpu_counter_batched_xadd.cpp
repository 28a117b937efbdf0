// A batch per CPU as the memcg statistics have it since 6.16: xadd without LOCK, and what has reached the batch is
// swapped out and added to one atomic. No lock, and the part may overshoot the batch for a moment.
#include "kernels/percpu_counter/counter_variant.hpp"

namespace hitmark::percpu_counter {
namespace {

struct BatchedXadd {
  using Counter = percpu_counter::ApartCounter;
  static constexpr const char* kCounterType = "hitmark::percpu_counter::ApartCounter";
  static constexpr const char* kLayoutType = "hitmark::percpu_counter::ApartCounter";
  static constexpr std::array<Trait, 2> kTraits = {
      {{"place", "per CPU, spilled apart"}, {"method", "batched, atomic"}}};

  static void set_up(FamilySetup& setup, Counter& counter, const std::string& index) {
    NativeCpu{}.write(counter.part, setup.percpu<SmallCount>("part" + index, "hitmark::percpu_counter::SmallCount"));
  }
  template <typename Cpu>
  HITMARK_INLINE static void add(Cpu cpu, FamilyState* state, Counter& counter, long amount) {
    const auto mine = PerCpu<SmallCount>(cpu.read(counter.part)).field(&SmallCount::count);
    const int batch = cpu.read(state->batch);
    const int count = cpu.this_cpu_add_return(mine, static_cast<int>(amount));
    if (unlikely(count >= batch) || unlikely(count <= -batch))
      cpu.atomic_add(counter.count, cpu.this_cpu_xchg(mine, 0));
  }
  template <typename Cpu>
  HITMARK_INLINE static long sum(Cpu cpu, FamilyState* state, Counter& counter) {
    const long spilled = cpu.read_once(counter.count);
    return spilled + sum_of_parts(cpu, state, cpu.read(counter.part), &SmallCount::count);
  }
  template <typename Cpu>
  HITMARK_INLINE static long read(Cpu cpu, FamilyState*, Counter& counter) {
    return cpu.read_once(counter.count);
  }
  template <typename Cpu>
  static long error_bound(Cpu cpu, FamilyState* state) {
    return static_cast<long>(cpu.read(state->nr_cpus)) * (cpu.read(state->batch) - 1);
  }
  template <typename Cpu>
  static std::string fault(Cpu, FamilyState*, Counter&) {
    return "";
  }
};

const RegisteredVariant registered(
    counter_variant<BatchedXadd>("batched-xadd", "a batch per CPU by xadd, spilled into one atomic without a lock",
                                 "Linux 6.16 (the scheme of memcg_rstat_updated)"));

}  // namespace
}  // namespace hitmark::percpu_counter
