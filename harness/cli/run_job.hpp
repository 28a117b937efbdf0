// What one `hitmark run` is to do: the machine, the plan and the record, of a new run or of one to resume.
#pragma once

#include "harness/cli/run_arguments.hpp"
#include "harness/cli/trial_machine.hpp"
#include "harness/plan.hpp"
#include "support/result.hpp"

namespace hitmark::cli {

struct Job {
  Plan plan;
  RunRecord run;
  double budget;  // seconds
};

// kUsage for a format, verdict or counter backend that there is not, with the nearest names, and for what a simulated
// machine does not take.
Result<void> check_arguments(const RunArguments& arguments);

Result<Job> new_job(const RunArguments& arguments, const TrialMachine& machine);
Result<Job> resumed_job(const RunArguments& arguments, const RunRecord& run, const TrialMachine& machine);

// The run in the store that is to go on: by id, or the latest that is not complete.
Result<RunRecord> run_to_resume(const RunArguments& arguments);

}  // namespace hitmark::cli
