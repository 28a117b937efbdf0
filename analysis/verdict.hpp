// From differences of log costs, one per invocation, to a verdict. Lower cost is better.
#pragma once

#include <optional>
#include <string>

#include "analysis/comparison.hpp"
#include "analysis/evidence.hpp"
#include "analysis/statistics/interval.hpp"

namespace hitmark {

// A ratio with its interval from log ratios; empty when there are none.
Estimate ratio_of(const MeanInterval& log_ratio);
// A cost with its interval.
Estimate value_of(const MeanInterval& cost);

struct Judgement {
  Verdict verdict = Verdict::kUndecided;
  std::string why;  // why this verdict, when it is undecided or equivalent
};

// What a verdict is held to, beside the intervals.
struct JudgeRule {
  double margin = CompareOptions{}.margin;
  double alpha = CompareOptions{}.alpha;  // the level that the intervals were made at
  int contrasts = 1;                      // that the table holds: says how many more invocations would decide
  bool modelled = false;                  // of a simulated machine: repeats exactly, and is right to the margin at best
};

// better, worse: the whole interval beyond the noise floor, and the difference larger than each null's, process by
// process, with the same confidence; of a model also not within the margin. equivalent: the whole interval within the
// margin, which is two one-sided tests at alpha / 2. Both must hold with Evidence::imprecision to spare. Else
// undecided, saying why and how many more invocations would probably decide. The correction for the table's other
// contrasts comes after: contrast_correction.hpp.
Judgement judge(const Evidence& evidence, const JudgeRule& rule = {});

// "about 3 more invocations would decide (--invocations)": so that the t-test of all the table's contrasts together
// passes at the observed mean and spread.
std::string more_to_be_significant(double mean, double deviation, int count, const JudgeRule& rule);

// "-3.4 %" of a log ratio.
std::string percent_text(double log_ratio);

}  // namespace hitmark
