#include "harness/runner_tally.hpp"

#include <algorithm>

namespace hitmark {

Result<RunTally> RunTally::of(const ResultStore& store, const std::string& run_id) {
  RunTally tally;
  std::map<std::string, int> reasons;
  const auto read = store.for_each_block(run_id, [&](const BlockRecord& block) {
    BlockTally& at = tally.at(block.condition, block.invocation);
    at.stored = std::max(at.stored, block.block + 1);
    if (block.discarded.empty())
      ++at.used;
    else
      ++reasons[block.discarded];
  });
  if (!read) return read.error();
  const auto commonest = std::max_element(reasons.begin(), reasons.end(),
                                          [](const auto& a, const auto& b) { return a.second < b.second; });
  if (commonest != reasons.end()) tally.commonest_discard_ = commonest->first;
  return tally;
}

int RunTally::used() const {
  int sum = 0;
  for (const auto& [key, tally] : tallies_) sum += tally.used;
  return sum;
}

int RunTally::stored() const {
  int sum = 0;
  for (const auto& [key, tally] : tallies_) sum += tally.stored;
  return sum;
}

bool RunTally::complete(const Plan& plan, int invocation) {
  for (std::size_t condition = 0; condition < plan.conditions.size(); ++condition)
    if (wants_block(plan, at(static_cast<int>(condition), invocation))) return false;
  return true;
}

}  // namespace hitmark
