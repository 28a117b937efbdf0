// Close to Student's t where that is right, wider where tails are long, the same on every call.
#include "analysis/statistics/bootstrap.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "analysis/statistics/interval.hpp"

namespace hitmark {
namespace {

std::vector<double> normal_values(int count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0.03, 0.02);
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values) value = normal(random);
  return values;
}

TEST(Bootstrap, IsStudentsIntervalForManyNormalValues) {
  const auto values = normal_values(400, 3);
  const MeanInterval student = student_interval(values);
  const auto half_width = bootstrap_half_width(values, 0.95);
  ASSERT_TRUE(half_width);
  EXPECT_NEAR(*half_width / (*student.high - student.mean), 1, 0.06);
}

// Of 20 log-normal values the mean's t has longer tails than Student's: the interval is wider than his.
TEST(Bootstrap, IsWiderWhereThereIsALongTail) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> skewed(0, 1);
  double ratio = 0;
  for (int sample = 0; sample < 50; ++sample) {
    std::vector<double> values(20);
    for (double& value : values) value = skewed(random);
    const MeanInterval student = student_interval(values);
    ratio += *bootstrap_half_width(values, 0.95) / (*student.high - student.mean) / 50;
  }
  EXPECT_GT(ratio, 1.2);
}

TEST(Bootstrap, IsTheSameOnEveryCallAndScales) {
  auto values = normal_values(25, 4);
  const double first = *bootstrap_half_width(values, 0.95);
  EXPECT_EQ(first, *bootstrap_half_width(values, 0.95));
  EXPECT_NE(first, *bootstrap_half_width(values, 0.95, 1)) << "the seed counts";
  for (double& x : values) x = -1000 * x + 5;
  EXPECT_NEAR(*bootstrap_half_width(values, 0.95), 1000 * first, 1e-6);
}

TEST(Bootstrap, IsWiderAtHigherConfidence) {
  const auto values = normal_values(20, 5);
  EXPECT_LT(*bootstrap_half_width(values, 0.9), *bootstrap_half_width(values, 0.95));
  EXPECT_LT(*bootstrap_half_width(values, 0.95), *bootstrap_half_width(values, 0.995));
}

TEST(Bootstrap, IsAbsentWhereResamplesHaveNoSpread) {
  EXPECT_FALSE(bootstrap_half_width(std::vector<double>(25, 0.1), 0.95));
  EXPECT_FALSE(bootstrap_half_width(std::vector<double>{1}, 0.95));
  std::vector<double> one_differs(25, 0.1);
  one_differs[7] = 0.2;  // a third of the resamples lack it
  EXPECT_FALSE(bootstrap_half_width(one_differs, 0.95));
  EXPECT_EQ(mean_interval(one_differs).low, student_interval(one_differs).low) << "Student's t instead";
}

TEST(MeanInterval, IsStudentsBelowTwentyValuesAndTheBootstrapsFromThere) {
  const auto values = normal_values(20, 6);
  const std::span<const double> nineteen(values.data(), 19);
  EXPECT_EQ(mean_interval(nineteen).low, student_interval(nineteen).low);
  const MeanInterval twenty = mean_interval(values);
  EXPECT_EQ(*twenty.high, twenty.mean + *bootstrap_half_width(values, 0.95));
  EXPECT_EQ(*twenty.low, twenty.mean - *bootstrap_half_width(values, 0.95));
  EXPECT_NE(mean_interval(values).low, student_interval(values).low);
}

}  // namespace
}  // namespace hitmark
