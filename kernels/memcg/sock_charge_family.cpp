// The family "sock-charge" as a study: the patch of 2026 against Linux 6.18, and the chain of ablations that
// gives each of the patch's three changes its share. Each question is another change of the path's history.
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

constexpr Family::Question kQuestions[] = {
    {"g5-v4b", "g5-v5", "What does it cost to read a memcg's shared count on every update, not once per 64?"},
    {"g5-v5", "percall7", "And to count an update by one instruction instead of load and store?"},
    {"g3-v4", "g3-v4b", "What do cached pointers, and load and store, save on the walk up the hierarchy?"},
    {"g4-v5b", "percall7", "Random victims or round robin, with more memcgs than slots?"},
};

const Registered<Family> registered(Family{
    .name = "sock-charge",
    .title = "Socket memory charging: statistics batched in the stock line "
             "(20261028185034.3607746-5-kuniyu@google.com) against Linux 6.18",
    .baseline = "percall7",
    .headline = "packed6",
    .default_arms = kDefaultArms,
    .steps = kSteps,
    .refused = kRefused,
    .questions = kQuestions,
});

}  // namespace
}  // namespace hitmark::memcg
