// One block at a time, by hand.
#include "analysis/block_costs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace hitmark {
namespace {

// Arms: 0 baseline, 1 variant, 2 empty; one operation each, at these ticks.
BlockRecord block(int invocation, std::vector<std::uint64_t> ticks) {
  BlockRecord made{0, invocation, 0, 0, "", {}, {}};
  for (std::size_t arm = 0; arm < ticks.size(); ++arm)
    made.slices.push_back({static_cast<int>(arm), static_cast<int>(arm), 0, 1, ticks[arm], 0, 0, 0});
  return made;
}

BlockCosts costs_of(const std::vector<BlockRecord>& blocks) {
  BlockCosts costs(3);
  for (const BlockRecord& made : blocks) EXPECT_EQ(costs.add(made, 0), "");
  return costs;
}

TEST(BlockCosts, BothPositionsOfAnArmCountTogether) {
  BlockRecord both = block(0, {10, 20, 1});
  both.slices.push_back({1, 3, 0, 3, 20, 0, 0, 0});  // with 20 in 1: 40 ticks in 4 operations
  EXPECT_EQ(costs_of({both}).costs(1, -1).at(0), 10);
}

TEST(BlockCosts, TheMedianIsTakenWithinEachInvocation) {
  const BlockCosts costs =
      costs_of({block(0, {10, 20, 1}), block(0, {10, 30, 1}), block(0, {10, 900, 1}), block(1, {10, 10, 1})});
  const ByInvocation ratios = costs.log_ratios(1, 0, -1);
  ASSERT_EQ(ratios.size(), 2u);
  EXPECT_NEAR(ratios.at(0), std::log(3), 1e-12);
  EXPECT_EQ(ratios.at(1), 0);
  EXPECT_NEAR(costs.log_ratios(1, 0, 2).at(0), std::log(29.0 / 9), 1e-12);
  EXPECT_EQ(costs.costs(1, 2).at(1), 9);
}

TEST(BlockCosts, CostsOfAPairAreOfTheBlocksOfItsRatio) {
  const BlockCosts costs = costs_of({block(0, {2, 1, 2}), block(0, {22, 12, 2})});
  const auto [arm, baseline] = costs.costs_of_pair(1, 0, 2);
  EXPECT_NEAR(arm.at(0), 10, 1e-12);
  EXPECT_NEAR(baseline.at(0), 20, 1e-12);
}

// Leaving such a block out would give the mean of the other two and flatter the baseline.
TEST(BlockCosts, ABlockWithNothingAboveTheEmptyLoopCountsAsInfinitelyCheap) {
  const std::vector<BlockRecord> blocks{block(0, {12, 2, 2}), block(0, {12, 7, 2}), block(0, {12, 12, 2})};
  EXPECT_NEAR(costs_of(blocks).log_ratios(1, 0, 2).at(0), std::log(0.5), 1e-12);
  EXPECT_NEAR(costs_of(blocks).log_ratios(0, 1, 2).at(0), std::log(2), 1e-12);
  EXPECT_TRUE(std::isinf(costs_of({block(0, {12, 1, 2})}).log_ratios(1, 0, 2).at(0)));
  EXPECT_TRUE(costs_of({block(0, {2, 1, 2})}).log_ratios(1, 0, 2).empty()) << "nothing against nothing says nothing";
}

TEST(BlockCosts, AnArmThatMissesACpuIsLeftOutOfThatBlock) {
  BlockRecord partial = block(0, {10, 20, 1});
  partial.slices.push_back({0, 3, 1, 1, 10, 0, 0, 0});  // only the baseline ran on CPU 1
  EXPECT_TRUE(costs_of({partial}).log_ratios(1, 0, -1).empty());
  EXPECT_EQ(costs_of({partial}).costs(0, -1).at(0), 10);
}

}  // namespace
}  // namespace hitmark
