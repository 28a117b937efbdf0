// `hitmark run`: plan, measure, store, compare, print. `run --resume` goes on with a stored run, and is also
// how the process of each invocation is started. What is to be run is decided in run_job.cpp.
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <set>

#include "harness/cli/command.hpp"
#include "harness/cli/load_comparison.hpp"
#include "harness/cli/run_job.hpp"
#include "harness/run_lock.hpp"
#include "harness/runner.hpp"
#include "harness/runner_process.hpp"
#include "harness/runner_tally.hpp"

namespace hitmark::cli {
namespace {

// One line on a terminal, written over; nothing in a pipe.
class ProgressLine {
 public:
  void show(const Progress& progress) {
    const auto now = std::chrono::steady_clock::now();
    if (::isatty(STDERR_FILENO) == 0 || now - shown_ < std::chrono::milliseconds(200)) return;
    shown_ = now;
    std::fprintf(stderr, "\r\033[K%d of %d blocks, %.0f s left: %s", progress.blocks_done, progress.blocks_planned,
                 progress.seconds_left, progress.now.c_str());
    std::fflush(stderr);
  }
  ~ProgressLine() {
    if (shown_ != std::chrono::steady_clock::time_point{}) std::fprintf(stderr, "\r\033[K");
  }

 private:
  std::chrono::steady_clock::time_point shown_{};
};

// The process of one invocation: measures, and says nothing but its progress.
int run_one_invocation(const RunArguments& arguments) {
  const StopOnSignals signals(true);
  const auto run = run_to_resume(arguments);
  if (!run) return fail(run.error());
  const auto machine = open_machine(choice_of(*run));
  if (!machine) return fail(machine.error());
  const auto plan = plan_from_record(*run, machine->topology);
  if (!plan) return fail(plan.error());
  ProgressLine line;
  RunOptions options;
  options.store_path = arguments.store;
  options.budget_seconds = arguments.seconds;
  options.stop = signals.flag();
  options.on_progress = [&](const Progress& progress) { line.show(progress); };
  const auto done = run_invocation(*plan, *run, arguments.invocation, *machine->machine, options);
  if (!done) return fail(done.error());
  return *signals.flag() ? kInvocationInterrupted : kYes;
}

Result<void> launch(const std::string& store, const RunRecord& run, int invocation, double seconds,
                    const std::atomic<bool>* stop) {
  return run_process("/proc/self/exe",
                     {"run", "--resume", "--store", store, "--run-id", run.run_id, "--invocation",
                      std::to_string(invocation), "--seconds", std::to_string(seconds)},
                     stop);
}

std::vector<int> cpus_of(const Plan& plan) {
  std::set<int> cpus;
  for (const Condition& condition : plan.conditions)
    cpus.insert(condition.record.cpus.begin(), condition.record.cpus.end());
  return {cpus.begin(), cpus.end()};
}

int print_result(const RunArguments& arguments, const RunRecord& run) {
  const auto comparison = load_comparison(arguments.store, run.run_id);
  if (!comparison) return fail(comparison.error());
  const auto printed = print_comparison(*comparison, arguments.json ? "json" : arguments.format, arguments.store, "");
  if (!printed) return fail(printed.error());
  if (arguments.fail_on.empty() || run.status != "complete") return kYes;
  const auto failed = fails(*comparison, arguments.fail_on);
  if (!failed) return fail(failed.error());
  return *failed ? kNo : kYes;
}

// Ends an interrupted run: what is there was printed, and how to go on is said last.
int interrupted(const RunArguments& arguments, const RunRecord& run) {
  const auto store = ResultStore::open(arguments.store, ResultStore::Access::kRead);
  if (!store || !store->run(run.run_id)) {
    std::fprintf(stderr, "hitmark: interrupted before anything was measured\n");
    return kEnvironment;
  }
  print_result(arguments, run);
  std::fprintf(stderr, "hitmark: interrupted; what was measured is stored\n  try: hitmark run --resume --store %s\n",
               arguments.store.c_str());
  return kEnvironment;
}

// Empty when the run has a block to compare; else why it has none, and what to do.
Result<void> check_measured(const RunArguments& arguments, const Job& job, const RunRecord& run) {
  const auto store = ResultStore::open(arguments.store, ResultStore::Access::kRead);
  if (!store) return store.error();
  const auto tally = RunTally::of(*store, run.run_id);
  if (!tally) return tally.error();
  if (tally->used() > 0) return {};
  // Each invocation sets up again what the rehearsal did, which is all that the time went into.
  const double setting_up = tally->stored() == 0 ? run.wall_seconds * (job.plan.invocations + 1) : 0;
  const auto enough = static_cast<long>(std::ceil(2 * (job.budget + setting_up + expected_seconds(job.plan))));
  const std::string again = "--budget " + std::to_string(enough) + "s";
  if (tally->stored() == 0)
    return Error{ErrorKind::kUnavailable, "the budget was over before anything was measured: setting up takes longer",
                 "hitmark run STUDY " + again};
  return Error{ErrorKind::kUnavailable,
               "all " + std::to_string(tally->stored()) +
                   " blocks were disturbed and discarded, most often: " + tally->commonest_discard(),
               "stop what else runs on these CPUs, or measure for longer: " + again};
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

int run_study(const RunArguments& arguments) {
  if (arguments.study.empty() == !arguments.resume)
    return fail({ErrorKind::kUsage, arguments.resume ? "a resumed run knows its study" : "run wants a STUDY",
                 arguments.resume ? "hitmark run --resume --store FILE" : "hitmark run sock-charge"});
  if (arguments.resume && !arguments.plan_options.empty())
    return fail({ErrorKind::kUsage, "a resumed run keeps its plan; it does not take " + joined(arguments.plan_options),
                 "leave them out, or start a new run: hitmark run STUDY"});
  if (const auto checked = check_arguments(arguments); !checked) return fail(checked.error());
  MachineChoice choice{arguments.machine, arguments.machine_from};
  RunRecord stored;
  if (arguments.resume) {
    auto found = run_to_resume(arguments);
    if (!found) return fail(found.error());
    stored = *std::move(found);
    choice = choice_of(stored);
  }
  const auto machine = open_machine(choice);
  if (!machine) return fail(machine.error());
  auto job = arguments.resume ? resumed_job(arguments, stored, *machine) : new_job(arguments, *machine);
  if (!job) return fail(job.error());
  // Simulated CPUs are nobody else's.
  const RunLock lock(RunLock::default_path(), machine->simulated() ? std::vector<int>() : cpus_of(job->plan));
  if (!lock.warning().empty()) {
    std::fprintf(stderr, "hitmark: warning: %s\n", lock.warning().c_str());
    job->run.warnings.push_back(lock.warning());
  }
  const StopOnSignals signals(false);
  RunOptions options;
  options.store_path = arguments.store;
  options.budget_seconds = job->budget;
  options.stop = signals.flag();
  ProgressLine line;  // of what runs in this process; an invocation in a process of its own shows one itself
  options.on_progress = [&](const Progress& progress) { line.show(progress); };
  options.launch = [&](const RunRecord& run, int invocation, double seconds) {
    return launch(arguments.store, run, invocation, seconds, signals.flag());
  };
  const auto run = execute(job->plan, job->run, *machine->machine, options);
  if (!run) return fail(run.error());
  if (!*signals.flag())
    if (const auto measured = check_measured(arguments, *job, *run); !measured) return fail(measured.error());
  return run->status == "complete" ? print_result(arguments, *run) : interrupted(arguments, *run);
}

int run_command(RunArguments arguments) {
  if (arguments.store.empty()) {
    auto store = default_store_path();
    if (!store) return fail(store.error());
    arguments.store = std::move(*store);
  }
  return arguments.invocation >= 0 ? run_one_invocation(arguments) : run_study(arguments);
}

// A larger one would not survive readers of JSON that keep numbers as doubles.
std::string check_seed(const std::string& text) {
  constexpr std::int64_t kMostSeed = (std::int64_t{1} << 53) - 1;
  std::int64_t seed = -1;
  const bool good = CLI::detail::lexical_cast(text, seed) && seed >= 0 && seed <= kMostSeed;
  return good ? "" : "'" + text + "' is no seed: a whole number from 0 to " + std::to_string(kMostSeed);
}

std::function<int()> declare(CLI::App& app) {
  auto a = std::make_shared<RunArguments>();
  app.add_option("STUDY", a->study, "A family of variants, for example sock-charge; see hitmark list");
  app.add_option("--variants", a->variants, "Arms beside the baseline, or all; else those of the study")
      ->delimiter(',')
      ->type_name("A,B");
  app.add_option("--baseline", a->baseline, "The variant that the others are compared with")->type_name("A");
  app.add_option("--placements", a->placements,
                 "Placements (see hitmark topology), each with @home:H; else all simple ones")
      ->type_name("P[@home:H],...");
  app.add_option("--set", a->settings, "A workload parameter; given several times, each value in turn")
      ->type_name("NAME=VALUE");
  app.add_option("--machine", a->machine,
                 "What runs the trials: native, a simulated machine (hitmark list machines), or the file of one")
      ->capture_default_str()
      ->type_name("M");
  app.add_option("--machine-from", a->machine_from,
                 "Simulate a machine built like this host, or like that of an hwloc XML file, with generic latencies")
      ->type_name("host|XML");
  app.add_option("--counters", a->counters, "Backend that counts events in trials of their own")->type_name("BACKEND");
  app.add_option("--events", a->events, "Events to count")->type_name("E,...");
  app.add_option("--store", a->store, "File that keeps the results; else one in the user's state folder")
      ->type_name("FILE");
  app.add_option("--budget", a->budget, "Time for measuring: 20s, 5m, 1h; default 60s")->type_name("TIME");
  app.add_option("--seed", a->seed, "Of the order of arms and conditions")
      ->check(check_seed)
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--invocations", a->invocations, "Processes that repeat the run; at least 5 for a verdict; default 5")
      ->type_name("N");
  app.add_option("--format", a->format, "text, commit, json or rows")->capture_default_str()->type_name("F");
  app.add_flag("--json", a->json, "Same as --format json");
  app.add_option("--fail-on", a->fail_on, "Exit 1 when the headline's arm is: worse, undecided or not-better")
      ->type_name("VERDICT");
  app.add_flag("--resume", a->resume, "Go on with the latest run of the store that is not complete");
  app.add_option("--run-id", a->run_id)->group("");
  app.add_option("--invocation", a->invocation)->group("");
  app.add_option("--seconds", a->seconds)->group("");
  return [a, &app] {
    for (const char* name : {"--variants", "--baseline", "--placements", "--set", "--machine", "--machine-from",
                             "--counters", "--events", "--seed", "--invocations"})
      if (app.count(name) > 0) a->plan_options.emplace_back(name);
    return run_command(*a);
  };
}

const Registered<Command> registered{
    {"run", "Measure a study here or on a simulated machine, compare, and say whether it pays", declare}};

}  // namespace
}  // namespace hitmark::cli
