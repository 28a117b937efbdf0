// The family "stats-updates" as a study: a count that all CPUs read and some write, and where the test for it is.
#include "kernels/variant.hpp"

namespace hitmark::stats_updates {
namespace {

constexpr std::string_view kDefaultArms[] = {"check-then-add", "add-then-check", "check-own-line",
                                             "check-beside-read-mostly", "pushed-flag"};
constexpr Family::Step kSteps[] = {{"check-then-add", "add-then-check", "check"}};
constexpr std::string_view kRefused[] = {"mode", "refill", "depth", "limit-pages", "drain-period", "protected-pages"};

const Registered<Family> registered(Family{
    .name = "stats-updates",
    .title = "Counting updates until a flush is worth it: 6.16's test on every update against 6.8's on every 64th",
    .baseline = "check-then-add",
    .headline = "add-then-check",
    .default_arms = kDefaultArms,
    .steps = kSteps,
    .refused = kRefused,
});

}  // namespace
}  // namespace hitmark::stats_updates
