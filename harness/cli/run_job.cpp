#include "harness/cli/run_job.hpp"

#include <unistd.h>

#include <algorithm>

#include "harness/cli/load_comparison.hpp"
#include "harness/counters/event_names.hpp"
#include "harness/counters/probe_all.hpp"
#include "harness/environment.hpp"
#include "harness/runner.hpp"
#include "reports/report.hpp"
#include "support/nearest.hpp"

namespace hitmark::cli {
namespace {

constexpr double kDefaultBudget = 60;            // seconds of a new run
constexpr double kUnlimited = 30 * 24 * 3600.0;  // a resumed run does what its plan lacks

Result<void> check_format(const std::string& format) {
  std::vector<std::string> known;
  for (const Renderer& renderer : Registry<Renderer>::instance().all()) known.emplace_back(renderer.name);
  if (std::find(known.begin(), known.end(), format) != known.end()) return {};
  return Error{ErrorKind::kUsage, "there is no format '" + format + "'" + did_you_mean(format, known),
               "hitmark list formats"};
}

// Given several times, --events is one list.
std::string joined(const std::vector<std::string>& events) {
  std::string text;
  for (std::size_t i = 0; i < events.size(); ++i) text += (i == 0 ? "" : ",") + events[i];
  return text;
}

Result<void> check_counters(const RunArguments& arguments) {
  if (arguments.counters.empty() && arguments.events.empty()) return {};
  if (arguments.counters.empty())
    return Error{ErrorKind::kUsage, "--events wants --counters, the backend that reads them", "--counters papi"};
  std::vector<std::string> known;
  for (const CounterSource& source : Registry<CounterSource>::instance().all()) known.emplace_back(source.name);
  if (std::find(known.begin(), known.end(), arguments.counters) == known.end())
    return Error{ErrorKind::kUsage,
                 "there is no counter backend '" + arguments.counters + "'" + did_you_mean(arguments.counters, known),
                 "hitmark list counters"};
  if (arguments.events.empty())
    return Error{ErrorKind::kUsage, "--counters " + arguments.counters + " wants the events to count",
                 "--events page-faults,context-switches"};
  if (const auto events = parse_events(arguments.counters, joined(arguments.events)); !events) return events.error();
  return {};
}

// What this host cannot count belongs to the record as much as what was measured; to that of a simulated run it does
// not, and nor does what may disturb its clock.
RunRecord record_of(const Plan& plan, const TrialMachine& machine) {
  Environment environment = read_environment();
  environment.manifest.insert(environment.manifest.end(), machine.facts.begin(), machine.facts.end());
  RunRecord run = new_run_record(plan, *machine.machine, environment.manifest);
  if (machine.simulated()) return run;
  run.warnings.insert(run.warnings.end(), environment.warnings.begin(), environment.warnings.end());
  run.readings = unavailable_readings(probe_all());
  return run;
}

// A simulated run takes as long as its plan does, and counts everything by itself.
Result<void> check_simulated(const RunArguments& arguments) {
  if (arguments.resume || !wants_simulated(MachineChoice{arguments.machine, arguments.machine_from})) return {};
  if (arguments.machine != kNative && !arguments.machine_from.empty())
    return Error{ErrorKind::kUsage, "--machine and --machine-from both name a machine", "leave one of them out"};
  if (!arguments.budget.empty())
    return Error{ErrorKind::kUsage,
                 "a simulated run has a fixed number of blocks, whatever time they take: no --budget",
                 "fewer --placements, --variants or --set values make it shorter"};
  if (!arguments.counters.empty() || !arguments.events.empty())
    return Error{ErrorKind::kUsage, "a simulated machine counts all its events by itself: no --counters, no --events",
                 "leave them out"};
  return {};
}

}  // namespace

Result<void> check_arguments(const RunArguments& arguments) {
  if (const auto fits = check_simulated(arguments); !fits) return fits;
  if (const auto format = check_format(arguments.json ? "json" : arguments.format); !format) return format;
  if (!arguments.fail_on.empty())
    if (const auto known = check_fail_on(arguments.fail_on); !known) return known;
  return check_counters(arguments);
}

Result<RunRecord> run_to_resume(const RunArguments& arguments) {
  if (::access(arguments.store.c_str(), F_OK) != 0)
    return Error{ErrorKind::kNotFound, "there is no store " + arguments.store + ", so there is nothing to resume",
                 "hitmark run STUDY --store " + arguments.store};
  const auto store = ResultStore::open(arguments.store, ResultStore::Access::kRead);
  if (!store) return store.error();
  if (!arguments.run_id.empty()) return store->run(arguments.run_id);
  auto runs = store->runs();
  if (!runs) return runs.error();
  if (runs->empty())
    return Error{ErrorKind::kNotFound, arguments.store + " holds no run: there is nothing to resume",
                 "hitmark run STUDY --store " + arguments.store};
  for (auto run = runs->rbegin(); run != runs->rend(); ++run)
    if (run->status != "complete") return *run;
  return Error{ErrorKind::kNotFound, "every run in " + arguments.store + " is complete: there is nothing to resume",
               "hitmark report --store " + arguments.store};
}

Result<Job> new_job(const RunArguments& arguments, const TrialMachine& machine) {
  RunRequest request;
  request.family = arguments.study;
  request.variants = arguments.variants;
  request.baseline = arguments.baseline;
  request.placements = split_placements(arguments.placements);
  request.seed = arguments.seed;
  request.invocations = arguments.invocations;
  auto settings = split_settings(arguments.settings);
  if (!settings) return settings.error();
  request.settings = std::move(*settings);
  const auto budget = arguments.budget.empty() ? Result<double>(kDefaultBudget) : parse_duration(arguments.budget);
  if (!budget) return budget.error();
  request.budget_seconds = *budget;
  request.deterministic = machine.machine->deterministic();
  auto plan = make_plan(request, machine.topology);
  if (!plan) return plan.error();
  if (!arguments.counters.empty()) {
    auto events = parse_events(arguments.counters, joined(arguments.events));
    if (!events) return events.error();
    plan->counting = {arguments.counters, std::move(*events)};
  }
  // Probing takes seconds: a store that cannot be had is said before.
  if (const auto store = ResultStore::open(arguments.store, ResultStore::Access::kAppend); !store) return store.error();
  RunRecord run = record_of(*plan, machine);
  return Job{std::move(*plan), std::move(run), *budget};
}

Result<Job> resumed_job(const RunArguments& arguments, const RunRecord& run, const TrialMachine& machine) {
  const auto budget = arguments.budget.empty() ? Result<double>(kUnlimited) : parse_duration(arguments.budget);
  if (!budget) return budget.error();
  auto plan = plan_from_record(run, machine.topology);
  if (!plan) return plan.error();
  const std::string differs = machine.simulated()
                                  ? machine_differs(run, machine)
                                  : differences_that_matter(run.environment, read_environment().manifest);
  if (!differs.empty())
    return Error{ErrorKind::kUnavailable, "run " + run.run_id + " cannot go on here: " + differs,
                 machine.simulated() ? "start a new run"
                                     : "start a new run: times of two CPUs, kernels or builds are not comparable"};
  return Job{std::move(*plan), run, *budget};
}

}  // namespace hitmark::cli
