// Medians, and the mean of a few values with its interval: Student's t for few values, a studentised bootstrap
// from kBootstrapFrom on. Values are finite; callers see to it.
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
  // All absent below kFewestValues: t on fewer degrees of freedom is honest but useless, and one wild
  // process out of three decides everything.
  std::optional<double> low, high;
  std::optional<double> p_value;  // of mean 0, two-sided, by Student's t whatever the count

  static constexpr int kFewestValues = 5;
  static constexpr int kBootstrapFrom = 20;
};

MeanInterval mean_interval(std::span<const double> values, double confidence = 0.95);

// By Student's t for any count.
MeanInterval student_interval(std::span<const double> values, double confidence = 0.95);

}  // namespace hitmark
