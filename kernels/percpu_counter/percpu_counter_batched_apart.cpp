// batched with the pointer that every addition reads on a line that nothing writes: what the layout of struct
// percpu_counter costs.
#include "kernels/percpu_counter/counter_variant.hpp"
#include "kernels/percpu_counter/spilled_under_lock.hpp"

namespace hitmark::percpu_counter {
namespace {

struct BatchedApart : SpilledUnderLock<percpu_counter::ApartCounter> {
  using Counter = percpu_counter::ApartCounter;
  static constexpr const char* kCounterType = "hitmark::percpu_counter::ApartCounter";
  static constexpr const char* kLayoutType = "hitmark::percpu_counter::ApartCounter";
  static constexpr std::array<Trait, 2> kTraits = {
      {{"place", "per CPU, spilled apart"}, {"method", "batched, spinlock"}}};
};

const RegisteredVariant registered(
    counter_variant<BatchedApart>("batched-apart", "the same, with the pointer on another line than lock and count",
                                  "counter-example to the layout of batched"));

}  // namespace
}  // namespace hitmark::percpu_counter
