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

// At equal spread, would n invocations decide? Nulls shrink like the difference does.
bool would_decide(const MeanInterval& difference, std::span<const MeanInterval> nulls, int n) {
  const double t = student_quantile(0.975, n - 1) / std::sqrt(n);
  const double half_width = t * difference.standard_deviation;
  double floor = 0;
  for (const MeanInterval& null : nulls) floor = std::max(floor, std::abs(null.mean) + t * null.standard_deviation);
  const double size = std::abs(difference.mean);
  return size - half_width > floor || size + half_width <= std::max(floor, std::log1p(kEquivalenceMargin));
}

std::string more_invocations(const MeanInterval& difference, std::span<const MeanInterval> nulls) {
  constexpr int kMost = 1000;
  for (int more = 1; difference.count + more <= kMost; more += 1 + more / 10)
    if (would_decide(difference, nulls, difference.count + more))
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
  if (!estimate.value || !log_ratio.half_width) return estimate;
  const auto low = finite(std::exp(log_ratio.mean - *log_ratio.half_width));
  const auto high = finite(std::exp(log_ratio.mean + *log_ratio.half_width));
  if (low && high) estimate.low = low, estimate.high = high;
  return estimate;
}

Estimate value_of(const MeanInterval& cost) {
  if (cost.count == 0) return {};
  Estimate estimate{finite(cost.mean), std::nullopt, std::nullopt};
  if (!estimate.value || !cost.half_width || !std::isfinite(*cost.half_width)) return estimate;
  estimate.low = cost.mean - *cost.half_width;
  estimate.high = cost.mean + *cost.half_width;
  return estimate;
}

std::optional<double> noise_floor(std::span<const MeanInterval> nulls) {
  std::optional<double> floor;
  for (const MeanInterval& null : nulls) {
    if (!null.half_width) return std::nullopt;
    floor = std::max(floor.value_or(0), std::abs(null.mean) + *null.half_width);
  }
  return floor;
}

Judgement judge(const MeanInterval& difference, std::span<const MeanInterval> nulls) {
  if (difference.count == 0) return {Verdict::kUndecided, "no usable block has both arms"};
  if (!difference.half_width)
    return {Verdict::kUndecided, std::to_string(difference.count) + " invocation" + (difference.count == 1 ? "" : "s") +
                                     " gave a value, an interval needs " + std::to_string(MeanInterval::kFewestValues) +
                                     " (--invocations " + std::to_string(MeanInterval::kFewestValues) + ")"};
  const auto floor = noise_floor(nulls);
  if (!floor)
    return {Verdict::kUndecided, nulls.empty() ? "the run has no null arm, so its noise floor is not known"
                                               : "a null arm has no interval, so the noise floor is not known"};
  const double low = difference.mean - *difference.half_width, high = difference.mean + *difference.half_width;
  if (high < -*floor) return {Verdict::kBetter, ""};
  if (low > *floor) return {Verdict::kWorse, ""};
  const double margin = std::max(*floor, std::log1p(kEquivalenceMargin));
  const std::string interval = "the interval " + percent_text(low) + " to " + percent_text(high);
  if (low >= -margin && high <= margin)
    return {Verdict::kEquivalent, interval + " lies within " + percent_text(margin).substr(1) + " either way, " +
                                      (margin == *floor ? "this run's noise floor" : "which counts as equal")};
  return {Verdict::kUndecided, interval + " is neither beyond the noise floor (" + percent_text(*floor).substr(1) +
                                   ") nor within " + percent_text(margin).substr(1) + "; " +
                                   more_invocations(difference, nulls)};
}

}  // namespace hitmark
