// How much of the whole difference each named change of a chain of variants makes.
#pragma once

#include <span>
#include <vector>

#include "analysis/comparison.hpp"
#include "analysis/verdict.hpp"

namespace hitmark {

// Is `steps` a chain, each step going on where the one before ended? Empty: yes.
Result<void> check_chain(const std::vector<ChangeStep>& steps);

// `step_log_ratios[i]`: per invocation, log cost of steps[i].to minus that of steps[i].from, the same
// invocations for each i. `nulls`: log ratios of the nulls. Fills shares, or shares_note when the total is within the
// noise.
void add_shares(const std::vector<ChangeStep>& steps, const std::vector<ByInvocation>& step_log_ratios,
                std::span<const ByInvocation> nulls, const JudgeRule& rule, ConditionComparison& into);

}  // namespace hitmark
