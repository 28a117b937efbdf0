// Plan x Machine -> ResultStore. Starts one process per invocation (address layout, code and page placement
// differ between processes, not within one), shows progress, stops cleanly on Ctrl-C, resumes.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "harness/machine.hpp"
#include "harness/plan.hpp"
#include "harness/results/result_store.hpp"
#include "support/result.hpp"

namespace hitmark {

struct Progress {
  int blocks_done = 0, blocks_planned = 0;
  double seconds_left = 0;  // estimated; 0 when unknown
  std::string now;          // the condition that runs
};

struct RunOptions {
  std::string store_path;
  double budget_seconds = 60;  // from the call on; passed by one block at the most. A deterministic machine has none
  std::function<void(const Progress&)> on_progress;  // may be empty
  const std::atomic<bool>* stop = nullptr;           // becomes true on Ctrl-C: end after the running block
  std::function<double()> now;                       // seconds of a steady clock; empty: the host's
  // Has run_invocation() called in a process of its own, for at most `seconds`, and waits for it. Empty: it
  // is called here, as it always is for a deterministic machine: its processes would all be alike.
  std::function<Result<void>(const RunRecord& run, int invocation, double seconds)> launch;
};

// Runs what is missing of `run` (all of a new one) and appends it block by block. The result's status is
// "complete" or "interrupted"; a run that stopped early can be given again. A run that the budget ended is
// complete, with a warning that says what is missing, unless not one block was run. Whatever the Error, the blocks done
// so far are stored.
Result<RunRecord> execute(const Plan& plan, RunRecord run, Machine& machine, const RunOptions& options);

// What is missing of one invocation of a run that is in the store, for options.budget_seconds. Conditions
// run one after the other in seeded random order, each for its share of the time.
Result<void> run_invocation(const Plan& plan, const RunRecord& run, int invocation, Machine& machine,
                            const RunOptions& options);

// The record of a new run: a fresh id, the manifest, the plan's arms and conditions.
RunRecord new_run_record(const Plan& plan, const Machine& machine, const NameValues& environment);

}  // namespace hitmark
