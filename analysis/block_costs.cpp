// A block's cost of an arm: per CPU all its ticks over all its operations (both mirrored positions, so that a
// linear drift cancels), then the mean of the CPUs, each weighing the same however fast it was.
#include "analysis/block_costs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/statistics/interval.hpp"

namespace hitmark {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Sum {
  double ticks = 0, operations = 0;
};

// An arm that is as cheap as the empty loop has no logarithm, but it is certainly "less": the median takes it
// as such, so that dropping such blocks does not flatter either side.
double log_ratio(double arm, double reference) {
  if (std::isnan(arm) || std::isnan(reference) || (arm <= 0 && reference <= 0)) return kMissing;
  if (arm <= 0) return -kInfinity;
  if (reference <= 0) return kInfinity;
  return std::log(arm) - std::log(reference);
}

// Calls `value` with each block's row; the medians of what it returns, NaN left out.
template <typename Value>
ByInvocation medians(const std::map<int, std::vector<double>>& rows, std::size_t arms, Value value) {
  ByInvocation result;
  for (const auto& [invocation, costs] : rows) {
    std::vector<double> values;
    for (std::size_t row = 0; row < costs.size(); row += arms)
      if (const double v = value(&costs[row]); !std::isnan(v)) values.push_back(v);
    if (!values.empty()) result[invocation] = median(std::move(values));
  }
  return result;
}

}  // namespace

std::string BlockCosts::add(const BlockRecord& block, std::size_t baseline) {
  if (!block.discarded.empty()) return block.discarded;
  // Few CPUs and arms: sorted CPU numbers, then one sum for each CPU and arm.
  std::vector<int> cpus;
  for (const SliceRecord& slice : block.slices)
    if (std::find(cpus.begin(), cpus.end(), slice.cpu) == cpus.end()) cpus.push_back(slice.cpu);
  std::vector<Sum> sums(cpus.size() * arms_);
  for (const SliceRecord& slice : block.slices) {
    if (slice.arm < 0 || static_cast<std::size_t>(slice.arm) >= arms_) return "a slice of an arm that the run lacks";
    const auto cpu = static_cast<std::size_t>(std::find(cpus.begin(), cpus.end(), slice.cpu) - cpus.begin());
    Sum& sum = sums[cpu * arms_ + static_cast<std::size_t>(slice.arm)];
    sum.ticks += static_cast<double>(slice.ticks);
    sum.operations += static_cast<double>(slice.operations);
  }
  std::vector<double> row(arms_, cpus.empty() ? kMissing : 0.0);
  for (std::size_t cpu = 0; cpu < cpus.size(); ++cpu)
    for (std::size_t arm = 0; arm < arms_; ++arm) {
      const Sum& sum = sums[cpu * arms_ + arm];
      row[arm] += sum.operations > 0 ? sum.ticks / sum.operations / static_cast<double>(cpus.size()) : kMissing;
    }
  if (std::isnan(row[baseline])) return "the baseline did no operation on one of the CPUs";
  auto& rows = rows_[block.invocation];
  rows.insert(rows.end(), row.begin(), row.end());
  numbers_[block.invocation].push_back(static_cast<std::size_t>(blocks_++));
  return "";
}

BlockCosts BlockCosts::only(const std::function<bool(std::size_t)>& keep) const {
  BlockCosts kept(arms_);
  for (const auto& [invocation, numbers] : numbers_)
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (!keep(numbers[i])) continue;
      const auto row = rows_.at(invocation).begin() + static_cast<std::ptrdiff_t>(i * arms_);
      auto& rows = kept.rows_[invocation];
      rows.insert(rows.end(), row, row + static_cast<std::ptrdiff_t>(arms_));
      kept.numbers_[invocation].push_back(static_cast<std::size_t>(kept.blocks_++));
    }
  return kept;
}

ByInvocation BlockCosts::log_ratios(std::size_t arm, std::size_t reference, int empty) const {
  return medians(rows_, arms_, [&](const double* row) {
    const double overhead = empty < 0 ? 0 : row[empty];
    return log_ratio(row[arm] - overhead, row[reference] - overhead);
  });
}

std::pair<ByInvocation, ByInvocation> BlockCosts::costs_of_pair(std::size_t arm, std::size_t reference,
                                                                int empty) const {
  const auto of = [&](std::size_t which) {
    return medians(rows_, arms_, [&](const double* row) {
      const double overhead = empty < 0 ? 0 : row[empty];
      const bool used = !std::isnan(log_ratio(row[arm] - overhead, row[reference] - overhead));
      return used ? row[which] - overhead : kMissing;
    });
  };
  return {of(arm), of(reference)};
}

ByInvocation BlockCosts::costs(std::size_t arm, int empty) const {
  return medians(rows_, arms_, [&](const double* row) { return row[arm] - (empty < 0 ? 0 : row[empty]); });
}

}  // namespace hitmark
