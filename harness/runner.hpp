// Plan x Machine -> ResultStore. Starts one process per invocation (address layout, code and page placement
// differ between processes, not within one), shows progress, stops cleanly on Ctrl-C, resumes.
#pragma once

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
  double budget_seconds = 60;
  std::function<void(const Progress&)> on_progress;  // may be empty
};

// Runs what is missing of `run` (all of a new one) and appends it block by block. The result's status is
// "complete" or "interrupted"; a run that stopped early can be given again.
Result<RunRecord> execute(const Plan& plan, RunRecord run, Machine& machine, const RunOptions& options);

// The record of a new run: a fresh id, the manifest, the plan's arms and conditions.
RunRecord new_run_record(const Plan& plan, const Machine& machine, const NameValues& environment);

}  // namespace hitmark
