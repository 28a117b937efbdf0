// A against B, per condition: the ratio of the cost per operation with its interval, the noise floor of the
// same run, and a verdict. Works on stored results alone. How each figure is made: analysis/README.md.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/results/sample.hpp"
#include "support/result.hpp"

namespace hitmark {

enum class Verdict { kBetter, kWorse, kEquivalent, kUndecided };

// A quantity with its interval, of 95 % unless CompareOptions::alpha says otherwise. All absent: it could not be
// measured; `low` and `high` absent: there are too few invocations (fewer than 5). Never NaN, never infinite.
struct Estimate {
  std::optional<double> value, low, high;
};

// What the verdicts are about: the operation alone (empty-loop cost subtracted), or the whole loop.
enum class CostBasis { kNet, kRaw };

struct CompareOptions {
  CostBasis basis = CostBasis::kNet;
  double margin = 0.01;  // relative differences up to this are equivalent
  // Two-sided level of every interval and verdict. At a look of a run that goes on until it is decided, the level
  // of that look: until_decided.hpp.
  double alpha = 0.05;
};

// Where a p-value comes from: sign flips of the invocations, where their number can resolve what the table's
// correction asks for; else Student's t.
enum class PMethod { kNone, kStudent, kSignFlip };

struct Contrast {                              // one arm against the baseline, in one condition
  std::string arm;                             // "packed6"
  std::string baseline;                        // "percall7"
  std::vector<std::string> differing_aspects;  // the traits in which they differ
  Estimate ratio;                    // cost of arm / cost of baseline, empty-loop cost subtracted; 0.5: half the cost
  Estimate raw_ratio;                // the same without the subtraction
  Estimate baseline_cost, arm_cost;  // ticks per operation, empty-loop cost subtracted
  Estimate raw_baseline_cost, raw_arm_cost;  // the same without the subtraction
  std::optional<double> p_value;             // of "no difference", two-sided; absent without an interval
  std::optional<double> sign_flip_p;         // the same by sign flips alone; p_value is this where p_method says so
  PMethod p_method = PMethod::kNone;
  std::optional<double> adjusted_p_value;  // Holm's, over all contrasts of the run that have a p-value
  std::optional<double> effect_size;       // Hedges' g of the invocations' log ratios
  std::optional<double> deviation;         // standard deviation of the log ratio over invocations
  Verdict verdict = Verdict::kUndecided;
  std::string why;      // why this verdict, when it is undecided or equivalent
  int invocations = 0;  // that gave a value
};

struct ChangeShare {   // of a chain of variants, each one named change further
  std::string change;  // "slots 7 -> 6"
  std::string from, to;
  Estimate ratio;
  double share = 0;  // of the total log ratio; shares add up to 1; negative: against the total
};

struct CpuCost {  // of one arm on one CPU, over all used blocks, empty-loop cost included
  std::string arm;
  int cpu = 0;       // OS number
  double ticks = 0;  // per operation
};

struct Stratum {       // the blocks of a condition in which the latency was in one state
  double latency = 0;  // ns between the condition's CPUs, median
  int blocks = 0;
  std::vector<Estimate> ratios;  // of each of the condition's contrasts, as Contrast::ratio
};

struct ConditionComparison {
  ConditionRecord condition;
  std::optional<double> noise_floor;  // |log ratio| of the larger null; absent when it has no interval
  Estimate null_same, null_copy;      // ratios, as Contrast::ratio
  Estimate empty_cost;                // ticks per operation of the empty arm
  std::vector<Contrast> contrasts;
  std::vector<ChangeShare> shares;  // empty when the run lacks an arm of the chain, or see shares_note
  std::string shares_note;          // why there are no shares
  int blocks_used = 0, blocks_discarded = 0, invocations = 0;
  std::vector<std::string> discard_reasons;  // "cpu 3: 2 migrations (4 blocks)"
  std::vector<std::string> phases;           // "percall7: saturated 97 %, accumulating 3 % of slices"
  std::vector<Reading> readings;             // summed over the condition's used blocks
  std::vector<CpuCost> cpu_costs;
  std::vector<Stratum> strata;     // when the latency between the CPUs had several states; see block_state.hpp
  std::vector<std::string> drift;  // see drift_flags in block_state.hpp
};

struct RunComparison {
  RunRecord run;
  std::string headline;               // the arm that the headline compares with the baseline; empty: there is none
  CostBasis basis = CostBasis::kNet;  // kRaw: `ratio`, costs, nulls and shares are raw as well
  std::vector<ConditionComparison> conditions;
  double margin = CompareOptions{}.margin, alpha = CompareOptions{}.alpha;
};

using BlockFeed = std::function<Result<void>(const std::function<void(const BlockRecord&)>&)>;

// `steps` is the family's chain of changes: pairs of variant names with the change's name.
struct ChangeStep {
  std::string from, to, change;
};
// The headline is the end of the chain when the run has it, else the first variant arm.
// kInvalid: a run without arms, a block of a condition that the run does not have, steps that are no chain.
Result<RunComparison> compare_run(const RunRecord& run, const BlockFeed& blocks, const std::vector<ChangeStep>& steps,
                                  const CompareOptions& options = {});

// May this contrast be read as the effect of `allowed` aspects alone? kUsage, naming what else differs.
Result<void> check_same_change(const Contrast& contrast, const std::vector<std::string>& allowed);

}  // namespace hitmark
