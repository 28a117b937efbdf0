// States come from both probes of all blocks together; drift from the calibration loop alone, because a change of
// latency is a state and not a drift.
#include "analysis/block_state.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "analysis/statistics/interval.hpp"
#include "analysis/statistics/modes.hpp"
#include "analysis/statistics/trend.hpp"

namespace hitmark {
namespace {

constexpr double kNotableDrift = 0.01;  // of the calibration loop, relative
constexpr double kTrendLevel = 0.01;

bool usable(const std::optional<double>& value) { return value && std::isfinite(*value) && *value > 0; }

std::string text(const char* format, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

std::string percent(double log_change) { return text("%+.1f %%", 100 * std::expm1(log_change)); }

std::string states_text(const LatencyStates& states) {
  std::vector<int> blocks(states.centres.size());
  for (const int state : states.of)
    if (state >= 0) ++blocks[static_cast<std::size_t>(state)];
  std::string list;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    list += (i == 0 ? "" : ", ") + text("%.0f ns", states.centres[i]) + " in " + std::to_string(blocks[i]);
  return "the latency between the CPUs had " + std::to_string(blocks.size()) + " states (" + list +
         " blocks), and changed within " + std::to_string(states.changed) +
         (states.changed == 1 ? " block" : " blocks");
}

}  // namespace

BlockProbe probe_of(const BlockRecord& block) {
  BlockProbe probe;
  probe.invocation = block.invocation;
  for (const Reading& reading : block.readings) {
    if (reading.cpu >= 0 || reading.arm >= 0 || reading.quality == Quality::kUnavailable || !usable(reading.value))
      continue;
    if (reading.event == kLatencyBefore) probe.latency_before = reading.value;
    if (reading.event == kLatencyAfter) probe.latency_after = reading.value;
    if (reading.event == kCalibrationBefore) probe.calibration_before = reading.value;
    if (reading.event == kCalibrationAfter) probe.calibration_after = reading.value;
  }
  return probe;
}

LatencyStates latency_states(std::span<const BlockProbe> probes) {
  std::vector<double> values;
  for (const BlockProbe& probe : probes)
    for (const auto& latency : {probe.latency_before, probe.latency_after})
      if (latency) values.push_back(*latency);
  const Modes modes = modes_of(values);
  LatencyStates states{modes.centres, {}, 0};
  std::size_t next = 0;
  for (const BlockProbe& probe : probes) {
    int state = -1, seen = 0;
    bool same = true;
    for (const auto& latency : {probe.latency_before, probe.latency_after})
      if (latency) {
        const int own = modes.of[next++];
        same = same && (seen++ == 0 || own == state);
        state = own;
      }
    if (!same) ++states.changed;
    states.of.push_back(same ? state : -1);
  }
  return states;
}

std::vector<std::string> drift_flags(std::span<const BlockProbe> probes, const LatencyStates& states) {
  std::vector<std::string> flags;
  if (states.centres.size() > 1) flags.push_back(states_text(states));
  std::map<int, std::vector<double>> calibration;
  for (const BlockProbe& probe : probes)
    for (const auto& ticks : {probe.calibration_before, probe.calibration_after})
      if (ticks) calibration[probe.invocation].push_back(*ticks);
  std::vector<double> medians;
  int drifted = 0;
  double most = 0;
  for (const auto& [invocation, ticks] : calibration) {
    medians.push_back(median(ticks));
    const Trend trend = trend_of(ticks);
    if (trend.p_value * static_cast<double>(calibration.size()) > kTrendLevel) continue;
    if (std::abs(trend.change) < kNotableDrift) continue;
    ++drifted;
    if (std::abs(trend.change) > std::abs(most)) most = trend.change;
  }
  if (drifted > 0)
    flags.push_back("the time of the calibration loop drifted within " + std::to_string(drifted) + " of " +
                    std::to_string(medians.size()) + " invocations, by up to " + percent(most));
  const Trend over_run = trend_of(medians);
  if (over_run.p_value <= kTrendLevel && std::abs(over_run.change) >= kNotableDrift)
    flags.push_back("the time of the calibration loop drifted over the run, by " + percent(over_run.change));
  return flags;
}

}  // namespace hitmark
