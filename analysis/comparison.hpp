// A against B, per condition: the ratio of the cost per operation with its interval, the noise floor of the
// same run, and a verdict. Works on stored results alone.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/results/sample.hpp"
#include "support/result.hpp"

namespace hitmark {

enum class Verdict { kBetter, kWorse, kEquivalent, kUndecided };

// A quantity with its 95 % interval; `low` and `high` are absent when there are too few invocations.
struct Estimate {
  double value = 0;
  std::optional<double> low, high;
};

struct Contrast {           // one arm against the baseline, in one condition
  std::string arm;          // "packed6"
  std::string baseline;     // "percall7"
  std::vector<std::string> differing_aspects;  // the traits in which they differ
  Estimate ratio;           // cost of arm / cost of baseline, empty-loop cost subtracted; 0.5: half the cost
  Estimate raw_ratio;       // the same without the subtraction
  Estimate baseline_cost, arm_cost;  // ticks per operation
  double p_value = 1;
  Verdict verdict = Verdict::kUndecided;
  std::string why;          // why this verdict, when it is undecided or equivalent
};

struct ChangeShare {        // of a chain of variants, each one named change further
  std::string change;       // "slots 7 -> 6"
  std::string from, to;
  Estimate ratio;
  double share = 0;         // of the total log ratio; shares add up to 1
};

struct ConditionComparison {
  ConditionRecord condition;
  double noise_floor = 0;   // |log ratio| of the larger null, upper end of its interval
  Estimate null_same, null_copy;
  std::vector<Contrast> contrasts;
  std::vector<ChangeShare> shares;  // empty when the run lacks an arm of the chain
  int blocks_used = 0, blocks_discarded = 0, invocations = 0;
  std::vector<std::string> discard_reasons;
  std::vector<std::string> phases;  // "saturated 97 % of slices"
  std::vector<Reading> readings;    // summed over the condition's blocks
};

struct RunComparison {
  RunRecord run;
  std::vector<ConditionComparison> conditions;
};

using BlockFeed = std::function<Result<void>(const std::function<void(const BlockRecord&)>&)>;

// `steps` is the family's chain of changes: pairs of variant names with the change's name.
struct ChangeStep {
  std::string from, to, change;
};
Result<RunComparison> compare_run(const RunRecord& run, const BlockFeed& blocks,
                                  const std::vector<ChangeStep>& steps);

}  // namespace hitmark
