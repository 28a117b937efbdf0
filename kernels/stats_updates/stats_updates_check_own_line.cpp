// check-then-add with the count on a line of its own: nothing but counting invalidates what every update reads.
#include "kernels/stats_updates/shared_count.hpp"

namespace hitmark::stats_updates {
namespace {

struct CheckOwnLine : CheckThenAddTo<StatsOwnLine> {
  static constexpr const char* kLayoutType = "hitmark::stats_updates::StatsOwnLine";
  static constexpr std::array<Trait, 3> kTraits = {
      {{"check", "every update"}, {"count", "batched"}, {"place", "own line"}}};
};

const RegisteredVariant registered(stats_variant<CheckOwnLine>("check-own-line",
                                                               "check-then-add with the count on a line of its own",
                                                               "ours"));

}  // namespace
}  // namespace hitmark::stats_updates
