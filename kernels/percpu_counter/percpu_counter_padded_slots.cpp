// An atomic for each CPU, each on a line of its own: the usual counter of user space, where a thread may be moved and
// must lock what is nearly its own. The LOCK is paid, a transfer is not.
#include "kernels/percpu_counter/locked_slots.hpp"

namespace hitmark::percpu_counter {
namespace {

struct PaddedSlots : LockedSlots<PaddedSlotsCounter, PaddedSlot> {
  using Counter = percpu_counter::PaddedSlotsCounter;
  static constexpr const char* kCounterType = "hitmark::percpu_counter::PaddedSlotsCounter";
  static constexpr const char* kLayoutType = "hitmark::percpu_counter::PaddedSlot";
  static constexpr std::array<Trait, 2> kTraits = {{{"place", "CPU's own line"}, {"method", "locked"}}};

  static void set_up(FamilySetup& setup, Counter& counter, const std::string& index) {
    NativeCpu{}.write(counter.slots, new_slots(setup, index, kLayoutType));
  }
};

const RegisteredVariant registered(
    counter_variant<PaddedSlots>("padded-slots", "an atomic for each CPU in an array, each on a line of its own",
                                 "user-space idiom (one padded std::atomic per thread)"));

}  // namespace
}  // namespace hitmark::percpu_counter
