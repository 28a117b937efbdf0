// percpu_counter_add_batch(): a small count per CPU, changed by a cmpxchg without LOCK; one that would reach the batch
// is added to the count under the spinlock. The pointer that every addition reads is on the line that a spill writes.
#include "kernels/percpu_counter/counter_variant.hpp"
#include "kernels/percpu_counter/spilled_under_lock.hpp"

namespace hitmark::percpu_counter {
namespace {

struct Batched : SpilledUnderLock<percpu_counter::LinuxCounter> {
  using Counter = percpu_counter::LinuxCounter;
  static constexpr const char* kCounterType = "hitmark::percpu_counter::LinuxCounter";
  static constexpr const char* kLayoutType = "hitmark::percpu_counter::LinuxCounter";
  static constexpr std::array<Trait, 2> kTraits = {
      {{"place", "per CPU, spilled beside the pointer"}, {"method", "batched, spinlock"}}};
};

const RegisteredVariant registered(counter_variant<Batched>("batched",
                                                            "percpu_counter: a batch per CPU, spilled under a spinlock",
                                                            "Linux 6.18 (percpu_counter_add_batch)"));

}  // namespace
}  // namespace hitmark::percpu_counter
