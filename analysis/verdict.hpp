// From differences of log costs, one per invocation, to a verdict. Lower cost is better.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "analysis/comparison.hpp"
#include "analysis/statistics/interval.hpp"

namespace hitmark {

// A ratio with its interval from log ratios; empty when there are none.
Estimate ratio_of(const MeanInterval& log_ratio);
// A cost with its interval.
Estimate value_of(const MeanInterval& cost);

// The larger |log ratio| among the nulls, each at the far end of its interval: what the same run says about
// code that does not differ. Absent when there is no null or one of them has no interval.
std::optional<double> noise_floor(std::span<const MeanInterval> nulls);

// Smaller relative differences count as equivalent even where the noise floor is below them.
inline constexpr double kEquivalenceMargin = 0.01;

struct Judgement {
  Verdict verdict = Verdict::kUndecided;
  std::string why;  // why this verdict, when it is undecided or equivalent
};

// better, worse: the whole interval beyond the noise floor; equivalent: the whole interval within
// max(1 %, noise floor); else undecided, saying why and how many more invocations would probably decide.
Judgement judge(const MeanInterval& log_ratio, std::span<const MeanInterval> nulls);

// "-3.4 %" of a log ratio.
std::string percent_text(double log_ratio);

}  // namespace hitmark
