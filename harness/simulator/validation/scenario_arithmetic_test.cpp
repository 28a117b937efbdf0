#include "harness/simulator/validation/scenario_arithmetic.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hitmark::simulator {
namespace {

TEST(ScenarioArithmetic, TheReferencesExamples) {
  // 256 CPUs, 20.9 M RPC/s with two updates each: the share of a 2 s period and the flushes per second that make 5 %.
  const double threshold = 64 * 256, rate = 2 * 20'884'499.0;
  EXPECT_NEAR(accumulating_share(threshold, rate, 2), 0.0002, 0.00001);
  EXPECT_NEAR(threshold / rate, 0.39e-3, 0.005e-3);
  EXPECT_NEAR(accumulating_share(threshold, rate, 1.0 / 127.5), 0.05, 0.0005);
  EXPECT_EQ(accumulating_share(threshold, 8'000, 2), 1);  // too slow to saturate ever
  EXPECT_EQ(accumulating_share(threshold, 0, 2), 1);
}

TEST(ScenarioArithmetic, WindowsThatKeepTheRateAndWindowsThatDoNot) {
  EXPECT_DOUBLE_EQ(share_of_windows(100, 0.05, 1000, 1), 0.1);         // 900 calls between them
  EXPECT_DOUBLE_EQ(share_of_windows(100, 0.5, 1000, 1), 100 / 600.0);  // half of the time is lost to them
  EXPECT_DOUBLE_EQ(share_of_windows(100, 1.5, 1000, 1), 1);
}

TEST(ScenarioArithmetic, AReaderFlushesOnlyAboveTheThreshold) {
  EXPECT_DOUBLE_EQ(flush_interval_of_readers(0.1, 0.0004), 0.1);
  EXPECT_DOUBLE_EQ(flush_interval_of_readers(0.001, 0.0004), 0.001);
  EXPECT_DOUBLE_EQ(flush_interval_of_readers(0.001, 0.0012), 0.002);  // the second one finds it saturated
  EXPECT_DOUBLE_EQ(flush_interval_of_readers(0.001, 0), 0.001);
}

TEST(ScenarioArithmetic, WeightsAreShares) {
  EXPECT_DOUBLE_EQ(weighted(0.25, 100, 20), 40);
  EXPECT_DOUBLE_EQ(weighted(0, 100, 20), 20);
  EXPECT_DOUBLE_EQ(weighted(1, 100, 20), 100);
}

TEST(ScenarioArithmetic, PrecisionOfBatches) {
  BatchMeans means;
  EXPECT_FALSE(means.as_precise_as(1));
  means.add(10);
  EXPECT_FALSE(means.as_precise_as(1));
  means.add(12);
  EXPECT_DOUBLE_EQ(means.get().mean, 11);
  EXPECT_NEAR(means.get().half_width, 12.706 * std::sqrt(2.0) / std::sqrt(2.0), 1e-9);
  means.add(11);
  EXPECT_NEAR(means.get().half_width, 4.303 / std::sqrt(3.0), 1e-9);
  EXPECT_TRUE(means.as_precise_as(0.23));
  EXPECT_FALSE(means.as_precise_as(0.22));
}

}  // namespace
}  // namespace hitmark::simulator
