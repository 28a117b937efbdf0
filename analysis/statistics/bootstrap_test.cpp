// Close to Student's t where that is right, asymmetric where the values are, the same on every call.
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

TEST(StudentisedBootstrap, IsStudentsIntervalForManyNormalValues) {
  const auto values = normal_values(400, 3);
  const MeanInterval student = student_interval(values);
  const auto bounds = studentised_bootstrap(values, 0.95);
  ASSERT_TRUE(bounds);
  const double width = *student.high - *student.low;
  EXPECT_NEAR(bounds->low, *student.low, 0.04 * width);
  EXPECT_NEAR(bounds->high, *student.high, 0.04 * width);
}

TEST(StudentisedBootstrap, ReachesFurtherOnTheSideOfTheLongTail) {
  std::vector<double> values;
  for (int i = 0; i < 30; ++i) values.push_back(std::exp(3 * i / 29.0));
  const MeanInterval student = student_interval(values);
  const auto bounds = studentised_bootstrap(values, 0.95);
  EXPECT_GT(bounds->high - student.mean, 1.1 * (student.mean - bounds->low));
  for (double& x : values) x = -x;
  const auto mirrored = studentised_bootstrap(values, 0.95);
  EXPECT_NEAR(mirrored->low, -bounds->high, 0.1 * (bounds->high - bounds->low));
}

TEST(StudentisedBootstrap, IsTheSameOnEveryCallAndScales) {
  auto values = normal_values(25, 4);
  const auto first = studentised_bootstrap(values, 0.95), again = studentised_bootstrap(values, 0.95);
  EXPECT_EQ(first->low, again->low);
  EXPECT_EQ(first->high, again->high);
  EXPECT_NE(first->low, studentised_bootstrap(values, 0.95, 1)->low) << "the seed counts";
  for (double& x : values) x = 1000 * x + 5;
  EXPECT_NEAR(studentised_bootstrap(values, 0.95)->low, 1000 * first->low + 5, 1e-6);
}

TEST(StudentisedBootstrap, IsWiderAtHigherConfidence) {
  const auto values = normal_values(20, 5);
  const auto usual = studentised_bootstrap(values, 0.95), strict = studentised_bootstrap(values, 0.995);
  EXPECT_LT(strict->low, usual->low);
  EXPECT_GT(strict->high, usual->high);
}

TEST(StudentisedBootstrap, IsAbsentWhereResamplesHaveNoSpread) {
  EXPECT_FALSE(studentised_bootstrap(std::vector<double>(25, 0.1), 0.95));
  EXPECT_FALSE(studentised_bootstrap(std::vector<double>{1}, 0.95));
  std::vector<double> one_differs(25, 0.1);
  one_differs[7] = 0.2;  // a third of the resamples lack it
  EXPECT_FALSE(studentised_bootstrap(one_differs, 0.95));
  const MeanInterval interval = mean_interval(one_differs);
  EXPECT_EQ(interval.low, student_interval(one_differs).low) << "Student's t instead";
}

TEST(MeanInterval, IsStudentsBelowTwentyValuesAndTheBootstrapsFromThere) {
  const auto values = normal_values(20, 6);
  const std::span<const double> nineteen(values.data(), 19);
  EXPECT_EQ(mean_interval(nineteen).low, student_interval(nineteen).low);
  EXPECT_EQ(mean_interval(values).low, studentised_bootstrap(values, 0.95)->low);
  EXPECT_NE(mean_interval(values).low, student_interval(values).low);
}

}  // namespace
}  // namespace hitmark
