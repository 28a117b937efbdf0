// Does a series drift?
#pragma once

#include <span>

namespace hitmark {

struct Trend {
  double change = 0;   // log of the median of the last third over that of the first
  double p_value = 1;  // of "no trend", two-sided
};

// Values > 0 in the order they were taken; fewer than six say nothing. Mann-Kendall (Mann 1945), whose p takes
// the values as independent: with neighbours alike it is too small, so look at the change as well.
Trend trend_of(std::span<const double> values);

}  // namespace hitmark
