// The family "page-counter" as a study: the layouts of struct page_counter from 5.11 to 6.18, the protections' atomics,
// and the stock that would make the walks rare.
#include "kernels/variant.hpp"

namespace hitmark::page_counter {
namespace {

constexpr std::string_view kDefaultArms[] = {"l0", "l1", "l1-on-change", "l2", "l3", "l4"};
constexpr Family::Step kSteps[] = {
    {"l0", "l1", "layout"},           {"l1", "l1-on-change", "protection"},
    {"l1-on-change", "l2", "layout"}, {"l2", "l3", "layout"},
    {"l3", "l4", "layout"},
};
constexpr std::string_view kRefused[] = {"refill", "online-cpus"};

const Registered<Family> registered(Family{
    .name = "page-counter",
    .title = "Charging the page counters of a hierarchy: the layouts and protection rules of Linux 5.11 to 6.18",
    .baseline = "l0",
    .headline = "l4",
    .default_arms = kDefaultArms,
    .steps = kSteps,
    .refused = kRefused,
});

}  // namespace
}  // namespace hitmark::page_counter
