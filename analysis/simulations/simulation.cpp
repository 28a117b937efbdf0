#include "analysis/simulations/simulation.hpp"

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

}  // namespace hitmark::simulations
