// The parent's half: rehearsal, invocations, and what the run is called in the end.
#include "harness/runner.hpp"

#include <chrono>
#include <cmath>
#include <ctime>
#include <random>

#include "harness/runner_tally.hpp"

namespace hitmark {
namespace {

constexpr double kForever = 1e9;  // seconds

double host_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool stopped(const RunOptions& options) { return options.stop && options.stop->load(); }

// Every condition is set up once before anything is stored: what cannot work is known at once, the number of
// operations per slice is fixed for all invocations, and the proofs of the set-up go into the record.
Result<void> rehearse(Plan& plan, RunRecord& run, Machine& machine, const RunOptions& options) {
  for (std::size_t i = 0; i < plan.conditions.size() && !stopped(options); ++i) {
    auto bench = machine.prepare(plan, plan.conditions[i]);
    if (!bench) return bench.error();
    plan.conditions[i].operations_per_slice = (*bench)->operations_per_slice();
    const NameValues notes = (*bench)->notes();
    run.conditions[i].notes.insert(run.conditions[i].notes.end(), notes.begin(), notes.end());
    run.conditions[i].notes.emplace_back(std::string(kOperationsPerSlice),
                                         std::to_string((*bench)->operations_per_slice()));
  }
  return {};
}

constexpr const char* kDiscarded = " blocks were disturbed and discarded, most often: ";
constexpr const char* kShortfall = " planned blocks were measured within the budget of ";

void warn_of_shortfall(RunRecord& run, const Plan& plan, const RunTally& tally, double budget) {
  std::erase_if(run.warnings, [](const std::string& old) {  // of before it was resumed
    return old.find(kDiscarded) != std::string::npos || old.find(kShortfall) != std::string::npos;
  });
  const int planned = plan.blocks * plan.invocations * static_cast<int>(plan.conditions.size());
  const int discarded = tally.stored() - tally.used();
  if (discarded > 0)
    run.warnings.push_back(std::to_string(discarded) + " of " + std::to_string(tally.stored()) + kDiscarded +
                           tally.commonest_discard());
  // The plan fills the budget by guess, so that fewer blocks are usual; less than half is worth a word.
  if (tally.used() < planned / 2)
    run.warnings.push_back(std::to_string(tally.used()) + " of " + std::to_string(planned) + kShortfall +
                           std::to_string(static_cast<long>(std::ceil(budget))) + " s");
}

// Runs the invocations that lack blocks, each for its share of what is left of the budget.
Result<void> run_invocations(const Plan& plan, const RunRecord& run, Machine& machine, const RunOptions& options,
                             RunTally& before, double end) {
  int to_do = 0;
  for (int i = 0; i < plan.invocations; ++i) to_do += !before.complete(plan, i);
  for (int i = 0; i < plan.invocations; ++i) {
    if (before.complete(plan, i)) continue;
    const double left = end - options.now();
    if (stopped(options) || left <= 0) return {};
    RunOptions own = options;
    own.budget_seconds = left / to_do--;
    const auto done =
        options.launch ? options.launch(run, i, own.budget_seconds) : run_invocation(plan, run, i, machine, own);
    if (!done) return done.error();
  }
  return {};
}

std::string utc_now(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[64];
  return {text, std::strftime(text, sizeof text, format, &parts)};
}

}  // namespace

Result<RunRecord> execute(const Plan& plan, RunRecord run, Machine& machine, const RunOptions& given) {
  RunOptions options = given;
  if (!options.now) options.now = host_seconds;
  if (machine.deterministic()) {
    options.budget_seconds = kForever;
    options.launch = nullptr;
  }
  const double begin = options.now();
  auto store = ResultStore::open(options.store_path, ResultStore::Access::kAppend);
  if (!store) return store.error();

  Plan calibrated = plan;
  const auto known = store->run(run.run_id);
  if (!known && known.error().kind != ErrorKind::kUsage) return known.error();  // kUsage: no such run, a new one
  if (!known) {
    const auto rehearsed = rehearse(calibrated, run, machine, options);
    if (!rehearsed) return rehearsed.error();
    run.status = "running";
    if (stopped(options)) run.status = "interrupted";
    if (stopped(options)) return run;  // nothing was measured: nothing to keep
    if (const auto begun = store->begin_run(run); !begun) return begun.error();
  }
  auto before = RunTally::of(*store, run.run_id);
  if (!before) return before.error();
  const auto done = run_invocations(calibrated, run, machine, options, *before, begin + options.budget_seconds);

  auto tally = RunTally::of(*store, run.run_id);
  if (!tally) return tally.error();
  run.wall_seconds += options.now() - begin;
  run.status = stopped(options) || !done || tally->stored() == 0 ? "interrupted" : "complete";
  if (run.status == "complete") warn_of_shortfall(run, plan, *tally, options.budget_seconds);
  const auto finished = store->finish_run(run);
  if (!done) return done.error();
  if (!finished) return finished.error();
  return run;
}

RunRecord new_run_record(const Plan& plan, const Machine& machine, const NameValues& environment) {
  RunRecord run;
  std::random_device random;
  char suffix[16];
  std::snprintf(suffix, sizeof suffix, "-%06x", random() & 0xffffffu);
  run.run_id = utc_now("%Y%m%dT%H%M%SZ") + suffix;
  run.started = utc_now("%Y-%m-%dT%H:%M:%SZ");
  run.family = plan.family;
  run.machine = machine.name();
  run.seed = plan.seed;
  run.status = "running";
  run.ticks_per_second = machine.ticks_per_second();
  run.invocations = plan.invocations;
  run.blocks = plan.blocks;
  for (const Arm& arm : plan.arms) run.arms.push_back(arm.record);
  for (const Condition& condition : plan.conditions) run.conditions.push_back(condition.record);
  run.environment = environment;
  if (!plan.counting.source.empty()) run.environment.emplace_back(std::string(kCounting), to_text(plan.counting));
  run.warnings = plan.warnings;
  return run;
}

}  // namespace hitmark
