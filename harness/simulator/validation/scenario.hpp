// Scenarios of the 2026 patch (reference, section 9): a server under cache pressure whose statistics are flushed every
// 2 s (A), or by readers of memory.stat, 10 to 1000 times a second (B). Long periods are not simulated: the steady
// phase and the time from a flush until the statistics are saturated again are windows, weighted by how many calls fall
// into each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/simulator/instructions/instruction_table.hpp"
#include "harness/simulator/machine/machine_model.hpp"
#include "harness/simulator/validation/scenario_arm.hpp"
#include "kernels/variant.hpp"
#include "support/result.hpp"

namespace hitmark::simulator {

// Cycles of a call, modelled: own instructions and the stalls of own accesses, without what it calls.
struct CallCosts {
  double charge = 0, uncharge = 0;
  double rstat = 0;                                 // css_rstat_updated(), of one of the two calls of a pair
  double charge_callees = 0, uncharge_callees = 0;  // the stock where it is not inlined, page counters
  // Of a pair, as the patch adds them up.
  double sum() const { return charge + uncharge + 2 * rstat; }
};
CallCosts costs_of(const PairTally& tally, const ScenarioArm& arm);
CallCosts weighted_costs(double share, const CallCosts& first, const CallCosts& second);

struct ScenarioSetting {
  MachineModel machine;
  ScenarioLoad load;
  double precision = 0.01;     // of the mean cost of a pair, relative: half of a 95 % confidence interval
  unsigned most_batches = 16;  // then a window ends, precise or not
  unsigned pairs_per_batch = 8, warm_up_pairs = 4;
};

struct Window {
  CallCosts costs;
  double half_width = 0;  // reached, relative
  unsigned batches = 0;
  std::uint64_t calls = 0;  // simulated
  double exact = 0;         // share of calls on a path whose instructions were measured
  double late = 0;          // share of pairs that began later than the rate asked for
  bool saturated = false;   // false: the variant never saturates the statistics
};
// No flush: the statistics are saturated, unless they never are.
Result<Window> steady_window(const Variant& variant, const ScenarioSetting& setting, const InstructionTable& table);

// From the start of a flush until the statistics are saturated again and 2 pairs more; means of several.
struct FlushWindow {
  Window window;
  double flush_seconds = 0;  // of the flush alone
  double seconds = 0;        // until they are saturated again
  double accumulating = 0;   // updates meanwhile, of all CPUs
  double calls = 0;          // of a whole window, all CPUs
};
Result<FlushWindow> flush_window(const Variant& variant, const ScenarioSetting& setting, const InstructionTable& table);

// Both, and what they make of any time between two flushes.
struct Phases {
  Window steady;
  FlushWindow flush;
  double calls_per_second = 0;                     // of all CPUs
  double share_of_flushes(double interval) const;  // of calls, in the windows of flushes
  CallCosts costs(double interval) const;
  // A reader flushes when it finds the statistics saturated; every `period` seconds. Seconds between two flushes.
  double interval_of_readers(double period) const;
};
Result<Phases> simulate_phases(const Variant& variant, const ScenarioSetting& setting, const InstructionTable& table);

// The CPUs of the first CCX; all CPUs.
std::vector<unsigned> cpus_of_a_ccx(const MachineModel& machine);
std::vector<unsigned> all_cpus(const MachineModel& machine);

}  // namespace hitmark::simulator
