#include "analysis/statistics/power.hpp"

#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>

#include "analysis/statistics/interval.hpp"
#include "support/check.hpp"

namespace hitmark {
namespace {

double standard_error(const PowerDesign& design) {
  return design.noise * std::sqrt((design.paired ? 1.0 : 2.0) / design.n);
}

}  // namespace

double power_of(const PowerDesign& design, double effect) {
  HITMARK_CHECK(design.n >= 2 && design.noise > 0, "a test needs two values that differ");
  const double degrees = design.paired ? design.n - 1 : 2 * design.n - 2;
  const double critical = student_quantile(1 - design.alpha / 2, degrees);
  const double shift = std::abs(effect) / standard_error(design);
  if (shift == 0) return design.alpha / 2;
  if (shift > 30 + 5 * critical) return 1;
  return boost::math::cdf(complement(boost::math::non_central_t(degrees, shift), critical));
}

double detectable_effect(const PowerDesign& design, double power) {
  HITMARK_CHECK(power > design.alpha / 2 && power < 1, "the power lies between the level and 1");
  const auto lack = [&](double effect) { return power_of(design, effect) - power; };
  double high = standard_error(design);
  while (lack(high) < 0) high *= 2;
  std::uintmax_t steps = 200;
  const auto found =
      boost::math::tools::toms748_solve(lack, 0.0, high, boost::math::tools::eps_tolerance<double>(30), steps);
  return (found.first + found.second) / 2;
}

std::optional<int> runs_needed(PowerDesign design, double effect, double power, int most) {
  const auto enough = [&](int n) {
    design.n = n;
    return power_of(design, effect) >= power;
  };
  int high = 2;
  while (!enough(high)) {
    if (high >= most) return std::nullopt;
    high = high > most / 2 ? most : 2 * high;
  }
  int low = high / 2;  // not enough, or below 2
  while (low + 1 < high) {
    const int middle = low + (high - low) / 2;
    (middle >= 2 && enough(middle) ? high : low) = middle;
  }
  return high;
}

double wrong_order(const PowerDesign& design, double effect) {
  return cdf(complement(boost::math::normal(), std::abs(effect) / standard_error(design)));
}

double null_difference(const PowerDesign& design) {
  return quantile(boost::math::normal(), 0.975) * standard_error(design);
}

}  // namespace hitmark
