#include "harness/plan.hpp"

#include <algorithm>
#include <cmath>

#include "harness/plan_parts.hpp"
#include "support/seeds.hpp"

namespace hitmark {
namespace {

constexpr int kInvocations = 5;  // the fewest that give an interval between processes worth printing
constexpr int kMaxInvocations = 1000;
constexpr int kMaxBlocks = 10'000;
// A deterministic machine has no noise that more blocks of an invocation would average away.
constexpr int kDeterministicBlocks = 1;
constexpr double kShareOfBudget = 0.9;  // the rest is for starting up and for blocks that are discarded
// Guesses: what a slice costs beyond its own time (re-warming, barriers), storing a block, setting up an arm
// and a condition, starting a process. The runner goes by measured times; this only decides what is tried.
constexpr double kSliceFactor = 1.3, kSliceSeconds = 30e-6, kBlockSeconds = 3e-3, kArmSeconds = 4e-3,
                 kConditionSeconds = 10e-3, kProcessSeconds = 0.1;

double block_seconds(const Plan& plan) {
  const double slice = plan.slice_seconds * kSliceFactor + kSliceSeconds;
  return kBlockSeconds + 2.0 * static_cast<double>(plan.arms.size()) * slice;
}

double seconds_without_blocks(const Plan& plan) {
  const double condition = kConditionSeconds + kArmSeconds * static_cast<double>(plan.arms.size());
  return plan.invocations * (kProcessSeconds + condition * static_cast<double>(plan.conditions.size()));
}

std::string in_seconds(double seconds) { return std::to_string(static_cast<long>(std::ceil(seconds))) + " s"; }

void choose_blocks(Plan& plan, double budget) {
  const double in_all = plan.invocations * static_cast<double>(plan.conditions.size());
  const double fit = (kShareOfBudget * budget - seconds_without_blocks(plan)) / (in_all * block_seconds(plan));
  plan.blocks = static_cast<int>(std::clamp(std::floor(fit), 1.0, static_cast<double>(kMaxBlocks)));
  if (fit < 1)
    plan.warnings.push_back("the budget of " + in_seconds(budget) + " is short for " +
                            std::to_string(plan.conditions.size()) + " conditions in " +
                            std::to_string(plan.invocations) + " processes, which take about " +
                            in_seconds(expected_seconds(plan) / kShareOfBudget) + ": some will have no blocks");
}

}  // namespace

double expected_seconds(const Plan& plan) {
  return seconds_without_blocks(plan) +
         plan.invocations * static_cast<double>(plan.conditions.size()) * plan.blocks * block_seconds(plan);
}

Result<Plan> make_plan(const RunRequest& request, const Topology& topology) {
  if (!(request.budget_seconds > 0) || !std::isfinite(request.budget_seconds))
    return Error{ErrorKind::kUsage, "the budget must be more than nothing", "--budget 20s"};
  if (request.invocations < 0 || request.invocations > kMaxInvocations)
    return Error{ErrorKind::kUsage,
                 std::to_string(request.invocations) + " invocations: it takes 1 to " + std::to_string(kMaxInvocations),
                 "--invocations 5"};
  Plan plan;
  plan.family = request.family;
  plan.seed = request.seed;
  plan.invocations = request.invocations > 0 ? request.invocations : kInvocations;
  auto arms = plan_arms(request, plan.warnings);
  if (!arms) return arms.error();
  plan.arms = std::move(*arms);
  auto conditions = plan_conditions(request, topology);
  if (!conditions) return conditions.error();
  plan.conditions = std::move(*conditions);
  const auto works = [](const Condition& c) { return driver_works_between_operations(c.workload); };
  if (std::any_of(plan.conditions.begin(), plan.conditions.end(), works)) plan.arms.push_back(empty_arm());
  if (request.deterministic)
    plan.blocks = kDeterministicBlocks;
  else
    choose_blocks(plan, request.budget_seconds);
  return plan;
}

std::vector<int> block_order(const Plan& plan, int condition, int invocation, int block) {
  const auto part = [](int number) { return static_cast<std::uint64_t>(number); };
  std::vector<int> order = permutation(static_cast<int>(plan.arms.size()),
                                       mixed_seed({plan.seed, part(condition), part(invocation), part(block)}));
  // A driver that does nothing between operations is not subtracted: the call belongs to the operation.
  const auto& workload = plan.conditions.at(static_cast<std::size_t>(condition)).workload;
  if (!driver_works_between_operations(workload))
    std::erase_if(order,
                  [&](int arm) { return plan.arms[static_cast<std::size_t>(arm)].record.role == ArmRole::kEmpty; });
  order.insert(order.end(), order.rbegin(), order.rend());
  return order;
}

}  // namespace hitmark
