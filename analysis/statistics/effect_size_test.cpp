#include "analysis/statistics/effect_size.hpp"

#include <gtest/gtest.h>

namespace hitmark {
namespace {

// Student's sleep data again: Cohen's d of the differences is 1.58 / 1.229995 = 1.284558; the exact correction for
// 9 degrees of freedom is gamma(4.5) / (sqrt(4.5) gamma(4)) = 0.913875.
TEST(HedgesG, OfStudentsSleepData) {
  const std::vector<double> hours{1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4};
  EXPECT_NEAR(*hedges_g(mean_interval(hours)), 1.284558 * 0.913875, 2e-6);
}

TEST(HedgesG, IsAbsentWithoutSpread) {
  EXPECT_FALSE(hedges_g(mean_interval(std::vector<double>(6, 1.0))));
  EXPECT_FALSE(hedges_g(mean_interval(std::vector<double>{1, 2})));
  EXPECT_FALSE(hedges_g({}));
}

}  // namespace
}  // namespace hitmark
