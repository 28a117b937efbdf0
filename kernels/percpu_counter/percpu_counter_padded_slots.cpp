// An atomic for each CPU, each on a line of its own: the usual counter of user space, where a thread may be moved and
// must lock what is nearly its own. The LOCK is paid, a transfer is not.
#include "kernels/percpu_counter/counter_variant.hpp"

namespace hitmark::percpu_counter {
namespace {

struct PaddedSlots : Exact {
  using Counter = percpu_counter::PaddedSlotsCounter;
  static constexpr const char* kCounterType = "hitmark::percpu_counter::PaddedSlotsCounter";
  static constexpr const char* kLayoutType = "hitmark::percpu_counter::PaddedSlot";
  static constexpr std::array<Trait, 2> kTraits = {{{"place", "CPU's own line"}, {"method", "locked"}}};

  static void set_up(FamilySetup& setup, Counter& counter, const std::string& index) {
    NativeCpu{}.write(counter.slots,
                      setup.shared_array<PaddedSlot>("slots" + index, kLayoutType, setup.arena.cpu_count()));
  }
  template <typename Cpu>
  HITMARK_INLINE static void add(Cpu cpu, FamilyState*, Counter& counter, long amount) {
    PaddedSlot* slots = cpu.read(counter.slots);
    const std::size_t mine = cpu.this_cpu_read(kCpuNumbers.field(&CpuNumbers::cpu));
    cpu.atomic_add(slots[mine].count, amount);
  }
  template <typename Cpu>
  HITMARK_INLINE static long sum(Cpu cpu, FamilyState* state, Counter& counter) {
    auto* slots = cpu.read(counter.slots);
    return sum_of_slots(cpu, slots, cpu.read(state->nr_cpus));
  }
  template <typename Cpu>
  HITMARK_INLINE static long read(Cpu cpu, FamilyState* state, Counter& counter) {
    return sum(cpu, state, counter);
  }
};

const RegisteredVariant registered(
    counter_variant<PaddedSlots>("padded-slots", "an atomic for each CPU in an array, each on a line of its own",
                                 "user-space idiom (one padded std::atomic per thread)"));

}  // namespace
}  // namespace hitmark::percpu_counter
