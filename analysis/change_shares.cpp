// Log ratios of a chain add up, because each step is the difference of two arms' values against the same
// baseline in the same invocations. A share of a total that may be zero would be a random number.
#include "analysis/change_shares.hpp"

namespace hitmark {

Result<void> check_chain(const std::vector<ChangeStep>& steps) {
  for (std::size_t i = 1; i < steps.size(); ++i)
    if (steps[i].from != steps[i - 1].to)
      return Error{ErrorKind::kInvalid,
                   "the changes are no chain: '" + steps[i - 1].change + "' ends at " + steps[i - 1].to + ", but '" +
                       steps[i].change + "' starts from " + steps[i].from,
                   ""};
  return {};
}

void add_shares(const std::vector<ChangeStep>& steps, const std::vector<std::vector<double>>& step_log_ratios,
                std::span<const MeanInterval> nulls, const JudgeRule& rule, ConditionComparison& into) {
  const std::size_t invocations = step_log_ratios.front().size();
  std::vector<double> totals(invocations, 0.0);
  for (const auto& values : step_log_ratios)
    for (std::size_t i = 0; i < invocations; ++i) totals[i] += values[i];
  const MeanInterval total = mean_interval(totals, 1 - rule.alpha);
  const auto [verdict, why] = judge(total, nulls, rule);
  if (verdict != Verdict::kBetter && verdict != Verdict::kWorse) {
    if (!total.low || !noise_floor(nulls)) {
      into.shares_note = "no shares: " + why;
      return;
    }
    into.shares_note =
        "no shares: the total of " + steps.front().from + " to " + steps.back().to + " is not beyond the noise floor";
    return;
  }
  for (std::size_t step = 0; step < steps.size(); ++step) {
    const MeanInterval log_ratio = mean_interval(step_log_ratios[step], 1 - rule.alpha);
    into.shares.push_back(
        {steps[step].change, steps[step].from, steps[step].to, ratio_of(log_ratio), log_ratio.mean / total.mean});
  }
}

}  // namespace hitmark
