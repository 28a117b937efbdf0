// Linux 6.16 and later: read the shared count on every update, count privately, add a batch with LOCK.
#include "kernels/stats_updates/shared_count.hpp"

namespace hitmark::stats_updates {
namespace {

struct CheckThenAdd : CheckThenAddTo<hitmark::stats_updates::Stats> {
  static constexpr const char* kLayoutType = "hitmark::stats_updates::Stats";
  static constexpr std::array<Trait, 3> kTraits = {
      {{"check", "every update"}, {"count", "batched"}, {"place", "beside the flusher"}}};
};

const RegisteredVariant registered(
    stats_variant<CheckThenAdd>("check-then-add", "the shared count is read on every update, a batch of 64 is added",
                                "Linux 6.16 (20250410025752.92159-1-shakeel.butt@linux.dev)"));

}  // namespace
}  // namespace hitmark::stats_updates
