// Planted states and drift are found and told; steady blocks are left alone; what was not probed is not invented.
#include "analysis/block_state.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "analysis/comparison.hpp"
#include "analysis/testing_blocks.hpp"

namespace hitmark {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_blocks::blocks_of;
using testing_blocks::feed;
using testing_blocks::run_of;
using testing_blocks::Truth;

void probe(BlockRecord& block, std::string_view event, double value) {
  block.readings.push_back({std::string(event), "probe", "ns", -1, -1, "", "", value, Quality::kExact, "", ""});
}

// 8 invocations of 30 blocks; in every third block the CPUs are 62 ns apart instead of 27, and the arm costs 40 %
// more there instead of 10 %; block 5 of each invocation saw both.
std::vector<BlockRecord> two_states(const Truth& truth) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  auto blocks = blocks_of(truth);
  for (BlockRecord& block : blocks) {
    const bool far = block.block % 3 == 0;
    const auto latency = [&](bool is_far) { return (is_far ? 62 : 27) * std::exp(0.03 * normal(random)); };
    probe(block, kLatencyBefore, latency(far));
    probe(block, kLatencyAfter, latency(block.block == 5 ? !far : far));
    if (!far) continue;
    for (SliceRecord& slice : block.slices)
      if (slice.arm == 1) slice.ticks = static_cast<std::uint64_t>(static_cast<double>(slice.ticks) * 1.4 / 1.1);
  }
  return blocks;
}

TEST(BlockState, ARunInTwoStatesIsComparedInEach) {
  Truth truth;
  truth.costs = {100, 110, 100, 100};
  truth.blocks = 30;
  const auto blocks = two_states(truth);
  const auto comparison = compare_run(run_of(truth), feed(blocks), {});
  const ConditionComparison& condition = comparison->conditions.at(0);
  ASSERT_EQ(condition.strata.size(), 2u);
  EXPECT_NEAR(condition.strata[0].latency, 27, 1);
  EXPECT_NEAR(condition.strata[1].latency, 62, 2);
  EXPECT_EQ(condition.strata[0].blocks, 8 * 19) << "without the block that saw both";
  EXPECT_EQ(condition.strata[1].blocks, 8 * 10);
  // A process shifts an arm by 0.2 %: the mean over 8 has a standard error of 0.1 %.
  EXPECT_NEAR(*condition.strata[0].ratios.at(0).value, 1.1, 0.006);
  EXPECT_NEAR(*condition.strata[1].ratios.at(0).value, 1.4, 0.008);
  EXPECT_LT(*condition.strata[0].ratios.at(0).high, *condition.strata[1].ratios.at(0).low);
  EXPECT_THAT(condition.drift, ElementsAre("the latency between the CPUs had 2 states (27 ns in 152, 62 ns in 80 "
                                           "blocks), and changed within 8 blocks"));
}

TEST(BlockState, OneStateAndNoProbeGiveNoStrata) {
  Truth truth;
  auto blocks = blocks_of(truth);
  EXPECT_THAT(compare_run(run_of(truth), feed(blocks), {})->conditions[0].strata, IsEmpty());
  EXPECT_THAT(compare_run(run_of(truth), feed(blocks), {})->conditions[0].drift, IsEmpty());
  for (BlockRecord& block : blocks) probe(block, kLatencyBefore, 27 + block.block % 3);
  EXPECT_THAT(compare_run(run_of(truth), feed(blocks), {})->conditions[0].strata, IsEmpty());
}

TEST(BlockState, AProbeThatFailedIsNone) {
  BlockRecord block;
  probe(block, kLatencyBefore, 0);
  probe(block, kLatencyAfter, std::nan(""));
  block.readings.push_back(
      {std::string(kCalibrationBefore), "probe", "ticks", -1, -1, "", "", 5, Quality::kUnavailable, "", ""});
  block.readings.push_back({std::string(kCalibrationAfter), "probe", "ticks", 3, -1, "", "", 5, Quality::kExact, "", ""});
  const BlockProbe read = probe_of(block);
  EXPECT_FALSE(read.latency_before || read.latency_after || read.calibration_before || read.calibration_after);
  const LatencyStates states = latency_states(std::vector<BlockProbe>{read});
  EXPECT_THAT(states.centres, IsEmpty());
  EXPECT_THAT(states.of, ElementsAre(-1));
}

std::vector<BlockProbe> calibrated(double within, double over_run, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<BlockProbe> probes;
  for (int invocation = 0; invocation < 8; ++invocation)
    for (int block = 0; block < 30; ++block) {
      const double drift = (invocation == 3 ? within * block / 30 : 0) + over_run * invocation / 8;
      BlockProbe one;
      one.invocation = invocation;
      one.calibration_before = 1000 * std::exp(drift + 0.003 * normal(random));
      one.calibration_after = 1000 * std::exp(drift + 0.003 * normal(random));
      probes.push_back(one);
    }
  return probes;
}

TEST(BlockState, PlantedDriftIsFlaggedAndSteadinessIsNot) {
  int steady = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) steady += !drift_flags(calibrated(0, 0, seed), {}).empty();
  EXPECT_EQ(steady, 0) << "the loop varies by 0.3 %";
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const auto within = drift_flags(calibrated(0.05, 0, seed), {});
    ASSERT_EQ(within.size(), 1u) << seed;
    EXPECT_THAT(within[0], HasSubstr("drifted within 1 of 8 invocations, by up to +3."));
    const auto over_run = drift_flags(calibrated(0, -0.05, seed), {});
    ASSERT_EQ(over_run.size(), 1u) << seed;
    EXPECT_THAT(over_run[0], HasSubstr("over the run, by -"));
  }
}

}  // namespace
}  // namespace hitmark
