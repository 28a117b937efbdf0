// What state the machine was in around each block: on a shared host the latency between two CPUs jumps between a
// few values within seconds, and clocks drift. Known from probes that bracket the block, stored as its readings.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/results/sample.hpp"

namespace hitmark {

// Names of the readings, of the whole block (cpu -1, arm -1).
inline constexpr std::string_view kLatencyBefore = "core-latency.before";  // ns between the condition's CPUs
inline constexpr std::string_view kLatencyAfter = "core-latency.after";
inline constexpr std::string_view kCalibrationBefore = "calibration.before";  // ticks of a fixed loop
inline constexpr std::string_view kCalibrationAfter = "calibration.after";

struct BlockProbe {  // absent: not measured
  int invocation = 0;
  std::optional<double> latency_before, latency_after;          // ns
  std::optional<double> calibration_before, calibration_after;  // ticks
};

BlockProbe probe_of(const BlockRecord& block);

struct LatencyStates {
  std::vector<double> centres;  // ns, ascending; empty when no block has a latency
  std::vector<int> of;          // for each block an index into centres; -1: not known, or it changed within the block
  int changed = 0;              // blocks that it changed in
};

LatencyStates latency_states(std::span<const BlockProbe> probes);

// What a reader must be told, in sentences; empty: nothing drifted, or nothing was probed. `probes` in the order
// of time.
std::vector<std::string> drift_flags(std::span<const BlockProbe> probes, const LatencyStates& states);

}  // namespace hitmark
