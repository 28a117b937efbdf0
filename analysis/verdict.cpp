// The decision rule in one place; the numbers in its sentences are relative changes in percent.
#include "analysis/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace hitmark {
namespace {

std::optional<double> finite(double value) {
  return std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

// At equal spread, would the test of one of so many contrasts pass with n invocations?
bool would_pass(double mean, double deviation, int n, const JudgeRule& rule) {
  const double t = student_quantile(1 - rule.alpha / (2 * rule.contrasts), n - 1) / std::sqrt(n);
  return std::abs(mean) >= t * deviation;
}

// At equal spread, would n invocations decide? Nulls shrink like the difference does.
bool would_decide(const MeanInterval& difference, std::span<const MeanInterval> nulls, int n, const JudgeRule& rule) {
  const double t = student_quantile(1 - rule.alpha / 2, n - 1) / std::sqrt(n);
  const double half_width = t * difference.standard_deviation;
  double floor = 0;
  for (const MeanInterval& null : nulls) floor = std::max(floor, std::abs(null.mean) + t * null.standard_deviation);
  const double size = std::abs(difference.mean);
  return (size - half_width > floor && would_pass(difference.mean, difference.standard_deviation, n, rule)) ||
         size + half_width <= std::log1p(rule.margin);
}

template <typename Decides>
std::string more_invocations(int count, Decides decides) {
  constexpr int kMost = 1000;
  for (int more = 1; count + more <= kMost; more += 1 + more / 10)
    if (decides(count + more))
      return "about " + std::to_string(more) + " more invocation" + (more == 1 ? "" : "s") +
             " would decide (--invocations)";
  return "not even " + std::to_string(kMost) + " invocations would decide";
}

}  // namespace

std::string percent_text(double log_ratio) {
  char text[64];
  std::snprintf(text, sizeof text, "%+.1f %%", 100 * std::expm1(std::min(log_ratio, 700.0)));
  return text;
}

Estimate ratio_of(const MeanInterval& log_ratio) {
  if (log_ratio.count == 0) return {};
  Estimate estimate{finite(std::exp(log_ratio.mean)), std::nullopt, std::nullopt};
  if (!estimate.value || !log_ratio.low || !log_ratio.high) return estimate;
  const auto low = finite(std::exp(*log_ratio.low)), high = finite(std::exp(*log_ratio.high));
  if (low && high) estimate.low = low, estimate.high = high;
  return estimate;
}

Estimate value_of(const MeanInterval& cost) {
  if (cost.count == 0) return {};
  Estimate estimate{finite(cost.mean), std::nullopt, std::nullopt};
  if (!estimate.value || !cost.low || !cost.high || !std::isfinite(*cost.high - *cost.low)) return estimate;
  estimate.low = cost.low;
  estimate.high = cost.high;
  return estimate;
}

std::optional<double> noise_floor(std::span<const MeanInterval> nulls) {
  std::optional<double> floor;
  for (const MeanInterval& null : nulls) {
    if (!null.low || !null.high) return std::nullopt;
    floor = std::max({floor.value_or(0), std::abs(*null.low), std::abs(*null.high)});
  }
  return floor;
}

std::string more_to_be_significant(double mean, double deviation, int count, const JudgeRule& rule) {
  return more_invocations(count, [&](int n) { return would_pass(mean, deviation, n, rule); });
}

Judgement judge(const MeanInterval& difference, std::span<const MeanInterval> nulls, const JudgeRule& rule) {
  if (difference.count == 0) return {Verdict::kUndecided, "no usable block has both arms"};
  if (!difference.low || !difference.high)
    return {Verdict::kUndecided, std::to_string(difference.count) + " invocation" + (difference.count == 1 ? "" : "s") +
                                     " gave a value, an interval needs " + std::to_string(MeanInterval::kFewestValues) +
                                     " (a larger --budget)"};
  const auto floor = noise_floor(nulls);
  if (!floor)
    return {Verdict::kUndecided, nulls.empty() ? "the run has no null arm, so its noise floor is not known"
                                               : "a null arm has no interval, so the noise floor is not known"};
  const double low = *difference.low, high = *difference.high;
  if (high < -*floor) return {Verdict::kBetter, ""};
  if (low > *floor) return {Verdict::kWorse, ""};
  const double margin = std::log1p(rule.margin);
  const std::string interval = "the interval " + percent_text(low) + " to " + percent_text(high);
  const std::string within = " within " + percent_text(margin).substr(1);
  const std::string floor_text = percent_text(*floor).substr(1);
  if (low >= -margin && high <= margin)
    return {Verdict::kEquivalent, interval + " lies" + within + " either way, which counts as equal"};
  const std::string more =
      more_invocations(difference.count, [&](int n) { return would_decide(difference, nulls, n, rule); });
  if (low >= -*floor && high <= *floor)
    return {Verdict::kUndecided, interval + " lies within this run's noise floor (" + floor_text +
                                     "), so where code and data came to lie may explain it, but not" + within + "; " +
                                     more};
  return {Verdict::kUndecided,
          interval + " is neither beyond the noise floor (" + floor_text + ") nor" + within + "; " + more};
}

}  // namespace hitmark
