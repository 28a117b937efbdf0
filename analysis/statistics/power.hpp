// What a number of runs could show at all: the power of Student's t, by the noncentral t distribution.
#pragma once

#include <optional>

namespace hitmark {

struct PowerDesign {
  double noise = 0;     // standard deviation: of a run, log cost; paired: of an invocation's log ratio; > 0
  int n = 3;            // runs of each of the two; paired: invocations
  bool paired = false;  // each value is already a difference
  double alpha = 0.05;  // two-sided
};

// All effects are differences of log costs.

// The chance that a true `effect` is found, with the right sign. Needs n >= 2.
double power_of(const PowerDesign& design, double effect);
// The least effect that is found with probability `power`.
double detectable_effect(const PowerDesign& design, double power);
// The n that finds `effect` with probability `power`; absent above `most`.
std::optional<int> runs_needed(PowerDesign design, double effect, double power, int most = 1'000'000);
// The chance that the two averages come out in the wrong order.
double wrong_order(const PowerDesign& design, double effect);
// What two averages of the same thing differ by, at most, 95 times of 100.
double null_difference(const PowerDesign& design);

}  // namespace hitmark
