#include "analysis/statistics/effect_size.hpp"

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

namespace hitmark {

std::optional<double> hedges_g(const MeanInterval& differences) {
  if (differences.count < 3 || !(differences.standard_deviation > 0)) return std::nullopt;
  const double half = (differences.count - 1) / 2.0;
  // gamma(half) / (sqrt(half) gamma(half - 1/2))
  const double correction = 1 / (std::sqrt(half) * boost::math::tgamma_delta_ratio(half - 0.5, 0.5));
  return correction * differences.mean / differences.standard_deviation;
}

}  // namespace hitmark
