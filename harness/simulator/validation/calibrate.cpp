#include "harness/simulator/validation/calibrate.hpp"

#include <cmath>

#include "harness/simulator/validation/scenario_arithmetic.hpp"

namespace hitmark::simulator {
namespace {

constexpr double kSteadyPrecision = 0.01, kFlushPrecision = 0.05;
constexpr unsigned kManyLines = 1024;
constexpr unsigned kSteps = 2, kRows = 14;  // say() is called once for each
constexpr unsigned kSmallDirectory = 256;   // entries per channel, fewer than the lines in use

struct Changed {
  std::string name;
  MachineModel machine;
  double charges_per_rpc = 1;
};

class Calibrator {
 public:
  Calibrator(const MachineModel& machine, const CalibrationOptions& options, const InstructionTable& table)
      : machine_(machine), options_(options), table_(table) {}

  Result<Calibration> run() {
    Calibration all;
    all.machine = machine_.name;
    all.caution = machine_.caution;
    all.before = options_.before->name;
    all.after = options_.after->name;
    all.cpus = machine_.cpus();
    all.rpcs_per_second = rpcs_per_second();
    for (const auto& step : {&Calibrator::fit_base, &Calibrator::try_pressures, &Calibrator::read_statistics,
                             &Calibrator::vary_parameters, &Calibrator::vary_protocol})
      if (const auto done = (this->*step)(all); !done) return done.error();
    return all;
  }

 private:
  void say(const std::string& what) const {
    if (options_.progress) options_.progress(what, begun_, options_.rows ? kSteps + kRows : kSteps);
    ++begun_;
  }
  double rpcs_per_second() const { return kRpcsPerSecond / kMeasuredCpus * machine_.cpus(); }

  ScenarioSetting setting(const Changed& changed, unsigned lines, bool whole_machine) const {
    ScenarioSetting setting;
    setting.machine = changed.machine;
    setting.load.os_cpus = whole_machine ? all_cpus(changed.machine) : cpus_of_a_ccx(changed.machine);
    setting.load.online_cpus = changed.machine.cpus();
    setting.load.pressure_lines = lines;
    setting.load.pairs_per_second = changed.charges_per_rpc * kRpcsPerSecond / kMeasuredCpus;
    setting.precision = whole_machine ? kFlushPrecision : kSteadyPrecision;
    if (whole_machine) setting.most_batches = options_.flush_windows;
    if (lines >= kManyLines) setting.pairs_per_batch = 3;  // each touches so much that it is a mean in itself
    return setting;
  }

  // Nothing is shared but what is only read: one CCX stands for all.
  Result<Window> steady(const Variant& variant, const Changed& changed, unsigned lines) const {
    return steady_window(variant, setting(changed, lines, false), table_);
  }
  Result<FlushWindow> flush(const Variant& variant, const Changed& changed, unsigned lines) const {
    return flush_window(variant, setting(changed, lines, true), table_);
  }
  Result<Phases> phases(const Variant& variant, const Changed& changed, unsigned lines,
                        const FlushWindow* known = nullptr) const {
    const auto window = steady(variant, changed, lines);
    if (!window) return window.error();
    Phases both;
    both.steady = *window;
    both.calls_per_second = 2 * changed.charges_per_rpc * rpcs_per_second();
    if (known) {
      both.flush = *known;
      return both;
    }
    const auto after_flush = flush(variant, changed, lines);
    if (!after_flush) return after_flush.error();
    both.flush = *after_flush;
    return both;
  }

  // The windows of flushes are simulated without pressure while it is searched: what private data cost there is
  // little beside the shared lines.
  Result<CalibrationRow> fit(const Changed& changed, Phases* before_phases, Phases* after_phases) const {
    say(changed.name);
    CalibrationRow row;
    row.name = changed.name;
    row.charges_per_rpc = changed.charges_per_rpc;
    row.target = kMeasuredCharge / changed.charges_per_rpc;
    const auto storm = flush(*options_.before, changed, 0);
    if (!storm) return storm.error();
    auto fitted = fit_pressure(row.target, options_.most_lines, [&](unsigned lines) -> Result<double> {
      const auto both = phases(*options_.before, changed, lines, &*storm);
      if (!both) return both.error();
      return both->costs(kFlushInterval).charge;
    });
    if (!fitted) return fitted.error();
    row.fit = std::move(*fitted);
    const auto before = phases(*options_.before, changed, row.fit.lines, row.fit.lines == 0 ? &*storm : nullptr);
    if (!before) return before.error();
    const auto after = phases(*options_.after, changed, row.fit.lines);
    if (!after) return after.error();
    row.costs = {before->costs(kFlushInterval), after->costs(kFlushInterval)};
    if (const auto done = fit_steady(changed, row); !done) return done.error();
    if (before_phases) *before_phases = *before;
    if (after_phases) *after_phases = *after;
    return row;
  }

  Result<void> fit_steady(const Changed& changed, CalibrationRow& row) const {
    auto fitted = fit_pressure(row.target, options_.most_lines, [&](unsigned lines) -> Result<double> {
      const auto window = steady(*options_.before, changed, lines);
      if (!window) return window.error();
      return window->costs.charge;
    });
    if (!fitted) return fitted.error();
    row.steady_fit = std::move(*fitted);
    const auto before = steady(*options_.before, changed, row.steady_fit.lines);
    if (!before) return before.error();
    const auto after = steady(*options_.after, changed, row.steady_fit.lines);
    if (!after) return after.error();
    row.steady_costs = {before->costs, after->costs};
    return {};
  }

  Result<void> fit_base(Calibration& all) const {
    auto row = fit({"base", machine_, 1}, &all.phases, &all.phases_after);
    if (!row) return row.error();
    all.base = std::move(*row);
    if (all.base.costs.before.rstat == 0)
      return Error{ErrorKind::kUsage, all.before + " never calls css_rstat_updated, which is one of the measured costs",
                   "--before with a variant that does: percall7"};
    const double share = accumulating_share(64.0 * machine_.cpus(), all.phases.calls_per_second, kFlushInterval);
    all.by_formula = {weighted_costs(share, all.phases.flush.window.costs, all.phases.steady.costs),
                      all.phases_after.steady.costs};
    return {};
  }

  Result<void> try_pressures(Calibration& all) const {
    const Changed base{"steady phase", machine_, 1};
    say(base.name);
    for (unsigned lines = 0; lines <= options_.most_lines; lines = lines == 0 ? 128 : 2 * lines) {
      const auto before = steady(*options_.before, base, lines);
      if (!before) return before.error();
      const auto after = steady(*options_.after, base, lines);
      if (!after) return after.error();
      all.pressures.push_back({lines, {before->costs, after->costs}, before->late});
    }
    return {};
  }

  Result<void> read_statistics(Calibration& all) const {
    for (const double rate : {10.0, 30.0, 100.0, 300.0, 1000.0}) {
      ReaderRow row;
      row.readers_per_second = rate;
      row.interval = all.phases.interval_of_readers(1 / rate);
      row.share = all.phases.share_of_flushes(row.interval);
      const double after =
          all.phases_after.steady.saturated ? all.phases_after.interval_of_readers(1 / rate) : kFlushInterval;
      row.costs = {all.phases.costs(row.interval), all.phases_after.costs(after)};
      all.readers.push_back(row);
    }
    return {};
  }

  Result<void> vary_parameters(Calibration& all) const {
    if (!options_.rows) return {};
    std::vector<Changed> rows;
    const auto add = [&](std::string name, const std::function<void(MachineModel&)>& change, double charges = 1) {
      rows.push_back({std::move(name), machine_, charges});
      change(rows.back().machine);
    };
    add("L2 latency -25 %", [](MachineModel& m) { m.core.l2_cycles *= 0.75; });
    add("L2 latency +25 %", [](MachineModel& m) { m.core.l2_cycles *= 1.25; });
    add("L3 latency -25 %", [](MachineModel& m) { m.core.l3_cycles *= 0.75; });
    add("L3 latency +25 %", [](MachineModel& m) { m.core.l3_cycles *= 1.25; });
    add("overlap: 1 miss in flight", [](MachineModel& m) { m.core.misses_in_flight = 1; });
    add("overlap: half the window", [](MachineModel& m) { m.core.window_instructions /= 2; });
    add("TLB: walks cost nothing", [](MachineModel& m) { m.tlb.walk_cycles = 0; });
    add("TLB: walks cost twice", [](MachineModel& m) { m.tlb.walk_cycles *= 2; });
    add(
        "N = 0.5 charges per RPC", [](MachineModel&) {}, 0.5);
    add(
        "N = 2 charges per RPC", [](MachineModel&) {}, 2);
    for (const Changed& changed : rows) {
      auto row = fit(changed, nullptr, nullptr);
      if (!row) return row.error();
      all.sensitivity.push_back(std::move(*row));
    }
    return {};
  }

  // At the base's pressure: what nobody knows of the protocol must not decide what is claimed.
  Result<void> vary_protocol(Calibration& all) const {
    if (!options_.rows) return {};
    std::vector<Changed> rows(4, {"", machine_, 1});
    rows[0].name = "migratory";
    rows[0].machine.protocol.migratory = !machine_.protocol.migratory;
    rows[1].name = "forwarder";
    rows[1].machine.protocol.forwarder = !machine_.protocol.forwarder;
    rows[2].name = "precise";
    rows[2].machine.protocol.precise = !machine_.protocol.precise;
    for (std::size_t i = 0; i < 3; ++i) {
      const ProtocolSwitches& p = rows[i].machine.protocol;
      rows[i].name += (i == 0 ? p.migratory : i == 1 ? p.forwarder : p.precise) ? " on" : " off";
    }
    rows[3].name = "directory of " + std::to_string(kSmallDirectory) + " entries per channel";
    rows[3].machine.protocol.directory_entries = kSmallDirectory;
    for (const Changed& changed : rows) {
      say(changed.name);
      const auto before = phases(*options_.before, changed, all.base.fit.lines);
      if (!before) return before.error();
      const auto after = phases(*options_.after, changed, all.base.fit.lines);
      if (!after) return after.error();
      CalibrationRow row;
      row.name = changed.name;
      row.target = kMeasuredCharge;
      row.fit = all.base.fit;
      row.steady_fit = all.base.steady_fit;
      row.steady_costs = all.base.steady_costs;  // nothing is shared there but what is only read
      row.costs = {before->costs(kFlushInterval), after->costs(kFlushInterval)};
      all.switches.push_back(std::move(row));
    }
    return {};
  }

  const MachineModel& machine_;
  const CalibrationOptions& options_;
  const InstructionTable& table_;
  mutable unsigned begun_ = 0;
};

}  // namespace

bool RatioCheck::inside() const { return std::abs(got - target) <= kTolerance * target; }

std::vector<RatioCheck> Comparison::ratios() const {
  const double sum_after = kMeasuredChargeAfter + kMeasuredUnchargeAfter;
  const double sum_before = kMeasuredCharge + kMeasuredUncharge + kMeasuredRstat;
  return {{"charge", kMeasuredChargeAfter / kMeasuredCharge, after.charge / before.charge},
          {"uncharge", kMeasuredUnchargeAfter / kMeasuredUncharge, after.uncharge / before.uncharge},
          {"css_rstat_updated", 0, after.rstat / before.rstat},
          {"sum", sum_after / sum_before, after.sum() / before.sum()}};
}

Result<Calibration> calibrate(const MachineModel& machine, const CalibrationOptions& options) {
  const auto table = InstructionTable::built_in();
  if (!table) return table.error();
  return Calibrator(machine, options, *table).run();
}

}  // namespace hitmark::simulator
