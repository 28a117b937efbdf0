// Contrasts come here with Student's p in p_value and the sign flips' in sign_flip_p.
#include "analysis/contrast_correction.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

#include "analysis/statistics/holm.hpp"
#include "analysis/statistics/permutation.hpp"
#include "analysis/verdict.hpp"

namespace hitmark {
namespace {

// Sign flips give few different p-values; with fewer than this many below what the correction asks for, nearly
// every invocation would have to agree in sign.
constexpr double kFewestArrangements = 8;

std::string p_text(double p) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", p);
  return text;
}

void take_back(Contrast& contrast, const JudgeRule& rule) {
  const double margin = 1 + rule.margin;
  const bool within = contrast.ratio.low && *contrast.ratio.low >= 1 / margin && *contrast.ratio.high <= margin;
  if (within) {
    contrast.verdict = Verdict::kEquivalent;
    contrast.why =
        "the interval lies within " + percent_text(std::log(margin)).substr(1) + " either way, which counts as equal";
    return;
  }
  contrast.verdict = Verdict::kUndecided;
  contrast.why = "p is " + p_text(*contrast.p_value) + ", but " + p_text(*contrast.adjusted_p_value) +
                 " after Holm's correction for the " + std::to_string(rule.contrasts) + " contrasts of this run; " +
                 more_to_be_significant(std::log(contrast.ratio.value.value_or(1)), contrast.deviation.value_or(0),
                                        contrast.invocations, rule);
}

}  // namespace

void correct_for_all_contrasts(RunComparison& comparison) {
  std::vector<Contrast*> tested;
  for (ConditionComparison& condition : comparison.conditions)
    for (Contrast& contrast : condition.contrasts)
      if (contrast.p_value) tested.push_back(&contrast);
  const auto count = static_cast<double>(tested.size());
  std::vector<double> p_values;
  for (Contrast* contrast : tested) {
    contrast->p_method = PMethod::kStudent;
    const double least = least_sign_flip_p(contrast->invocations);
    if (contrast->sign_flip_p && kFewestArrangements * least <= comparison.alpha / count) {
      contrast->p_method = PMethod::kSignFlip;
      contrast->p_value = contrast->sign_flip_p;
    }
    p_values.push_back(*contrast->p_value);
  }
  const std::vector<double> adjusted = holm_adjusted(p_values);
  const JudgeRule rule{comparison.margin, comparison.alpha, static_cast<int>(tested.size())};
  for (std::size_t i = 0; i < tested.size(); ++i) {
    Contrast& contrast = *tested[i];
    contrast.adjusted_p_value = adjusted[i];
    const bool found = contrast.verdict == Verdict::kBetter || contrast.verdict == Verdict::kWorse;
    if (found && adjusted[i] > comparison.alpha) take_back(contrast, rule);
  }
}

}  // namespace hitmark
