// What else a reader must know about the blocks of a condition: which were discarded and why, which phase
// the statistics were in, what was counted, and how the CPUs differ.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/comparison.hpp"
#include "harness/results/sample.hpp"

namespace hitmark {

class BlockSummary {
 public:
  explicit BlockSummary(std::size_t arms) : phases_(arms) {}

  void discard(const std::string& reason) { ++discarded_[reason]; }
  void use(const BlockRecord& block);

  // Of a simulated arm: how far the mean of its slices is known, as a share of it; the standard errors of those slices
  // that missed the precision that was aimed at, over all of its slices. 0 when none did.
  double imprecision(std::size_t arm) const;

  // Fills blocks_discarded, discard_reasons, phases, readings and cpu_costs.
  void report(const std::vector<ArmRecord>& arms, ConditionComparison& into) const;

 private:
  struct Total {
    double value = 0;
    Quality worst = Quality::kExact;
    int counted = 0, missing = 0;
    std::string reason, hint;  // of the first that is not plain
  };
  // event, source, unit, cpu, arm, object, field
  using ReadingKey = std::tuple<std::string, std::string, std::string, int, int, std::string, std::string>;

  void add_reading(const Reading& reading);
  Reading total_of(const ReadingKey& key, const Total& total) const;

  std::map<std::string, int> discarded_;
  std::vector<std::map<int, std::uint64_t>> phases_;  // by arm: slices in each phase
  std::map<ReadingKey, Total> readings_;
  std::map<std::pair<std::size_t, int>, std::pair<double, double>> cpus_;  // (arm, cpu): ticks, operations
};

}  // namespace hitmark
