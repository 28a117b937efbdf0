// For a commit message: 75 columns, plain ASCII, `Metric | Baseline | Patched | Diff`. The headline's arm only.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/statistics/interval.hpp"
#include "reports/report.hpp"
#include "reports/text_fit.hpp"
#include "reports/wording.hpp"

namespace hitmark {
namespace {

constexpr int kColumns = 75;
constexpr int kMetric = 17, kCost = 16, kDiff = kColumns - kMetric - 2 * kCost - 3 * 3;

// The first words of `text` that fit `width`, which are taken off it; a longer word is broken.
std::string take(std::string_view& text, std::size_t width) {
  std::size_t end = text.size();
  if (end > width) {
    end = text.rfind(' ', width);
    if (end == std::string_view::npos || end == 0) end = width;
  }
  const std::string taken(text.substr(0, end));
  text.remove_prefix(end);
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return taken;
}

std::string line(std::string_view metric, std::string_view baseline, std::string_view patched, std::string_view diff) {
  std::string text;
  for (bool first = true; first || !baseline.empty() || !patched.empty() || !diff.empty(); first = false) {
    text += fmt::format("{:<{}} | {:<{}} | {:<{}} | {}", first ? metric : "", kMetric, take(baseline, kCost), kCost,
                        take(patched, kCost), kCost, take(diff, kDiff));
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  return text;
}

std::string rule() {
  return std::string(kMetric + 1, '-') + "+" + std::string(kCost + 2, '-') + "+" + std::string(kCost + 2, '-') + "+" +
         std::string(kDiff + 1, '-') + "\n";
}

std::string rows_of(const RunComparison& comparison, const ConditionComparison& condition, const Contrast& contrast) {
  const CostUnit unit = cost_unit(comparison.run);
  std::string text = text_fit::wrapped(condition.condition.name, kColumns, "", "  ");
  text += line(fmt::format(" {} / op", unit.name), cost_text(contrast.baseline_cost, unit.per_tick),
               cost_text(contrast.arm_cost, unit.per_tick), change_text(contrast.ratio));
  const auto or_none = [](std::string interval) { return interval.empty() ? std::string("no interval") : interval; };
  text += line(" 95 % interval", or_none(cost_interval_text(contrast.baseline_cost, unit.per_tick)),
               or_none(cost_interval_text(contrast.arm_cost, unit.per_tick)),
               or_none(change_interval_text(contrast.ratio)));
  if (condition.empty_cost.value && comparison.basis == CostBasis::kNet) {
    text += line(" with the loop", cost_text(contrast.raw_baseline_cost, unit.per_tick),
                 cost_text(contrast.raw_arm_cost, unit.per_tick), change_text(contrast.raw_ratio));
    text += line("  95 % interval", or_none(cost_interval_text(contrast.raw_baseline_cost, unit.per_tick)),
                 or_none(cost_interval_text(contrast.raw_arm_cost, unit.per_tick)),
                 or_none(change_interval_text(contrast.raw_ratio)));
  }
  text += line(" noise floor", "", "", floor_text(condition.noise_floor));
  text += line(" verdict", "", "", fmt::format("{}, n={}", name_of(contrast.verdict), contrast.invocations));
  return text;
}

// Names of CPUs and of arms may hold any character; a commit message is ASCII.
std::string ascii(std::string text) {
  for (char& byte : text)
    if (static_cast<unsigned char>(byte) > '~') byte = '?';
  return text;
}

std::string basis_text(const RunComparison& comparison) {
  const RunRecord& run = comparison.run;
  std::string interval = "Student's t over processes";
  if (run.invocations >= MeanInterval::kBootstrapFrom)
    interval += fmt::format(", a studentised bootstrap from {} on", MeanInterval::kBootstrapFrom);
  const std::string loop = comparison.basis == CostBasis::kRaw ? ", empty loop included" : "";
  if (is_simulated(run))
    return fmt::format(
        "Simulated, not measured: every figure is of hitmark's model of {}. n: simulated processes, each with page "
        "frames of its own; per process the median over blocks of A B B A slices{}; {}. Noise "
        "floor: an A/A null of the same run.",
        run.machine, loop, interval);
  return fmt::format(
      "{}, Linux {}. n: processes; per process the median over blocks of A B B A slices{}; {}. "
      "Noise floor: the larger of two A/A nulls of the same run.",
      environment_text(run, "cpu"), environment_text(run, "kernel"), loop, interval);
}

std::string render_commit(const RunComparison& comparison, const RenderOptions&) {
  const RunRecord& run = comparison.run;
  const std::string baseline = run.arms.empty() ? "nothing" : run.arms.front().name;
  std::string text = text_fit::wrapped(
      fmt::format("{}: {} (patched) against {} (baseline), {}.", run.family,
                  comparison.headline.empty() ? "no arm" : comparison.headline, baseline, machine_text(run)),
      kColumns);
  text += "\n" + line("Metric", "Baseline", "Patched", "Diff") + rule();
  std::string rows;
  for (const ConditionComparison& condition : comparison.conditions)
    if (const Contrast* contrast = primary_contrast(comparison, condition))
      rows += rows_of(comparison, condition, *contrast);
  text += rows.empty() ? "there is no arm to compare\n" : rows;
  text += "\n" + text_fit::wrapped(basis_text(comparison), kColumns);
  return ascii(std::move(text));
}

const Registered<Renderer> registered{
    {"commit", "75 columns for a commit message: Metric | Baseline | Patched | Diff", render_commit}};

}  // namespace
}  // namespace hitmark
