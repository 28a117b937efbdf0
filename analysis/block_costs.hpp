// Blocks of one condition, reduced to one cost per arm and block, and from there to one value per
// invocation. Differences are taken within a block, because only its slices are comparable.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/results/sample.hpp"

namespace hitmark {

using ByInvocation = std::map<int, double>;

class BlockCosts {
 public:
  explicit BlockCosts(std::size_t arms) : arms_(arms) {}

  // Empty when the block was taken, else why it cannot be used.
  std::string add(const BlockRecord& block, std::size_t baseline);

  // Per invocation the median over its blocks of log((arm - empty) / (reference - empty)), with `empty` < 0:
  // nothing subtracted. Infinite where most blocks leave nothing above the empty loop. Invocations without
  // a block that has both arms are left out.
  ByInvocation log_ratios(std::size_t arm, std::size_t reference, int empty) const;
  // Per invocation the median cost in ticks per operation, `empty` subtracted likewise.
  ByInvocation costs(std::size_t arm, int empty) const;
  // The same of only those blocks that log_ratios(arm, reference, empty) uses: of both arms of a contrast.
  std::pair<ByInvocation, ByInvocation> costs_of_pair(std::size_t arm, std::size_t reference, int empty) const;

  // Those of its blocks for which `keep` is true of their number: in the order in which they were added, from 0.
  BlockCosts only(const std::function<bool(std::size_t)>& keep) const;

  int blocks() const { return blocks_; }
  int invocations() const { return static_cast<int>(rows_.size()); }

 private:
  std::size_t arms_;
  int blocks_ = 0;
  std::map<int, std::vector<double>> rows_;          // per invocation: arms_ costs for each block; NaN: not there
  std::map<int, std::vector<std::size_t>> numbers_;  // of those blocks
};

}  // namespace hitmark
