#include "harness/simulator/validation/calibrate_report.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace hitmark::simulator {
namespace {

using nlohmann::ordered_json;

[[gnu::format(printf, 2, 3)]] void print(std::string& text, const char* format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  text += line;
}

double kib(unsigned lines) { return lines / 16.0; }

void print_costs(std::string& text, const char* name, const Comparison& costs) {
  print(text, "  %-34s %8.1f %8.1f %7.1f   %8.1f %8.1f %7.1f\n", name, costs.before.charge, costs.before.uncharge,
        2 * costs.before.rstat, costs.after.charge, costs.after.uncharge, 2 * costs.after.rstat);
}

void print_fit(std::string& text, const Calibration& c) {
  const CalibrationRow& base = c.base;
  if (base.fit.reached)
    print(text, "Fitted: %g KiB of private data between two operations make %s's charge %.1f cycles (measured %.1f).\n",
          kib(base.fit.lines), c.before.c_str(), base.fit.cycles, base.target);
  else
    print(text,
          "NOT FITTED: %s.\nWhat follows is at %g KiB, where %s's charge comes nearest to the measured %.1f cycles.\n",
          base.fit.reason.c_str(), kib(base.fit.lines), c.before.c_str(), base.target);
  if (!base.fit.monotone) text += "The cost does not rise everywhere with the pressure.\n";
}

void print_ratios(std::string& text, const Calibration& c) {
  const std::vector<RatioRange> ranges = ratio_ranges(c);
  text += "\nPredicted, after / before, scenario A (a flush every 2 s):\n";
  text += "  of                    measured   modelled   within 15 %   over all protocol switches\n";
  const std::vector<RatioCheck> ratios = c.base.costs.ratios();
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    print(text, "  %-20s %9.3f  %9.3f   %-11s", ratios[i].name.c_str(), ratios[i].target, ratios[i].got,
          ratios[i].inside() ? "inside" : "OUTSIDE");
    if (c.switches.empty())
      text += "   not run\n";
    else
      print(text, "   %.3f to %.3f\n", ranges[i].low, ranges[i].high);
  }
}

void print_phases(std::string& text, const Calibration& c) {
  const Phases& p = c.phases;
  text += "\nCycles per call (rstat: of both calls of a pair)\n";
  print(text, "  %-34s %8s %8s %7s   %8s %8s %7s\n", "", "charge", "uncharge", "rstat", "charge", "uncharge", "rstat");
  print(text, "  %-34s %26s   %26s\n", "", c.before.c_str(), c.after.c_str());
  print(text, "  %-34s %8.1f %8.1f %7.1f   %8.1f %8.1f %7.1f\n", "measured", kMeasuredCharge, kMeasuredUncharge,
        kMeasuredRstat, kMeasuredChargeAfter, kMeasuredUnchargeAfter, 0.0);
  print_costs(text, "steady phase", {p.steady.costs, c.phases_after.steady.costs});
  print_costs(text, "while a flush accumulates", {p.flush.window.costs, c.phases_after.flush.window.costs});
  print_costs(text, "A: a flush every 2 s", c.base.costs);
  print_costs(text, "A, share by section 3.7's formula", c.by_formula);
  for (const ReaderRow& row : c.readers) {
    char name[80];
    std::snprintf(name, sizeof name, "B: %g readers/s (%.3g ms, %.2g %%)", row.readers_per_second, 1e3 * row.interval,
                  100 * row.share);
    print_costs(text, name, row.costs);
  }
  print(text,
        "  A flush lasts %.2f ms, and the statistics are saturated again %.2f ms after its start and %.0f updates;\n"
        "  %.3f %% of the calls of 2 s fall into that window. B: time between two flushes, share of calls in windows.\n"
        "  Precision (half of a 95 %% interval): steady %.1f %% of %u batches, flushes %.1f %% of %u.\n"
        "  Calls on a path whose instructions were measured: %.1f %%, %.1f %% around flushes.\n"
        "  Pairs that began later than that rate asks for, since a CPU was still waiting: %.1f %%, %.1f %% around "
        "flushes.\n",
        1e3 * p.flush.flush_seconds, 1e3 * p.flush.seconds, p.flush.accumulating,
        100 * p.share_of_flushes(kFlushInterval), 100 * p.steady.half_width, p.steady.batches,
        100 * p.flush.window.half_width, p.flush.window.batches, 100 * p.steady.exact, 100 * p.flush.window.exact,
        100 * p.steady.late, 100 * p.flush.window.late);
}

void print_pressures(std::string& text, const Calibration& c) {
  text += "\nThe steady phase alone, by pressure\n";
  for (const PressureRow& row : c.pressures) {
    char name[80];
    std::snprintf(name, sizeof name, "%g KiB", kib(row.lines));
    print_costs(text, name, row.costs);
  }
  const Fit& fit = c.base.steady_fit;
  if (fit.reached)
    print(text, "  Without flushes %g KiB would make it %.1f cycles.\n", kib(fit.lines), fit.cycles);
  else
    print(text, "  Without flushes: %s.\n", fit.reason.c_str());
}

void print_row_part(std::string& text, const Fit& fit, const Comparison& costs) {
  const std::vector<RatioCheck> ratios = costs.ratios();
  print(text, " | %6.1f%c %8.1f %6.3f %8.3f %6.3f", kib(fit.lines), fit.reached ? ' ' : '*', costs.before.charge,
        ratios[0].got, ratios[1].got, ratios[3].got);
}

void print_rows(std::string& text, const char* title, const Calibration& c, const std::vector<CalibrationRow>& rows) {
  if (rows.empty()) return;
  print(text, "\n%s\n  %-43s | A: KiB    charge  after / before         | steady: KiB charge after / before\n", title,
        "");
  print(text, "  %-36s %6s | %7s %8s %6s %8s %6s | %7s %8s %6s %8s %6s\n", "", "target", "", "before", "charge",
        "uncharge", "sum", "", "before", "charge", "uncharge", "sum");
  const auto print_row = [&](const CalibrationRow& row) {
    print(text, "  %-36s %6.1f", row.name.c_str(), row.target);
    print_row_part(text, row.fit, row.costs);
    print_row_part(text, row.steady_fit, row.steady_costs);
    text += "\n";
  };
  print_row(c.base);
  for (const CalibrationRow& row : rows) print_row(row);
  text += "  * not fitted: the target is out of reach, and this is the nearest pressure\n";
}

// Where the baseline's charge comes from, so that a miss has a reason.
void print_reason(std::string& text, const Calibration& c) {
  if (calibration_holds(c) || c.pressures.empty()) return;
  const double bare = c.pressures.front().costs.before.charge, now = c.phases.steady.costs.charge;
  double most = bare;
  for (const PressureRow& row : c.pressures) most = std::max(most, row.costs.before.charge);
  print(text,
        "\nWhy: of the %.1f cycles of %s's charge %.1f are instructions, %.1f pressure (at most %.1f: the core runs on "
        "past\n"
        "hits in the L2) and %.1f the windows of flushes, in which all CPUs wait for lines that a home serves to one "
        "CCX\n"
        "after the other. Measured are %.1f. Of %s's charge %.1f are instructions.\n",
        c.base.costs.before.charge, c.before.c_str(), bare, now - bare, most - bare, c.base.costs.before.charge - now,
        kMeasuredCharge, c.after.c_str(), c.pressures.front().costs.after.charge);
}

double saved(const Comparison& costs) { return costs.before.sum() - costs.after.sum(); }

std::string throughput_sentence(const Calibration& c) {
  std::string text;
  const double measured = kMeasuredCharge + kMeasuredUncharge + kMeasuredRstat,
               after = kMeasuredChargeAfter + kMeasuredUnchargeAfter;
  print(text,
        "The measured +%.0f %% throughput is not explained by these cycles: the profile itself saves %.0f to %.0f of "
        "the\n"
        "%.0f cycles of an RPC (%.2f %% at the most), the model %.0f.",
        100 * (kRpcsPerSecondAfter / kRpcsPerSecond - 1), measured - after, measured, kCyclesPerRpc,
        100 * measured / kCyclesPerRpc, saved(c.base.costs) * c.base.charges_per_rpc);
  return text;
}

ordered_json costs_json(const CallCosts& costs) {
  return {{"charge", costs.charge},
          {"uncharge", costs.uncharge},
          {"css_rstat_updated", costs.rstat},
          {"charge_callees", costs.charge_callees},
          {"uncharge_callees", costs.uncharge_callees}};
}

ordered_json comparison_json(const Comparison& costs) {
  ordered_json ratios = ordered_json::array();
  for (const RatioCheck& check : costs.ratios())
    ratios.push_back({{"of", check.name}, {"target", check.target}, {"got", check.got}, {"inside", check.inside()}});
  return {{"before", costs_json(costs.before)}, {"after", costs_json(costs.after)}, {"ratios", ratios}};
}

ordered_json fit_json(const Fit& fit) {
  ordered_json points = ordered_json::array();
  for (const FitPoint& point : fit.points)
    points.push_back({{"pressure_kib", kib(point.lines)}, {"cycles", point.cycles}});
  return {{"reached", fit.reached},   {"pressure_kib", kib(fit.lines)}, {"cycles", fit.cycles},
          {"monotone", fit.monotone}, {"reason", fit.reason},           {"points", points}};
}

ordered_json row_json(const CalibrationRow& row) {
  ordered_json json = {{"name", row.name},
                       {"charges_per_rpc", row.charges_per_rpc},
                       {"target_charge", row.target},
                       {"fit", fit_json(row.fit)}};
  json.update(comparison_json(row.costs));
  json["steady_fit"] = fit_json(row.steady_fit);
  json["steady"] = comparison_json(row.steady_costs);
  return json;
}

ordered_json window_json(const Window& window) {
  return {{"costs", costs_json(window.costs)}, {"half_width", window.half_width},
          {"batches", window.batches},         {"calls", window.calls},
          {"exact_paths", window.exact},       {"late", window.late},
          {"saturated", window.saturated}};
}

ordered_json phases_json(const Phases& phases) {
  return {{"steady", window_json(phases.steady)},
          {"flush", window_json(phases.flush.window)},
          {"flush_seconds", phases.flush.flush_seconds},
          {"seconds_until_saturated", phases.flush.seconds},
          {"updates_until_saturated", phases.flush.accumulating},
          {"share_of_calls", phases.share_of_flushes(kFlushInterval)}};
}

}  // namespace

bool calibration_holds(const Calibration& calibration) {
  const auto ratios = calibration.base.costs.ratios();
  return calibration.base.fit.reached &&
         std::all_of(ratios.begin(), ratios.end(), [](const RatioCheck& check) { return check.inside(); });
}

std::vector<RatioRange> ratio_ranges(const Calibration& calibration) {
  std::vector<RatioRange> ranges;
  for (const RatioCheck& check : calibration.base.costs.ratios()) ranges.push_back({check.got, check.got});
  for (const CalibrationRow& row : calibration.switches) {
    const auto ratios = row.costs.ratios();
    for (std::size_t i = 0; i < ratios.size(); ++i) {
      ranges[i].low = std::min(ranges[i].low, ratios[i].got);
      ranges[i].high = std::max(ranges[i].high, ratios[i].got);
    }
  }
  return ranges;
}

std::string calibration_text(const Calibration& c) {
  std::string text;
  print(text,
        "hitmark calibrate: %s before and %s after, on %s, %u CPUs charging one memcg. All values are modelled.\n"
        "Load: %.3g million RPCs a second, each CPU's share of the %.3g million that were measured on %u.\n",
        c.before.c_str(), c.after.c_str(), c.machine.c_str(), c.cpus, c.rpcs_per_second * 1e-6, kRpcsPerSecond * 1e-6,
        kMeasuredCpus);
  if (!c.caution.empty()) print(text, "Caution: %s.\n", c.caution.c_str());
  text += "\n";
  print_fit(text, c);
  print_ratios(text, c);
  print_reason(text, c);
  print_phases(text, c);
  print_pressures(text, c);
  print_rows(text, "Sensitivity: the pressure fitted anew, nothing else changed", c, c.sensitivity);
  print_rows(text, "Protocol switches, at the base's pressure", c, c.switches);
  return text + "\n" + throughput_sentence(c) + "\n";
}

std::string calibration_json(const Calibration& c) {
  ordered_json pressures = ordered_json::array(), readers = ordered_json::array(), sensitivity = ordered_json::array(),
               switches = ordered_json::array(), ranges = ordered_json::array();
  for (const PressureRow& row : c.pressures) {
    pressures.push_back({{"pressure_kib", kib(row.lines)}, {"late", row.late}});
    pressures.back().update(comparison_json(row.costs));
  }
  for (const ReaderRow& row : c.readers) {
    readers.push_back({{"readers_per_second", row.readers_per_second},
                       {"seconds_between_flushes", row.interval},
                       {"share_of_calls", row.share}});
    readers.back().update(comparison_json(row.costs));
  }
  for (const CalibrationRow& row : c.sensitivity) sensitivity.push_back(row_json(row));
  for (const CalibrationRow& row : c.switches) switches.push_back(row_json(row));
  if (!c.switches.empty())
    for (const RatioRange& range : ratio_ranges(c)) ranges.push_back({range.low, range.high});
  const ordered_json json = {{"format", "hitmark calibrate 1"},
                             {"quality", "modelled"},
                             {"unit", "cycles per call"},
                             {"machine", c.machine},
                             {"caution", c.caution},
                             {"cpus", c.cpus},
                             {"rpcs_per_second", c.rpcs_per_second},
                             {"before", c.before},
                             {"after", c.after},
                             {"holds", calibration_holds(c)},
                             {"scenario_a", row_json(c.base)},
                             {"ratio_ranges_over_switches", ranges},
                             {"phases_before", phases_json(c.phases)},
                             {"phases_after", phases_json(c.phases_after)},
                             {"scenario_a_by_formula", comparison_json(c.by_formula)},
                             {"scenario_b", readers},
                             {"steady_by_pressure", pressures},
                             {"sensitivity", sensitivity},
                             {"switches", switches},
                             {"throughput", throughput_sentence(c)}};
  return json.dump(2);
}

}  // namespace hitmark::simulator
