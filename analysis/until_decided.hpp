// A run that goes on until it is decided, without more false alarms than one that does not: at most K looks, each
// at a smaller level, so that all of them together have the level asked for.
#pragma once

#include <vector>

#include "analysis/comparison.hpp"

namespace hitmark {

struct StoppingPlan {
  std::vector<int> invocations;  // at each look, ascending; a look below 5 invocations is wasted
  std::vector<double> levels;    // CompareOptions::alpha of each look
};

// Looks at first, 1.5 first, ... invocations, each half as many again, up to `most` (which is the last look).
StoppingPlan stopping_plan(int first, int most, double alpha = CompareOptions{}.alpha);

// Go on after look `look` (0-based), of which `judged` is the comparison, made with alpha = levels[look]? Not when
// every condition's contrast of the headline's arm has a verdict, nor after the last look. What was decided at an
// earlier look stands; `judged` is then the result to report, with the plan and the look.
bool go_on(const StoppingPlan& plan, std::size_t look, const RunComparison& judged);

}  // namespace hitmark
