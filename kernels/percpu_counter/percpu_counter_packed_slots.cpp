// An atomic for each CPU, eight neighbours on a line: false sharing, and nothing else, sets it apart from padded-slots.
#include "kernels/percpu_counter/counter_variant.hpp"

namespace hitmark::percpu_counter {
namespace {

struct PackedSlots : Exact {
  using Counter = percpu_counter::PackedSlotsCounter;
  static constexpr const char* kCounterType = "hitmark::percpu_counter::PackedSlotsCounter";
  static constexpr const char* kLayoutType = "hitmark::percpu_counter::PackedSlot";
  static constexpr std::array<Trait, 2> kTraits = {{{"place", "eight CPUs a line"}, {"method", "locked"}}};

  static void set_up(FamilySetup& setup, Counter& counter, const std::string& index) {
    NativeCpu{}.write(counter.slots,
                      setup.shared_array<PackedSlot>("slots" + index, kLayoutType, setup.arena.cpu_count()));
  }
  template <typename Cpu>
  HITMARK_INLINE static void add(Cpu cpu, FamilyState*, Counter& counter, long amount) {
    PackedSlot* slots = cpu.read(counter.slots);
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

const RegisteredVariant registered(counter_variant<PackedSlots>(
    "packed-slots", "an atomic for each CPU in an array, eight of them on a line", "counter-example"));

}  // namespace
}  // namespace hitmark::percpu_counter
