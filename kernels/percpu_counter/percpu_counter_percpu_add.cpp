// One add without LOCK to this CPU's part: this_cpu_add(). Its only reading is the sum.
#include "kernels/percpu_counter/counter_variant.hpp"

namespace hitmark::percpu_counter {
namespace {

struct PercpuAdd : Exact {
  using Counter = percpu_counter::PercpuOnlyCounter;
  static constexpr const char* kCounterType = "hitmark::percpu_counter::PercpuOnlyCounter";
  static constexpr const char* kLayoutType = "hitmark::percpu_counter::PercpuCount";
  static constexpr std::array<Trait, 2> kTraits = {{{"place", "CPU's own line"}, {"method", "plain"}}};

  static void set_up(FamilySetup& setup, Counter& counter, const std::string& index) {
    NativeCpu{}.write(counter.part, setup.percpu<PercpuCount>("part" + index, kLayoutType));
  }
  template <typename Cpu>
  HITMARK_INLINE static void add(Cpu cpu, FamilyState*, Counter& counter, long amount) {
    cpu.this_cpu_add(PerCpu<PercpuCount>(cpu.read(counter.part)).field(&PercpuCount::count), amount);
  }
  template <typename Cpu>
  HITMARK_INLINE static long sum(Cpu cpu, FamilyState* state, Counter& counter) {
    return sum_of_parts(cpu, state, cpu.read(counter.part), &PercpuCount::count);
  }
  template <typename Cpu>
  HITMARK_INLINE static long read(Cpu cpu, FamilyState* state, Counter& counter) {
    return sum(cpu, state, counter);
  }
};

const RegisteredVariant registered(counter_variant<PercpuAdd>(
    "percpu-add", "one add without LOCK to the CPU's own part; to read is to sum", "Linux 6.18 (this_cpu_add)"));

}  // namespace
}  // namespace hitmark::percpu_counter
