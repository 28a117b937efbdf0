// What one reads in a terminal: the answer first, then a table for each condition, then what could not be
// measured, and last the machine. ASCII; colour only when asked for.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/contention_section.hpp"
#include "reports/counters_section.hpp"
#include "reports/report.hpp"
#include "reports/text_fit.hpp"
#include "reports/wording.hpp"

namespace hitmark {
namespace {

using text_fit::Cell;
using text_fit::wrapped;

Cell verdict_cell(Verdict verdict, const RenderOptions& options) {
  std::string_view colour;
  if (options.colour)
    colour = verdict == Verdict::kBetter ? "\033[32m" : verdict == Verdict::kWorse ? "\033[31m" : "\033[33m";
  return {std::string(name_of(verdict)), colour};
}

std::string headline_section(const RunComparison& comparison, const RenderOptions& options) {
  std::string text = wrapped(headline_text(comparison), options.width);
  if (comparison.run.status != "complete")
    text += wrapped("The run is not complete (" + comparison.run.status + "): this is what is there so far.",
                    options.width);
  text += "\n";
  // A narrow terminal has no room for the interval; the table of the condition follows.
  text_fit::Table table({{"verdict", false, 0, true},
                         {"change", true, 0, true},
                         {"95 % interval", false, options.width < 60 ? 2 : 0},
                         {"noise floor", true, 1},
                         {"condition"}});
  bool any = false;
  for (const ConditionComparison& condition : comparison.conditions)
    if (const Contrast* contrast = primary_contrast(comparison, condition)) {
      any = true;
      table.add({verdict_cell(contrast->verdict, options),
                 {shown_change_text(*contrast)},
                 {shown_interval_text(*contrast)},
                 {floor_text(condition.noise_floor)},
                 {condition.condition.name}});
    }
  return any ? text + table.text(options.width, 2) + "\n" : text;
}

std::string arms_table(const RunComparison& comparison, const ConditionComparison& condition,
                       const RenderOptions& options) {
  const CostUnit unit = cost_unit(comparison.run);
  const bool has_ns = unit.name == "ns";
  std::vector<text_fit::Table::Column> columns{{"arm"}, {"ticks/op", true, has_ns ? 3 : 0}};
  if (has_ns) columns.insert(columns.begin() + 1, {"ns/op", true});
  columns.insert(columns.end(), {{"change", true}, {"95 % interval", false, 1}});
  const bool has_empty = condition.empty_cost.value.has_value();
  if (has_empty) columns.push_back({"with the loop", true, 2});
  columns.push_back({"verdict", false, 0, true});
  text_fit::Table table(columns);
  const auto add = [&](const std::string& name, const Estimate* cost, std::vector<Cell> rest) {
    std::vector<Cell> row{{name}};
    if (has_ns) row.push_back({cost != nullptr ? cost_text(*cost, unit.per_tick) : ""});
    row.push_back({cost != nullptr ? cost_text(*cost, 1) : ""});
    row.insert(row.end(), rest.begin(), rest.end());
    table.add(std::move(row));
  };
  if (!condition.contrasts.empty())
    add(condition.contrasts.front().baseline, &condition.contrasts.front().baseline_cost, {{"baseline"}});
  for (const Contrast& contrast : condition.contrasts) {
    std::vector<Cell> rest{{shown_change_text(contrast)}, {shown_interval_text(contrast)}};
    if (has_empty) rest.push_back({change_text(contrast.raw_ratio)});
    rest.push_back(verdict_cell(contrast.verdict, options));
    add(contrast.arm, &contrast.arm_cost, std::move(rest));
  }
  for (const auto& [name, null] : {std::pair{"null:same", condition.null_same}, {"null:copy", condition.null_copy}})
    if (null.value) add(name, nullptr, {{change_text(null)}, {change_interval_text(null)}});
  if (has_empty) add("empty loop", &condition.empty_cost, {});
  return table.text(options.width, 2);
}

std::string shares_table(const ConditionComparison& condition, const RenderOptions& options) {
  if (condition.shares.empty())
    return condition.shares_note.empty() ? "" : wrapped(condition.shares_note, options.width, "  ", "    ");
  text_fit::Table table({{"step"},
                         {"from", false, 2},
                         {"to", false, 3},
                         {"change", true},
                         {"95 % interval", false, 1},
                         {"share", true},
                         {""}});
  // The sum so far is rounded, not the share, so that what is printed adds up to 100 %.
  double sum = 0;
  long printed = 0;  // tenths of a percent
  for (const ChangeShare& share : condition.shares) {
    sum += share.share;
    const long part = std::lround(1000 * sum) - printed;
    printed += part;
    table.add({{share.change},
               {share.from},
               {share.to},
               {change_text(share.ratio)},
               {change_interval_text(share.ratio)},
               {fmt::format("{:.1f} %", static_cast<double>(part) / 10)},
               {within_noise(share.ratio, condition.noise_floor) ? "within noise" : ""}});
  }
  return wrapped("shares of the change, which depend on the order of the chain:", options.width, "  ", "    ") +
         table.text(options.width, 2);
}

// Only when the CPUs differ: the extremes of the arm in which they differ most.
std::string cpu_lines(const ConditionComparison& condition, const RenderOptions& options) {
  const CpuCost *least = nullptr, *most = nullptr;
  std::size_t arms = 0;
  for (std::size_t first = 0; first < condition.cpu_costs.size();) {
    std::size_t end = first;
    while (end < condition.cpu_costs.size() && condition.cpu_costs[end].arm == condition.cpu_costs[first].arm) ++end;
    const auto by_ticks = [](const CpuCost& a, const CpuCost& b) { return a.ticks < b.ticks; };
    const auto [low, high] =
        std::minmax_element(condition.cpu_costs.begin() + static_cast<std::ptrdiff_t>(first),
                            condition.cpu_costs.begin() + static_cast<std::ptrdiff_t>(end), by_ticks);
    if (high->ticks > 1.1 * low->ticks) {
      ++arms;
      if (most == nullptr || high->ticks * least->ticks > most->ticks * low->ticks) least = &*low, most = &*high;
    }
    first = end;
  }
  if (most == nullptr) return "";
  return wrapped(fmt::format("CPUs differ, {}{}: {:.1f} ticks/op on CPU {} to {:.1f} on CPU {}, loop included",
                             arms > 1 ? fmt::format("in {} arms, most in ", arms) : "", least->arm, least->ticks,
                             least->cpu, most->ticks, most->cpu),
                 options.width, "  ", "    ");
}

// Parameters and notes that are the same in every condition are said once, not once each.
struct Shared {
  NameValues workload, notes;
};

NameValues without(const NameValues& all, const NameValues& left_out) {
  NameValues rest;
  for (const auto& entry : all)
    if (std::find(left_out.begin(), left_out.end(), entry) == left_out.end()) rest.push_back(entry);
  return rest;
}

Shared shared_by_all(const RunComparison& comparison) {
  if (comparison.conditions.size() < 2) return {};
  Shared shared{comparison.conditions.front().condition.workload, comparison.conditions.front().condition.notes};
  for (const ConditionComparison& condition : comparison.conditions) {
    shared.workload = without(shared.workload, without(shared.workload, condition.condition.workload));
    shared.notes = without(shared.notes, without(shared.notes, condition.condition.notes));
  }
  return shared;
}

// Names of parameters and notes are identifiers in the store; people read words.
std::string spaced(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string parameter_lines(const NameValues& workload, const NameValues& notes, int width) {
  std::string list, text;
  for (const auto& [name, value] : workload) list += (list.empty() ? "" : ", ") + spaced(name) + " " + value;
  if (!list.empty()) text += wrapped(list, width, "  ", "    ");
  for (const auto& [name, value] : notes) text += wrapped(spaced(name) + ": " + value, width, "  ", "    ");
  return text;
}

std::string shared_section(const Shared& shared, const RenderOptions& options) {
  const std::string lines = parameter_lines(shared.workload, shared.notes, options.width);
  return lines.empty() ? "" : "In every condition\n" + lines + "\n";
}

// "0-3,64,65": three and more in a row as a range.
std::string cpus_text(const std::vector<int>& cpus) {
  std::string text;
  for (std::size_t i = 0; i < cpus.size();) {
    std::size_t end = i + 1;
    while (end < cpus.size() && cpus[end] == cpus[end - 1] + 1) ++end;
    text += (text.empty() ? "" : ",") + std::to_string(cpus[i]);
    if (end - i > 2) text += "-" + std::to_string(cpus[end - 1]);
    i = end - i > 2 ? end : i + 1;
  }
  return text;
}

std::string condition_section(const RunComparison& comparison, const ConditionComparison& condition,
                              const Shared& shared, const RenderOptions& options) {
  const ConditionRecord& record = condition.condition;
  const std::string cpus = cpus_text(record.cpus);
  std::string text = wrapped(record.name + " on " + machine_text(comparison.run), options.width, "-- ", "   ");
  text += wrapped(fmt::format("{} (CPU{} {}){}", record.relation, record.cpus.size() == 1 ? "" : "s", cpus,
                              record.home.empty() ? "" : ", home " + record.home),
                  options.width, "  ", "    ");
  text +=
      parameter_lines(without(record.workload, shared.workload), without(record.notes, shared.notes), options.width);
  text += arms_table(comparison, condition, options);
  text += wrapped(fmt::format("noise floor {}{}; {} invocations, {} blocks used, {} discarded",
                              floor_text(condition.noise_floor), condition.noise_floor ? " (the larger null)" : "",
                              condition.invocations, condition.blocks_used, condition.blocks_discarded),
                  options.width, "  ", "    ");
  constexpr std::size_t kMostReasons = 5;
  for (std::size_t i = 0; i < std::min(condition.discard_reasons.size(), kMostReasons); ++i)
    text += wrapped("discarded: " + condition.discard_reasons[i], options.width, "  ", "    ");
  if (condition.discard_reasons.size() > kMostReasons)
    text += wrapped(fmt::format("discarded: for {} more reason{}, see --format json",
                                condition.discard_reasons.size() - kMostReasons,
                                condition.discard_reasons.size() - kMostReasons == 1 ? "" : "s"),
                    options.width, "  ", "    ");
  for (const Contrast& contrast : condition.contrasts)
    if (!contrast.why.empty())
      text += wrapped(fmt::format("{} is {}: {}", contrast.arm, name_of(contrast.verdict), contrast.why), options.width,
                      "  ", "    ");
  text += shares_table(condition, options);
  text += contention_section(comparison, condition, options.width);
  for (const std::string& phase : condition.phases) text += wrapped("phase, " + phase, options.width, "  ", "    ");
  return text + cpu_lines(condition, options) + "\n";
}

// The facts that explain a result at a glance; the rest is in the JSON.
std::string manifest_text(const RunRecord& run) {
  constexpr std::array<std::string_view, 11> kShown{
      "cpu", "microcode",      "kernel",          "governor", "boost",   "smt",
      "nps", "numa_balancing", "virtual_machine", "compiler", "revision"};
  constexpr std::size_t kLongest = 60;
  std::string text;
  std::size_t shown = 0;
  for (const auto& [name, value] : run.environment) {
    if (std::find(kShown.begin(), kShown.end(), name) == kShown.end()) continue;
    text += (shown++ == 0 ? "" : "; ") + name + ": " + text_fit::shortened(value, kLongest);
  }
  if (shown < run.environment.size())
    text += fmt::format("{}{} facts more: --format json", shown == 0 ? "" : "; ", run.environment.size() - shown);
  return text;
}

std::string machine_section(const RunComparison& comparison, const RenderOptions& options) {
  const RunRecord& run = comparison.run;
  const std::string manifest = manifest_text(run);
  std::string text = wrapped("Machine: " + machine_text(run), options.width, "", "  ");
  if (!manifest.empty())
    text += wrapped((is_simulated(run) ? "computed on: " : "") + manifest, options.width, "  ", "  ");
  for (const std::string& warning : run.warnings) text += wrapped("warning: " + warning, options.width, "  ", "    ");
  text += wrapped(fmt::format("Run {}, {}, {}, seed {}, {:.0f} s{}", run.run_id, run.started, run.status, run.seed,
                              run.wall_seconds, options.store.empty() ? "" : ", store " + options.store),
                  options.width, "", "  ");
  return text;
}

std::string render_text(const RunComparison& comparison, const RenderOptions& given) {
  RenderOptions options = given;
  options.width = std::max(options.width, 40);
  const Shared shared = shared_by_all(comparison);
  std::string text = headline_section(comparison, options) + shared_section(shared, options);
  for (const ConditionComparison& condition : comparison.conditions)
    text += condition_section(comparison, condition, shared, options);
  return text + counters_section(comparison, options.width) + machine_section(comparison, options);
}

const Registered<Renderer> registered{{"text", "for a terminal: the answer, the tables, what is missing", render_text}};

}  // namespace
}  // namespace hitmark
