// `hitmark calibrate`: fits the one pressure parameter on what the baseline's charge costs in the profile of the 2026
// patch, and then predicts the patched variant and everything else. Nothing but pressure is fitted, and every value
// is modelled.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/simulator/validation/calibrate_fit.hpp"
#include "harness/simulator/validation/scenario.hpp"

namespace hitmark::simulator {

// What was measured (reference, section 9): a profile of 10 s, cycles per RPC before and after the patch.
inline constexpr double kRpcsPerSecond = 20'884'499, kRpcsPerSecondAfter = 26'960'730;
inline constexpr unsigned kMeasuredCpus = 256;  // which share them evenly
inline constexpr double kCyclesPerRpc = 21'868;  // of the whole host
inline constexpr double kMeasuredCharge = 88.2, kMeasuredChargeAfter = 27.7;
inline constexpr double kMeasuredUncharge = 79.5, kMeasuredUnchargeAfter = 31.7;
inline constexpr double kMeasuredRstat = 16.8;  // of both calls together
inline constexpr double kTolerance = 0.15;
inline constexpr double kFlushInterval = 2;  // s

struct RatioCheck {
  std::string name;
  double target = 0, got = 0;
  bool inside() const;  // within kTolerance of the target; a target of 0 must be got exactly
};

// Before: the baseline; after: the patched variant.
struct Comparison {
  CallCosts before, after;
  std::vector<RatioCheck> ratios() const;
};

// The fit and what follows from it on one machine, with one number of charges per RPC.
struct CalibrationRow {
  std::string name;
  double charges_per_rpc = 1;
  double target = 0;  // of the baseline's charge, cycles
  Fit fit;
  Comparison costs;  // scenario A, at the fitted pressure, or where it came nearest
  Fit steady_fit;    // the same for the steady phase alone: what pressure can do without any flush
  Comparison steady_costs;
};

struct PressureRow {  // the steady phase alone
  unsigned lines = 0;
  Comparison costs;
  double late = 0;  // share of pairs that began later than the rate asks for
};

struct ReaderRow {  // scenario B
  double readers_per_second = 0;
  double interval = 0;  // s between two flushes, before; after the patch nothing but the 2 s flush is left
  double share = 0;     // of calls, in the windows of flushes
  Comparison costs;
};

struct Calibration {
  std::string machine, caution, before, after;  // names
  unsigned cpus = 0;
  double rpcs_per_second = 0;  // of all CPUs: each does as many as one of the measured host's
  CalibrationRow base;
  Phases phases, phases_after;  // at the base's pressure
  Comparison by_formula;        // scenario A with the share of section 3.7 instead of the simulated windows
  std::vector<PressureRow> pressures;
  std::vector<ReaderRow> readers;
  std::vector<CalibrationRow> sensitivity, switches;
};

struct CalibrationOptions {
  const Variant* before = nullptr;
  const Variant* after = nullptr;
  bool rows = true;            // sensitivity and switches: most of the time
  unsigned most_lines = 4096;  // 256 KiB: with two threads the whole L2
  unsigned flush_windows = 4;  // at the most, each
  // What begins now, and how many of how many are done; they take about as long as each other.
  std::function<void(const std::string& now, unsigned done, unsigned all)> progress = nullptr;
};

Result<Calibration> calibrate(const MachineModel& machine, const CalibrationOptions& options);

}  // namespace hitmark::simulator
