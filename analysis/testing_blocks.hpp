// Runs with a known truth, for tests: arms whose costs are set, with noise per process, block and slice.
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "analysis/comparison.hpp"
#include "harness/results/sample.hpp"

namespace hitmark::testing_blocks {

struct Truth {
  std::vector<double> costs{100, 100, 100, 100};  // ticks per operation, by arm: see run_of
  double overhead = 0;                            // ticks per operation of the loop itself, in every arm
  int invocations = 8, blocks = 12;
  double arm_noise = 0.002;    // log; of an arm in a process: what placement of code and data does
  double block_noise = 0.05;   // log; the same for all arms of a block: cancels
  double slice_noise = 0.005;  // log
  std::vector<int> cpus{0};
  unsigned seed = 1;
};

// Arms: base, variant "v1".. as many as costs, null:same, null:copy (the last two costs), with `empty` one more.
inline RunRecord run_of(const Truth& truth, bool empty = false) {
  RunRecord run;
  run.run_id = "simulated";
  run.family = "test";
  run.machine = "native";
  run.ticks_per_second = 1e9;
  run.arms.push_back({"base", ArmRole::kBaseline, "base", {{"slots", "7"}, {"place", "near"}}});
  for (std::size_t i = 1; i + 2 < truth.costs.size(); ++i) {
    const std::string name = "v" + std::to_string(i);
    run.arms.push_back({name, ArmRole::kVariant, name, {{"slots", "6"}, {"place", "near"}}});
  }
  run.arms.push_back({"null:same", ArmRole::kNullSame, "base", {}});
  run.arms.push_back({"null:copy", ArmRole::kNullCopy, "base", {}});
  if (empty) run.arms.push_back({"empty", ArmRole::kEmpty, "", {}});
  run.conditions.push_back({"here", "single", "single", "node 0", truth.cpus, {}, {}});
  return run;
}

inline std::vector<BlockRecord> blocks_of(const Truth& truth, bool empty = false) {
  std::mt19937_64 random(truth.seed);
  std::normal_distribution<double> normal;
  const int arms = static_cast<int>(truth.costs.size()) + (empty ? 1 : 0);
  std::vector<BlockRecord> blocks;
  for (int invocation = 0; invocation < truth.invocations; ++invocation) {
    std::vector<double> shift(truth.costs.size());
    for (double& s : shift) s = truth.arm_noise * normal(random);
    for (int number = 0; number < truth.blocks; ++number) {
      BlockRecord block{0, invocation, number, 0, "", {}, {}};
      const double common = truth.block_noise * normal(random);
      for (int position = 0; position < 2 * arms; ++position) {
        const int arm = position < arms ? position : 2 * arms - 1 - position;
        const auto a = static_cast<std::size_t>(arm);
        for (const int cpu : truth.cpus) {
          const double own = a < truth.costs.size() ? truth.costs[a] * std::exp(shift[a]) : 0;
          const double cost = (own + truth.overhead) * std::exp(common + truth.slice_noise * normal(random));
          block.slices.push_back(
              {arm, position, cpu, 1'000'000, static_cast<std::uint64_t>(std::llround(cost * 1e6)), 1, 0, 2});
        }
      }
      blocks.push_back(std::move(block));
    }
  }
  return blocks;
}

inline BlockFeed feed(const std::vector<BlockRecord>& blocks) {
  return [&blocks](const std::function<void(const BlockRecord&)>& use) -> Result<void> {
    for (const BlockRecord& block : blocks) use(block);
    return {};
  };
}

}  // namespace hitmark::testing_blocks
