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

void add_shares(const std::vector<ChangeStep>& steps, const std::vector<ByInvocation>& step_log_ratios,
                std::span<const ByInvocation> nulls, const JudgeRule& rule, ConditionComparison& into) {
  ByInvocation totals;
  for (const ByInvocation& values : step_log_ratios)
    for (const auto& [invocation, value] : values) totals[invocation] += value;
  const Evidence evidence = evidence_of(totals, nulls, 1 - rule.alpha);
  const MeanInterval& total = evidence.difference;
  const auto [verdict, why] = judge(evidence, rule);
  if (verdict != Verdict::kBetter && verdict != Verdict::kWorse) {
    if (!total.low || !evidence.noise_floor) {
      into.shares_note = "no shares: " + why;
      return;
    }
    into.shares_note =
        "no shares: the total of " + steps.front().from + " to " + steps.back().to + " is not beyond the noise floor";
    return;
  }
  for (std::size_t step = 0; step < steps.size(); ++step) {
    const MeanInterval log_ratio = evidence_of(step_log_ratios[step], {}, 1 - rule.alpha).difference;
    into.shares.push_back(
        {steps[step].change, steps[step].from, steps[step].to, ratio_of(log_ratio), log_ratio.mean / total.mean});
  }
}

}  // namespace hitmark
