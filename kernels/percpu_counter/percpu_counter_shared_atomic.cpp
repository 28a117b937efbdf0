// One atomic for all CPUs, on a line of its own: what every other variant is to be cheaper than. atomic64_add().
#include "kernels/percpu_counter/counter_variant.hpp"

namespace hitmark::percpu_counter {
namespace {

struct SharedAtomic : Exact {
  using Counter = percpu_counter::AtomicCounter;
  static constexpr const char* kCounterType = "hitmark::percpu_counter::AtomicCounter";
  static constexpr const char* kLayoutType = "hitmark::percpu_counter::AtomicCounter";
  static constexpr std::array<Trait, 2> kTraits = {{{"place", "one line"}, {"method", "locked"}}};

  static void set_up(FamilySetup&, Counter&, const std::string&) {}
  template <typename Cpu>
  HITMARK_INLINE static void add(Cpu cpu, FamilyState*, Counter& counter, long amount) {
    cpu.atomic_add(counter.count, amount);
  }
  template <typename Cpu>
  HITMARK_INLINE static long sum(Cpu cpu, FamilyState*, Counter& counter) {
    return cpu.read_once(counter.count);
  }
  template <typename Cpu>
  HITMARK_INLINE static long read(Cpu cpu, FamilyState* state, Counter& counter) {
    return sum(cpu, state, counter);
  }
};

const RegisteredVariant registered(counter_variant<SharedAtomic>("shared-atomic",
                                                                 "one atomic for all CPUs, on a line of its own",
                                                                 "Linux 6.18 (atomic64_t)"));

}  // namespace
}  // namespace hitmark::percpu_counter
