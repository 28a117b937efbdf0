// Plain formulas; the distribution comes from Boost.Math.
#include "analysis/statistics/interval.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

#include "analysis/statistics/bootstrap.hpp"
#include "support/check.hpp"

namespace hitmark {

double median(std::vector<double> values) {
  HITMARK_CHECK(!values.empty(), "median of nothing");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  const double below = *std::max_element(values.begin(), middle);
  return below + (*middle - below) / 2;  // no overflow; NaN for -inf and +inf
}

double student_quantile(double probability, double degrees) {
  return boost::math::quantile(boost::math::students_t(degrees), probability);
}

MeanInterval student_interval(std::span<const double> values, double confidence) {
  MeanInterval interval;
  interval.count = static_cast<int>(values.size());
  if (values.empty()) return interval;
  const double n = interval.count;
  // From the first value on: equal values give exactly that mean and a deviation of exactly 0.
  const double origin = values.front();
  const double shift =
      std::accumulate(values.begin(), values.end(), 0.0, [&](double sum, double x) { return sum + (x - origin); }) / n;
  interval.mean = origin + shift;
  if (interval.count < 2) return interval;
  double squares = 0;
  for (const double x : values) squares += (x - interval.mean) * (x - interval.mean);
  interval.standard_deviation = std::sqrt(squares / (n - 1));
  if (interval.count < MeanInterval::kFewestValues) return interval;
  const double standard_error = interval.standard_deviation / std::sqrt(n);
  const double half_width = student_quantile(0.5 + confidence / 2, n - 1) * standard_error;
  interval.low = interval.mean - half_width;
  interval.high = interval.mean + half_width;
  if (standard_error > 0) {
    const double t = std::abs(interval.mean) / standard_error;
    interval.p_value = 2 * boost::math::cdf(boost::math::complement(boost::math::students_t(n - 1), t));
  } else {
    interval.p_value = interval.mean == 0 ? 1.0 : 0.0;
  }
  return interval;
}

MeanInterval mean_interval(std::span<const double> values, double confidence) {
  MeanInterval interval = student_interval(values, confidence);
  if (interval.count < MeanInterval::kBootstrapFrom) return interval;
  if (const auto half_width = bootstrap_half_width(values, confidence)) {
    interval.low = interval.mean - *half_width;
    interval.high = interval.mean + *half_width;
  }
  return interval;
}

}  // namespace hitmark
