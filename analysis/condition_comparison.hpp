// The comparison of one condition, from its blocks' costs.
#pragma once

#include <span>
#include <vector>

#include "analysis/arm_roles.hpp"
#include "analysis/block_costs.hpp"
#include "analysis/block_state.hpp"
#include "analysis/block_summary.hpp"
#include "analysis/comparison.hpp"

namespace hitmark {

struct ConditionBlocks {
  const BlockCosts& costs;
  const BlockSummary& summary;
  std::span<const BlockProbe> probes;  // one for each block of `costs`, in the order in which they were added
};

// Verdicts are those of each contrast for itself: contrast_correction.hpp.
ConditionComparison compare_condition(const RunRecord& run, const ConditionRecord& condition,
                                      const ConditionBlocks& blocks, const std::vector<ChangeStep>& steps,
                                      const CompareOptions& options);

}  // namespace hitmark
