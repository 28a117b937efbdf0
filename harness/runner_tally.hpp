// How far a stored run has come: blocks by condition and invocation.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "harness/plan.hpp"
#include "harness/results/result_store.hpp"
#include "support/result.hpp"

namespace hitmark {

struct BlockTally {
  int used = 0, stored = 0;  // `stored` counts discarded blocks too; it is the next block's number
};

class RunTally {
 public:
  static Result<RunTally> of(const ResultStore& store, const std::string& run_id);

  BlockTally& at(int condition, int invocation) { return tallies_[{condition, invocation}]; }
  int used() const;
  int stored() const;
  bool complete(const Plan& plan, int invocation);
  const std::string& commonest_discard() const { return commonest_discard_; }

 private:
  std::map<std::pair<int, int>, BlockTally> tallies_;
  std::string commonest_discard_;
};

// A discarded block is replaced by another one; twice the planned number is the end of it.
inline bool wants_block(const Plan& plan, const BlockTally& tally) {
  return tally.used < plan.blocks && tally.stored < 2 * plan.blocks;
}

}  // namespace hitmark
