// The family "percpu-counter" as a study: how to count on many CPUs, from one atomic to a part for each CPU.
#include "kernels/variant.hpp"

namespace hitmark::percpu_counter {
namespace {

constexpr std::string_view kDefaultArms[] = {"shared-atomic", "percpu-add", "batched", "padded-slots", "packed-slots"};
constexpr Family::Step kSteps[] = {
    {"shared-atomic", "packed-slots", "place"},
    {"packed-slots", "padded-slots", "place"},
    {"padded-slots", "percpu-add", "method"},
};
constexpr std::string_view kRefused[] = {"mode",         "refill",      "depth",          "limit-pages",
                                         "drain-period", "online-cpus", "protected-pages"};

const Registered<Family> registered(Family{
    .name = "percpu-counter",
    .title = "A counter that all CPUs add to: one atomic, slots, per-CPU parts, batches, shards",
    .baseline = "shared-atomic",
    .headline = "percpu-add",
    .default_arms = kDefaultArms,
    .steps = kSteps,
    .refused = kRefused,
});

}  // namespace
}  // namespace hitmark::percpu_counter
