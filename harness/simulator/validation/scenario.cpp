#include "harness/simulator/validation/scenario.hpp"

#include <algorithm>
#include <numeric>

#include "harness/simulator/validation/scenario_arithmetic.hpp"

namespace hitmark::simulator {
namespace {

constexpr unsigned kTail = 2;  // pairs of each CPU after a flush is over: they fetch the shared line again
constexpr unsigned kFewestBatches = 3;
constexpr unsigned kMostSurprises = 4;  // then lockstep: recalls of a small directory may surprise for long

double per_call(double instructions, Picoseconds stall, std::uint64_t calls, const ScenarioArm& arm) {
  if (calls == 0) return 0;
  return (instructions * arm.cycles_per_instruction() + arm.cycles(stall)) / static_cast<double>(calls);
}

double pair_cost(const CallCosts& costs) { return costs.sum() + costs.charge_callees + costs.uncharge_callees; }

// Calls body(arm) on a warm arm until it is not surprised: each surprise adds to the lines known to be shared.
Result<void> on_warm_arm(const Variant& variant, const ScenarioSetting& setting, const InstructionTable& table,
                         const std::function<bool(ScenarioArm&, bool saturates)>& body) {
  std::vector<bool> shared_lines;
  for (unsigned surprises = 0; surprises <= kMostSurprises; ++surprises) {
    ScenarioLoad load = setting.load;
    load.run_ahead = load.run_ahead && surprises < kMostSurprises;
    auto arm = ScenarioArm::create(setting.machine, variant, load, table, shared_lines);
    if (!arm) return arm.error();
    const bool saturates = (*arm)->fast_forward();
    if ((*arm)->run(setting.warm_up_pairs) && body(**arm, saturates)) return {};
    shared_lines = (*arm)->shared_lines();
  }
  return Error{ErrorKind::kUnavailable, "the engine was surprised in lockstep, which it never is", ""};
}

void finish(Window& window, const PairTally& all, const BatchMeans& means, const ScenarioArm& arm) {
  const BatchMean mean = means.get();
  window.costs = costs_of(all, arm);
  window.half_width = mean.mean > 0 ? mean.half_width / mean.mean : 0;
  window.batches = mean.batches;
  window.calls = all.charge.calls + all.uncharge.calls;
  window.exact = static_cast<double>(all.charge.exact + all.uncharge.exact) / static_cast<double>(window.calls);
  window.late = arm.late_share();
}

}  // namespace

CallCosts costs_of(const PairTally& tally, const ScenarioArm& arm) {
  const CallTally &c = tally.charge, &u = tally.uncharge;
  CallCosts costs;
  costs.charge = per_call(c.own, c.own_stall, c.calls, arm);
  costs.uncharge = per_call(u.own, u.own_stall, u.calls, arm);
  costs.rstat = per_call(c.rstat + u.rstat, c.rstat_stall + u.rstat_stall, c.calls + u.calls, arm);
  costs.charge_callees = per_call(c.callees, c.callees_stall, c.calls, arm);
  costs.uncharge_callees = per_call(u.callees, u.callees_stall, u.calls, arm);
  return costs;
}

CallCosts weighted_costs(double share, const CallCosts& first, const CallCosts& second) {
  CallCosts costs;
  costs.charge = weighted(share, first.charge, second.charge);
  costs.uncharge = weighted(share, first.uncharge, second.uncharge);
  costs.rstat = weighted(share, first.rstat, second.rstat);
  costs.charge_callees = weighted(share, first.charge_callees, second.charge_callees);
  costs.uncharge_callees = weighted(share, first.uncharge_callees, second.uncharge_callees);
  return costs;
}

Result<Window> steady_window(const Variant& variant, const ScenarioSetting& setting, const InstructionTable& table) {
  Window window;
  const auto done = on_warm_arm(variant, setting, table, [&](ScenarioArm& arm, bool saturates) {
    PairTally all;
    BatchMeans means;
    while (means.get().batches < setting.most_batches &&
           (means.get().batches < kFewestBatches || !means.as_precise_as(setting.precision))) {
      const auto batch = arm.run(setting.pairs_per_batch);
      if (!batch) return false;
      all += *batch;
      means.add(pair_cost(costs_of(*batch, arm)));
    }
    finish(window, all, means, arm);
    window.saturated = saturates;
    return true;
  });
  if (!done) return done.error();
  return window;
}

Result<FlushWindow> flush_window(const Variant& variant, const ScenarioSetting& setting,
                                 const InstructionTable& table) {
  FlushWindow result;
  const auto done = on_warm_arm(variant, setting, table, [&](ScenarioArm& arm, bool saturates) {
    result = {};
    PairTally all;
    BatchMeans means;
    while (means.get().batches < setting.most_batches &&
           (means.get().batches < kFewestBatches || !means.as_precise_as(setting.precision))) {
      const auto flush = arm.run_flush(kTail);
      if (!flush || !arm.run(1)) return false;
      all += flush->tally;
      means.add(pair_cost(costs_of(flush->tally, arm)));
      result.flush_seconds += flush->flush_seconds;
      result.seconds += flush->seconds;
      result.accumulating += static_cast<double>(flush->accumulating);
      result.calls += static_cast<double>(flush->calls);
    }
    finish(result.window, all, means, arm);
    result.window.saturated = saturates;
    for (double* sum : {&result.flush_seconds, &result.seconds, &result.accumulating, &result.calls})
      *sum /= means.get().batches;
    return true;
  });
  if (!done) return done.error();
  return result;
}

double Phases::share_of_flushes(double interval) const {
  return share_of_windows(flush.calls, flush.seconds, calls_per_second, interval);
}

CallCosts Phases::costs(double interval) const {
  return weighted_costs(share_of_flushes(interval), flush.window.costs, steady.costs);
}

double Phases::interval_of_readers(double period) const { return flush_interval_of_readers(period, flush.seconds); }

Result<Phases> simulate_phases(const Variant& variant, const ScenarioSetting& setting, const InstructionTable& table) {
  const auto steady = steady_window(variant, setting, table);
  if (!steady) return steady.error();
  const auto flush = flush_window(variant, setting, table);
  if (!flush) return flush.error();
  Phases phases;
  phases.steady = *steady;
  phases.flush = *flush;
  phases.calls_per_second = 2 * setting.load.pairs_per_second * static_cast<double>(setting.load.os_cpus.size());
  return phases;
}

std::vector<unsigned> cpus_of_a_ccx(const MachineModel& machine) {
  std::vector<unsigned> cpus;
  for (unsigned cpu = 0; cpu < machine.cpus(); ++cpu)
    if (machine.ccx_of_core(machine.core_of(cpu)) == 0) cpus.push_back(cpu);
  return cpus;
}

std::vector<unsigned> all_cpus(const MachineModel& machine) {
  std::vector<unsigned> cpus(machine.cpus());
  std::iota(cpus.begin(), cpus.end(), 0u);
  return cpus;
}

}  // namespace hitmark::simulator
