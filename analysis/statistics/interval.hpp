// Medians, and the mean of a few values with Student's t interval. Values are finite; callers see to it.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace hitmark {

// Of a non-empty sample; the mean of the middle two when the count is even. May be infinite if they are.
double median(std::vector<double> values);

// t with P(T <= t) = probability, for `degrees` > 0 degrees of freedom (Boost.Math).
double student_quantile(double probability, double degrees);

struct MeanInterval {
  int count = 0;
  double mean = 0;                // 0 when count is 0
  double standard_deviation = 0;  // of the values, n - 1 in the denominator; 0 when count < 2
  // Both absent below kFewestValues: t on fewer degrees of freedom is honest but useless, and one wild
  // process out of three decides everything.
  std::optional<double> half_width;
  std::optional<double> p_value;  // of mean 0, two-sided

  static constexpr int kFewestValues = 5;
};

MeanInterval mean_interval(std::span<const double> values, double confidence = 0.95);

}  // namespace hitmark
