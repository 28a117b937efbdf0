// Bounds by the exact binomial.
#include "analysis/simulations/simulation.hpp"

#include <gtest/gtest.h>

#include <boost/math/distributions/binomial.hpp>

namespace hitmark::simulations {

int most_alarms(int runs, double rate, double level) {
  const boost::math::binomial alarms(runs, rate);
  int most = static_cast<int>(runs * rate);
  while (most < runs && cdf(complement(alarms, most)) > level) ++most;  // P(more than `most`)
  return most;
}

Counts counts_within(int runs, double low, double high, double level) {
  const boost::math::binomial fewest(runs, low);
  int count = static_cast<int>(runs * low);
  while (count > 0 && cdf(fewest, count - 1) > level) --count;
  return {count, most_alarms(runs, high, level)};
}

namespace {

TEST(Simulations, BoundsAreThoseOfTheExactBinomial) {
  EXPECT_EQ(most_alarms(2000), 116);
  EXPECT_EQ(most_alarms(160), 13);
  EXPECT_EQ(most_alarms(160, 0.01), 4);
  EXPECT_EQ(counts_within(10'000, 0.95, 0.95, 0.025).fewest, 9457);
}

}  // namespace
}  // namespace hitmark::simulations
