// The family "sock-charge" as a study: the patch of 2026 against Linux 6.18, and the chain of ablations that
// gives each of the patch's three changes its share.
#include "kernels/variant.hpp"

namespace hitmark::memcg {
namespace {

constexpr std::string_view kDefaultArms[] = {"percall7", "packed6", "percall6", "packed6-outline"};
constexpr Family::Step kSteps[] = {
    {"percall7", "percall6", "slots"},
    {"percall6", "packed6-outline", "statistics"},
    {"packed6-outline", "packed6", "inlining"},
};
constexpr std::string_view kRefused[] = {"batch"};

const Registered<Family> registered(Family{
    .name = "sock-charge",
    .title = "Socket memory charging: statistics batched in the stock line "
             "(20261028185034.3607746-5-kuniyu@google.com) against Linux 6.18",
    .baseline = "percall7",
    .headline = "packed6",
    .default_arms = kDefaultArms,
    .steps = kSteps,
    .refused = kRefused,
});

}  // namespace
}  // namespace hitmark::memcg
