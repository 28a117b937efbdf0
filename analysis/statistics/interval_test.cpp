// Against published figures: Student's own data and the printed t table.
#include "analysis/statistics/interval.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace hitmark {
namespace {

TEST(Median, OfOddEvenAndInfiniteValues) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median({7}), 7);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(median({-kInfinity, 1, 2}), 1);
  EXPECT_EQ(median({-kInfinity, -kInfinity, 2}), -kInfinity);
  EXPECT_TRUE(std::isnan(median({-kInfinity, kInfinity})));
  EXPECT_EQ(median({1e308, 1e308}), 1e308) << "must not overflow";
}

// Table of the t distribution as every textbook prints it (two-sided 95 %: p = 0.975).
TEST(StudentQuantile, MatchesThePrintedTable) {
  EXPECT_NEAR(student_quantile(0.975, 1), 12.706, 5e-4);
  EXPECT_NEAR(student_quantile(0.975, 4), 2.776, 5e-4);
  EXPECT_NEAR(student_quantile(0.975, 9), 2.262, 5e-4);
  EXPECT_NEAR(student_quantile(0.975, 30), 2.042, 5e-4);
  EXPECT_NEAR(student_quantile(0.95, 7), 1.895, 5e-4);
}

// Student (1908), "The probable error of a mean": additional hours of sleep, drug 2 minus drug 1 (Cushny and
// Peebles). R's t.test(sleep, paired) prints t = 4.0621, df = 9, p = 0.002833, interval 0.7001142 2.4598858.
TEST(MeanInterval, OfStudentsSleepData) {
  const std::vector<double> hours{1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4};
  const MeanInterval interval = mean_interval(hours);
  EXPECT_EQ(interval.count, 10);
  EXPECT_NEAR(interval.mean, 1.58, 1e-12);
  EXPECT_NEAR(interval.standard_deviation, 1.229995, 1e-6);
  ASSERT_TRUE(interval.low && interval.high);
  EXPECT_NEAR(*interval.low, 0.7001142, 1e-7);
  EXPECT_NEAR(*interval.high, 2.4598858, 1e-7);
  EXPECT_NEAR(*interval.p_value, 0.002833, 5e-7);
}

TEST(MeanInterval, HasNoIntervalBelowFiveValues) {
  const std::vector<double> values{1, 2, 3, 4};
  EXPECT_FALSE(mean_interval(values).low || mean_interval(values).high);
  EXPECT_FALSE(mean_interval(values).p_value);
  EXPECT_EQ(mean_interval(values).mean, 2.5);
  EXPECT_EQ(mean_interval({}).count, 0);
  EXPECT_TRUE(mean_interval(std::vector<double>{1, 2, 3, 4, 5}).low);
}

TEST(MeanInterval, OfEqualValuesIsAPoint) {
  const MeanInterval same = mean_interval(std::vector<double>(6, 0.1));
  EXPECT_EQ(same.mean, 0.1);
  EXPECT_EQ(same.low, 0.1);
  EXPECT_EQ(same.high, 0.1);
  EXPECT_EQ(same.p_value, 0.0);
  EXPECT_EQ(mean_interval(std::vector<double>(6, 0.0)).p_value, 1.0);
}

// 2000 samples of 8 normal values: coverage is binomial with p = 0.95, sd = 0.49 %; four of them either way.
TEST(MeanInterval, CoversTheTruthAsOftenAsItSays) {
  std::mt19937_64 random(20260101);
  std::normal_distribution<double> normal(0.03, 0.02);
  int covered = 0;
  for (int sample = 0; sample < 2000; ++sample) {
    std::vector<double> values(8);
    for (double& value : values) value = normal(random);
    const MeanInterval interval = mean_interval(values);
    covered += *interval.low <= 0.03 && 0.03 <= *interval.high;
  }
  EXPECT_NEAR(covered / 2000.0, 0.95, 4 * std::sqrt(0.95 * 0.05 / 2000));
}

}  // namespace
}  // namespace hitmark
