// An atomic for each CPU, eight neighbours on a line: false sharing, and nothing else, sets it apart from padded-slots.
#include "kernels/percpu_counter/locked_slots.hpp"

namespace hitmark::percpu_counter {
namespace {

struct PackedSlots : LockedSlots<PackedSlotsCounter, PackedSlot> {
  using Counter = percpu_counter::PackedSlotsCounter;
  static constexpr const char* kCounterType = "hitmark::percpu_counter::PackedSlotsCounter";
  static constexpr const char* kLayoutType = "hitmark::percpu_counter::PackedSlot";
  static constexpr std::array<Trait, 2> kTraits = {{{"place", "eight CPUs a line"}, {"method", "locked"}}};

  static void set_up(FamilySetup& setup, Counter& counter, const std::string& index) {
    NativeCpu{}.write(counter.slots, new_slots(setup, index, kLayoutType));
  }
};

const RegisteredVariant registered(counter_variant<PackedSlots>(
    "packed-slots", "an atomic for each CPU in an array, eight of them on a line", "counter-example"));

}  // namespace
}  // namespace hitmark::percpu_counter
