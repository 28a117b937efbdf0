// What one `hitmark run` is to do: this host, the plan and the record, of a new run or of one to resume.
#pragma once

#include <memory>

#include "harness/cli/run_arguments.hpp"
#include "harness/machine.hpp"
#include "harness/plan.hpp"
#include "support/result.hpp"
#include "topology/topology.hpp"

namespace hitmark::cli {

struct Host {
  Topology topology;
  std::unique_ptr<Machine> machine;
};

struct Job {
  Plan plan;
  RunRecord run;
  double budget;  // seconds
};

// kUsage for a machine, format, verdict or counter backend that there is not, with the nearest names.
Result<void> check_arguments(const RunArguments& arguments);

Result<Host> open_host();
Result<Job> new_job(const RunArguments& arguments, const Host& host);
Result<Job> resumed_job(const RunArguments& arguments, const Host& host);

// The run in the store that is to go on: by id, or the latest that is not complete.
Result<RunRecord> run_to_resume(const RunArguments& arguments);

}  // namespace hitmark::cli
