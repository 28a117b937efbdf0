// Against the bounds that are printed everywhere for five equally spaced looks at a two-sided 5 %.
#include "analysis/statistics/group_sequential.hpp"

#include <gtest/gtest.h>

#include <boost/math/distributions/normal.hpp>
#include <numeric>

namespace hitmark {
namespace {

const std::vector<double> kFive{0.2, 0.4, 0.6, 0.8, 1.0};

void expect_bounds(const std::vector<double>& levels, const std::vector<double>& bounds) {
  ASSERT_EQ(levels.size(), bounds.size());
  for (std::size_t look = 0; look < bounds.size(); ++look)
    EXPECT_NEAR(quantile(complement(boost::math::normal(), levels[look] / 2)), bounds[look], 2e-3) << look;
}

TEST(AlphaSpending, ObrienFlemingTypeMatchesThePublishedBounds) {
  expect_bounds(nominal_levels(kFive, 0.05, obrien_fleming_spending), {4.8769, 3.3569, 2.6803, 2.2898, 2.0310});
}

TEST(AlphaSpending, PocockTypeMatchesThePublishedBounds) {
  expect_bounds(nominal_levels(kFive, 0.05, pocock_spending), {2.4380, 2.4268, 2.4101, 2.3966, 2.3859});
}

TEST(AlphaSpending, OneLookHasTheWholeLevel) {
  EXPECT_NEAR(nominal_levels(std::vector<double>{1.0}, 0.05)[0], 0.05, 1e-9);
}

TEST(AlphaSpending, LevelsAddUpToNoLessThanAlphaAndEachIsBelowIt) {
  for (const Spending spending : {pocock_spending, obrien_fleming_spending}) {
    const auto levels = nominal_levels(std::vector<double>{0.05, 0.1, 0.15, 0.2, 0.4, 0.7, 0.9, 1.0}, 0.05, spending);
    for (const double level : levels) EXPECT_LT(level, 0.05);
    EXPECT_GE(std::accumulate(levels.begin(), levels.end(), 0.0), 0.05);
    EXPECT_NEAR(spending(1, 0.05), 0.05, 1e-12);
  }
}

}  // namespace
}  // namespace hitmark
