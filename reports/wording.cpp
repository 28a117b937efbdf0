// Figures into words. Every number has its unit, and what is missing is said to be missing.
#include "reports/wording.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <vector>

namespace hitmark {
namespace {

std::string signed_percent(double ratio) {
  const double percent = 100 * (ratio - 1);
  if (std::abs(percent) < 0.05) return "+0.0";
  return std::abs(percent) < 10'000 ? fmt::format("{:+.1f}", percent) : fmt::format("{:+.3g}", percent);
}

std::string conditions_text(std::size_t count, std::size_t of) {
  if (of == 1) return "in the one condition";
  if (count == of) return fmt::format("in all {} conditions", of);
  return fmt::format("in {} of {} conditions", count, of);
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kBetter:
      return "better";
    case Verdict::kWorse:
      return "worse";
    case Verdict::kEquivalent:
      return "equivalent";
    case Verdict::kUndecided:
      break;
  }
  return "undecided";
}

std::string change_text(const Estimate& ratio) { return ratio.value ? signed_percent(*ratio.value) + " %" : "n/a"; }

std::string change_interval_text(const Estimate& ratio) {
  if (!ratio.low || !ratio.high) return "";
  return signed_percent(*ratio.low) + " to " + signed_percent(*ratio.high) + " %";
}

std::string shown_change_text(const Contrast& contrast) {
  if (contrast.ratio.value || !contrast.raw_ratio.value) return change_text(contrast.ratio);
  return change_text(contrast.raw_ratio) + " raw";
}

std::string shown_interval_text(const Contrast& contrast) {
  return change_interval_text(contrast.ratio.value ? contrast.ratio : contrast.raw_ratio);
}

bool within_noise(const Estimate& ratio, const std::optional<double>& noise_floor) {
  if (!ratio.low || !ratio.high || !noise_floor) return true;
  return *ratio.low <= std::exp(*noise_floor) && *ratio.high >= std::exp(-*noise_floor);
}

std::string floor_text(const std::optional<double>& log_ratio) {
  if (!log_ratio) return "not known";
  return fmt::format("{:.1f} %", 100 * std::expm1(std::min(*log_ratio, 700.0)));
}

std::string number_text(double value) {
  if (!std::isfinite(value)) return "n/a";
  if (std::abs(value) >= 1e15) return fmt::format("{:.4g}", value);
  if (std::abs(value) < 10'000)
    return value == std::round(value) ? fmt::format("{:.0f}", value) : fmt::format("{:#.4g}", value);
  std::string digits = fmt::format("{:.0f}", std::abs(value));
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return (value < 0 ? "-" : "") + digits;
}

std::string machine_text(const RunRecord& run) {
  return run.machine + (is_simulated(run) ? " (simulated: every figure is modelled)" : "");
}

CostUnit cost_unit(const RunRecord& run) {
  if (std::isfinite(run.ticks_per_second) && run.ticks_per_second > 0) return {1e9 / run.ticks_per_second, "ns"};
  return {1, "ticks"};
}

std::string cost_text(const Estimate& ticks, double per_tick) {
  if (!ticks.value) return "n/a";
  const double value = *ticks.value * per_tick;
  if (std::abs(value) >= 1e12) return fmt::format("{:.4g}", value);
  return std::abs(value) < 1000 ? fmt::format("{:.2f}", value) : number_text(std::round(value));
}

std::string cost_interval_text(const Estimate& ticks, double per_tick) {
  if (!ticks.low || !ticks.high) return "";
  return cost_text({ticks.low, {}, {}}, per_tick) + " to " + cost_text({ticks.high, {}, {}}, per_tick);
}

const Contrast* primary_contrast(const RunComparison& comparison, const ConditionComparison& condition) {
  for (const Contrast& contrast : condition.contrasts)
    if (contrast.arm == comparison.headline) return &contrast;
  return nullptr;
}

std::string headline_text(const RunComparison& comparison) {
  const std::string subject = comparison.run.family + " on " + machine_text(comparison.run) + ": ";
  std::array<std::size_t, 4> counts{};
  std::size_t all = 0;
  const Contrast* only = nullptr;
  for (const ConditionComparison& condition : comparison.conditions)
    if (const Contrast* contrast = primary_contrast(comparison, condition)) {
      ++counts[static_cast<std::size_t>(contrast->verdict)];
      ++all;
      only = contrast;
    }
  if (only == nullptr) return subject + "there is no arm to compare with the baseline.";
  const auto count = [&](Verdict verdict) { return counts[static_cast<std::size_t>(verdict)]; };
  const std::string figures =
      all > 1 || !only->ratio.value
          ? ""
          : " (" + change_text(only->ratio) +
                (only->ratio.low ? ", 95 % interval " + change_interval_text(only->ratio) : "") + ")";
  const std::string& arm = only->arm;
  const auto sentence = [&](std::string_view answer, std::string_view does) {
    return fmt::format("{}{}{} {} {} {}{}.", subject, answer, arm, does, only->baseline, conditions_text(all, all),
                       figures);
  };
  if (count(Verdict::kBetter) == all) return sentence("yes, it pays: ", "costs less per operation than");
  if (count(Verdict::kWorse) == all) return sentence("no, it does not pay: ", "costs more per operation than");
  if (count(Verdict::kEquivalent) == all)
    return sentence("it makes no difference: ", "costs the same per operation as");
  if (count(Verdict::kUndecided) == all)
    return fmt::format("{}undecided: whether {} costs less per operation than {} is open {}{}.", subject, arm,
                       only->baseline, conditions_text(all, all), figures);
  // "Yes" needs every condition: an open one may yet turn out worse.
  const bool open_rest = count(Verdict::kBetter) > 0 && count(Verdict::kWorse) == 0 && count(Verdict::kUndecided) > 0;
  std::string parts;
  for (const Verdict verdict : {Verdict::kBetter, Verdict::kWorse, Verdict::kEquivalent, Verdict::kUndecided})
    if (count(verdict) > 0 && !(open_rest && verdict == Verdict::kUndecided))
      parts +=
          (parts.empty() ? "" : ", ") + fmt::format("{} {}", name_of(verdict), conditions_text(count(verdict), all));
  return fmt::format("{}{}{} against {} is {}.", subject,
                     count(Verdict::kWorse) > 0 && count(Verdict::kBetter) > 0 ? "it depends: "
                     : count(Verdict::kWorse) > 0                              ? "no: "
                     : count(Verdict::kBetter) > 0 && !open_rest               ? "yes: "
                                                                               : "",
                     arm, only->baseline, parts + (open_rest ? ", open in the rest" : ""));
}

std::string environment_text(const RunRecord& run, std::string_view name) {
  for (const auto& [key, value] : run.environment)
    if (key == name && !value.empty()) return value;
  return std::string(name) + " not recorded";
}

}  // namespace hitmark
