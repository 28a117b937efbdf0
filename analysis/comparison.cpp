// Puts a comparison together: blocks are read once, in a stream, and reduced to one number per arm and block;
// everything after that is small.
#include "analysis/comparison.hpp"

#include <optional>

#include "analysis/arm_roles.hpp"
#include "analysis/block_costs.hpp"
#include "analysis/block_summary.hpp"
#include "analysis/change_shares.hpp"
#include "analysis/condition_comparison.hpp"
#include "analysis/contrast_correction.hpp"

namespace hitmark {
namespace {

std::string headline_of(const RunRecord& run, const std::vector<ChangeStep>& steps) {
  if (!steps.empty())
    if (const auto last = arm_of_variant(run, steps.back().to); last && run.arms[*last].role == ArmRole::kVariant)
      return run.arms[*last].name;
  for (const ArmRecord& arm : run.arms)
    if (arm.role == ArmRole::kVariant) return arm.name;
  return "";
}

}  // namespace

Result<RunComparison> compare_run(const RunRecord& run, const BlockFeed& blocks, const std::vector<ChangeStep>& steps,
                                  const CompareOptions& options) {
  if (run.arms.empty()) return Error{ErrorKind::kInvalid, "run " + run.run_id + " has no arms to compare", ""};
  if (auto chain = check_chain(steps); !chain) return chain.error();
  const ArmRoles roles = roles_of(run.arms);
  std::vector<BlockCosts> costs(run.conditions.size(), BlockCosts(run.arms.size()));
  std::vector<BlockSummary> summaries(run.conditions.size(), BlockSummary(run.arms.size()));
  std::vector<std::vector<BlockProbe>> probes(run.conditions.size());
  std::optional<int> stray;
  const auto fed = blocks([&](const BlockRecord& block) {
    if (block.condition < 0 || static_cast<std::size_t>(block.condition) >= run.conditions.size()) {
      stray = block.condition;
      return;
    }
    const auto condition = static_cast<std::size_t>(block.condition);
    if (const std::string reason = costs[condition].add(block, roles.baseline); !reason.empty())
      return summaries[condition].discard(reason);
    summaries[condition].use(block);
    probes[condition].push_back(probe_of(block));
  });
  if (!fed) return fed.error();
  if (stray)
    return Error{ErrorKind::kInvalid,
                 "run " + run.run_id + " has a block of condition " + std::to_string(*stray) + ", and only " +
                     std::to_string(run.conditions.size()) + " conditions",
                 ""};
  RunComparison comparison{run, headline_of(run, steps), options.basis, {}, options.margin, options.alpha};
  for (std::size_t i = 0; i < run.conditions.size(); ++i)
    comparison.conditions.push_back(
        compare_condition(run, run.conditions[i], {costs[i], summaries[i], probes[i]}, steps, options));
  correct_for_all_contrasts(comparison);
  return comparison;
}

}  // namespace hitmark
