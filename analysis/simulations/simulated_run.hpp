// Whole runs of noisy arms with a known truth, judged by compare_run as real ones are.
#pragma once

#include <cmath>
#include <vector>

#include "analysis/comparison.hpp"
#include "analysis/testing_blocks.hpp"
#include "analysis/testing_noise.hpp"

namespace hitmark::simulations {

using testing_noise::Noise;
using testing_noise::Process;

struct SimulatedRun {
  Noise noise = Noise::kNormal;
  Process process = {};
  std::vector<double> effects = {0};  // log ratio of each variant to the baseline
  int invocations = 8;
  // Nulls that are the baseline to the tick give a noise floor of 0: the test alone, without its guard.
  bool exact_nulls = true;
  double copy_effect = 0;  // log ratio of null:copy to the baseline: what another place of the code does
};

inline RunRecord record_of(const SimulatedRun& simulated) {
  testing_blocks::Truth truth;
  truth.costs.assign(simulated.effects.size() + 3, 100);
  return testing_blocks::run_of(truth);
}

// Arms: baseline, variants, null:same, null:copy. A block has one slice of each on one CPU.
inline std::vector<BlockRecord> blocks_of(const SimulatedRun& simulated, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  const std::size_t arms = simulated.effects.size() + 3;
  std::vector<BlockRecord> blocks;
  for (int invocation = 0; invocation < simulated.invocations; ++invocation) {
    std::vector<testing_noise::Series> series;
    std::vector<double> shifts;
    for (std::size_t arm = 0; arm < arms; ++arm) {
      const bool variant = arm > 0 && arm + 2 < arms;
      series.emplace_back(simulated.noise, random);
      shifts.push_back(simulated.process.between * normal(random) + (variant           ? simulated.effects[arm - 1]
                                                                     : arm + 1 == arms ? simulated.copy_effect
                                                                                       : 0));
    }
    for (int number = 0; number < simulated.process.blocks; ++number) {
      BlockRecord block{0, invocation, number, 0, "", {}, {}};
      for (std::size_t arm = 0; arm < arms; ++arm) {
        const double cost = 100 * std::exp(shifts[arm] + simulated.process.within * series[arm].next());
        const auto ticks = static_cast<std::uint64_t>(std::llround(cost * 1e6));
        const bool exact = simulated.exact_nulls && arm + 2 >= arms;
        block.slices.push_back({static_cast<int>(arm), static_cast<int>(arm), 0, 1'000'000,
                                exact ? block.slices[0].ticks : ticks, 1, 0, 2});
      }
      blocks.push_back(std::move(block));
    }
  }
  return blocks;
}

inline ConditionComparison judged(const SimulatedRun& simulated, std::mt19937_64& random,
                                  const CompareOptions& options = {}) {
  const auto blocks = blocks_of(simulated, random);
  return compare_run(record_of(simulated), testing_blocks::feed(blocks), {}, options)->conditions.at(0);
}

inline bool is_alarm(Verdict verdict) { return verdict == Verdict::kBetter || verdict == Verdict::kWorse; }

}  // namespace hitmark::simulations
