// Finds the pressure at which a modelled cost meets a measured one. The only thing that is ever fitted.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "support/result.hpp"

namespace hitmark::simulator {

struct FitPoint {
  unsigned lines = 0;
  double cycles = 0;
};

struct Fit {
  bool reached = false;
  unsigned lines = 0;            // nearest to the target of all that were tried
  double cycles = 0;             // there
  bool monotone = true;          // more pressure never cost less, but for 2 %
  std::string reason;            // why it was not reached
  std::vector<FitPoint> points;  // tried, by lines
};

// `cost` in cycles at a pressure in lines, expected to rise with it. Reached: within 1 % of `target`, or, where the
// cost jumps past it from one line to the next, at the nearer of the two if that is within 10 %.
Result<Fit> fit_pressure(double target, unsigned most_lines, const std::function<Result<double>(unsigned lines)>& cost);

}  // namespace hitmark::simulator
