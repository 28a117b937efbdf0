#include "analysis/statistics/trend.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace hitmark {
namespace {

// Mann-Kendall by hand: 10 values in order have S = 45, variance 125, z = 44 / sqrt(125) = 3.9355, p = 8.3e-5.
TEST(Trend, OfRisingAndFallingValues) {
  std::vector<double> rising;
  for (int i = 1; i <= 10; ++i) rising.push_back(100 + i);
  const Trend up = trend_of(rising);
  EXPECT_NEAR(up.p_value, 8.30e-5, 1e-6);
  EXPECT_NEAR(up.change, std::log(109.0 / 102), 1e-12);
  const Trend down = trend_of(std::vector<double>(rising.rbegin(), rising.rend()));
  EXPECT_NEAR(down.p_value, up.p_value, 1e-12);
  EXPECT_NEAR(down.change, -up.change, 1e-12);
}

TEST(Trend, AlarmsOnNoiseAsOftenAsItSays) {
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal(100, 1);
  int alarms = 0;
  for (int run = 0; run < 2000; ++run) {
    std::vector<double> values(30);
    for (double& value : values) value = normal(random);
    alarms += trend_of(values).p_value <= 0.05;
  }
  EXPECT_LE(alarms, 116);
  EXPECT_GE(alarms, 60);
}

TEST(Trend, OfFewOrEqualValuesIsNone) {
  EXPECT_EQ(trend_of({}).p_value, 1);
  EXPECT_EQ(trend_of(std::vector<double>{1, 2, 3, 4, 5}).p_value, 1);
  EXPECT_EQ(trend_of(std::vector<double>(50, 3.0)).p_value, 1);
  std::vector<double> many;
  for (int i = 0; i < 50'000; ++i) many.push_back(1 + i * 1e-5);
  EXPECT_LT(trend_of(many).p_value, 1e-9) << "and in no long time";
}

}  // namespace
}  // namespace hitmark
