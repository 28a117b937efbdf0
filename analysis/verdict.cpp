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

// Does the whole interval lie beyond `floor`, on the side of its mean? `t` times the deviation is its half width.
bool clearly_beyond(const MeanInterval& difference, double t, double floor, double side) {
  return side * difference.mean - t * difference.standard_deviation > floor;
}

// At equal means and spreads, would n invocations decide?
bool would_decide(const Evidence& evidence, int n, const JudgeRule& rule) {
  const MeanInterval& difference = evidence.difference;
  const double t = student_quantile(1 - rule.alpha / 2, n - 1) / std::sqrt(n), side = difference.mean < 0 ? -1 : 1;
  if (std::abs(difference.mean) + t * difference.standard_deviation <= std::log1p(rule.margin)) return true;
  return would_pass(difference.mean, difference.standard_deviation, n, rule) &&
         clearly_beyond(difference, t, evidence.noise_floor.value_or(0), side) &&
         std::all_of(evidence.beyond_nulls.begin(), evidence.beyond_nulls.end(),
                     [&](const MeanInterval& beyond) { return clearly_beyond(beyond, t, 0, side); });
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

std::string more_to_be_significant(double mean, double deviation, int count, const JudgeRule& rule) {
  return more_invocations(count, [&](int n) { return would_pass(mean, deviation, n, rule); });
}

Judgement judge(const Evidence& evidence, const JudgeRule& rule) {
  const MeanInterval& difference = evidence.difference;
  if (difference.count == 0) return {Verdict::kUndecided, "no usable block has both arms"};
  if (!difference.low || !difference.high)
    return {Verdict::kUndecided, std::to_string(difference.count) + " invocation" + (difference.count == 1 ? "" : "s") +
                                     " gave a value, an interval needs " + std::to_string(MeanInterval::kFewestValues) +
                                     " (--invocations " + std::to_string(MeanInterval::kFewestValues) + ")"};
  const auto all_beyond = [&](auto is_beyond) {
    return std::all_of(evidence.beyond_nulls.begin(), evidence.beyond_nulls.end(), is_beyond);
  };
  const bool paired = all_beyond([](const MeanInterval& beyond) { return beyond.low && beyond.high; });
  if (!evidence.noise_floor || !paired)
    return {Verdict::kUndecided, !evidence.has_nulls ? "the run has no null arm, so its noise floor is not known"
                                                     : "a null arm has no interval, so the noise floor is not known"};
  const double low = *difference.low, high = *difference.high, floor = *evidence.noise_floor;
  const double margin = std::log1p(rule.margin);
  const double doubt = evidence.imprecision;
  const bool equal = low >= -margin && high <= margin, may_claim = !(rule.modelled && equal);
  const auto imprecise = [&](const char* claim) {
    return Judgement{Verdict::kUndecided,
                     "the interval " + percent_text(low) + " to " + percent_text(high) + " would be " + claim +
                         ", but slices of these arms missed their precision, so that the change is known only to " +
                         percent_text(doubt).substr(1) + " (two standard errors)"};
  };
  const bool is_better = high < -floor;
  const bool is_worse = low > floor;
  if (may_claim && is_better && high >= -doubt && doubt > 0) return imprecise("better");
  if (may_claim && is_worse && low <= doubt && doubt > 0) return imprecise("worse");
  if (equal && doubt > 0 && (low - doubt < -margin || high + doubt > margin)) return imprecise("equivalent");
  if (may_claim && is_better && all_beyond([](const MeanInterval& beyond) { return *beyond.high < 0; }))
    return {Verdict::kBetter, ""};
  if (may_claim && is_worse && all_beyond([](const MeanInterval& beyond) { return *beyond.low > 0; }))
    return {Verdict::kWorse, ""};
  const std::string interval = "the interval " + percent_text(low) + " to " + percent_text(high);
  const std::string within = " within " + percent_text(margin).substr(1);
  const std::string noise = "the noise floor (" + percent_text(floor).substr(1) + ")";
  if (equal) return {Verdict::kEquivalent, interval + " lies" + within + " either way, which counts as equal"};
  const std::string more = more_invocations(difference.count, [&](int n) { return would_decide(evidence, n, rule); });
  if (low > 0 || high < 0)
    return {Verdict::kUndecided, interval + " is not clearly beyond " + noise +
                                     ", so where code and data came to lie may explain it, nor is it" + within + "; " +
                                     more};
  return {Verdict::kUndecided, interval + " is neither beyond " + noise + " nor" + within + "; " + more};
}

}  // namespace hitmark
