// check-then-add with the count beside the pointer that every update reads: one line for both, which every added batch
// takes away from all CPUs, also from those that only wanted the pointer.
#include "kernels/stats_updates/shared_count.hpp"

namespace hitmark::stats_updates {
namespace {

struct CheckBesideReadMostly : CheckThenAddTo<StatsBesideReadMostly> {
  static constexpr const char* kLayoutType = "hitmark::stats_updates::StatsBesideReadMostly";
  static constexpr std::array<Trait, 3> kTraits = {
      {{"check", "every update"}, {"count", "batched"}, {"place", "beside read-mostly"}}};
};

const RegisteredVariant registered(stats_variant<CheckBesideReadMostly>(
    "check-beside-read-mostly", "check-then-add with the count beside what every update reads", "counter-example"));

}  // namespace
}  // namespace hitmark::stats_updates
