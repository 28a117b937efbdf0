#include "harness/cli/run_job.hpp"

#include <unistd.h>

#include <algorithm>

#include "harness/cli/load_comparison.hpp"
#include "harness/counters/event_names.hpp"
#include "harness/counters/probe_all.hpp"
#include "harness/environment.hpp"
#include "harness/native/native_machine.hpp"
#include "harness/runner.hpp"
#include "reports/report.hpp"
#include "support/nearest.hpp"
#include "topology/hwloc_reader.hpp"

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

// What this host cannot count belongs to the record as much as what was measured.
RunRecord record_of(const Plan& plan, const Machine& machine) {
  const Environment environment = read_environment();
  RunRecord run = new_run_record(plan, machine, environment.manifest);
  run.warnings.insert(run.warnings.end(), environment.warnings.begin(), environment.warnings.end());
  run.readings = unavailable_readings(probe_all());
  return run;
}

}  // namespace

Result<Host> open_host() {
  auto topology = read_host_topology();
  if (!topology) return topology.error();
  auto machine = make_native_machine(*topology);
  if (!machine) return machine.error();
  return Host{std::move(*topology), std::move(*machine)};
}

Result<void> check_arguments(const RunArguments& arguments) {
  if (arguments.machine != "native")
    return Error{ErrorKind::kUsage,
                 "there is no machine '" + arguments.machine + "'" +
                     did_you_mean(arguments.machine, std::vector<std::string>{"native"}),
                 "--machine native"};
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

Result<Job> new_job(const RunArguments& arguments, const Host& host) {
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
  auto plan = make_plan(request, host.topology);
  if (!plan) return plan.error();
  if (!arguments.counters.empty()) {
    auto events = parse_events(arguments.counters, joined(arguments.events));
    if (!events) return events.error();
    plan->counting = {arguments.counters, std::move(*events)};
  }
  // Probing takes seconds: a store that cannot be had is said before.
  if (const auto store = ResultStore::open(arguments.store, ResultStore::Access::kAppend); !store) return store.error();
  RunRecord run = record_of(*plan, *host.machine);
  return Job{std::move(*plan), std::move(run), *budget};
}

Result<Job> resumed_job(const RunArguments& arguments, const Host& host) {
  auto run = run_to_resume(arguments);
  if (!run) return run.error();
  const auto budget = arguments.budget.empty() ? Result<double>(kUnlimited) : parse_duration(arguments.budget);
  if (!budget) return budget.error();
  auto plan = plan_from_record(*run, host.topology);
  if (!plan) return plan.error();
  if (const auto differs = differences_that_matter(run->environment, read_environment().manifest); !differs.empty())
    return Error{ErrorKind::kUnavailable, "run " + run->run_id + " cannot go on here: " + differs,
                 "start a new run: times of two CPUs, kernels or builds are not comparable"};
  return Job{std::move(*plan), std::move(*run), *budget};
}

}  // namespace hitmark::cli
