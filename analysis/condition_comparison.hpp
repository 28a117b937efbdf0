// The comparison of one condition, from its blocks' costs.
#pragma once

#include <vector>

#include "analysis/arm_roles.hpp"
#include "analysis/block_costs.hpp"
#include "analysis/block_summary.hpp"
#include "analysis/comparison.hpp"

namespace hitmark {

ConditionComparison compare_condition(const RunRecord& run, const ConditionRecord& condition, const BlockCosts& costs,
                                      const BlockSummary& summary, const std::vector<ChangeStep>& steps,
                                      CostBasis basis);

}  // namespace hitmark
