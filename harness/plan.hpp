// What a run will do, decided before anything is measured: arms, conditions, invocations, blocks, seeds.
// The same request and seed give the same plan.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/results/sample.hpp"
#include "kernels/variant.hpp"
#include "kernels/workload.hpp"
#include "support/result.hpp"
#include "topology/placement.hpp"
#include "topology/topology.hpp"

namespace hitmark {

struct Arm {
  ArmRecord record;
  const Variant* variant = nullptr;  // null for the empty arm; the copy's own Variant for kNullCopy
};

struct Condition {
  ConditionRecord record;
  Placement placement;
  Workload workload;
  // The same for every arm, CPU and invocation of the condition; 0: to be calibrated on the baseline.
  std::uint64_t operations_per_slice = 0;
};

struct RunRequest {
  std::string family = {};
  std::vector<std::string> variants = {};    // empty: the family's default arms; "all": every variant
  std::string baseline = {};                 // empty: the family's
  std::vector<std::string> placements = {};  // empty: what the machine has
  // --set NAME=VALUE. A name given several times takes each of its values in turn, crossed with the rest.
  std::vector<std::pair<std::string, std::string>> settings = {};
  double budget_seconds = 60;  // for the whole run
  // Of a machine that is no clock's (Machine::deterministic): a fixed number of blocks, whatever they take.
  bool deterministic = false;
  std::uint64_t seed = 1;
  int invocations = 0;  // 0: chosen
};

// Events to count in trials of their own, never in timed ones.
struct CountRequest {
  std::string source;  // of Registry<CounterSource>; empty: nothing is counted
  std::vector<std::string> events = {};
};

struct Plan {
  std::string family;
  std::uint64_t seed = 1;
  int invocations = 0;
  int blocks = 0;  // per condition and invocation
  double slice_seconds = 250e-6;
  std::vector<Arm> arms;
  std::vector<Condition> conditions;
  CountRequest counting;
  std::vector<std::string> warnings;  // "the budget of 1 s is short for ..."
};

// Unknown: kUsage with the nearest names.
Result<const Variant*> find_variant(const std::string& family, const std::string& name);

// Unknown family, variant, baseline, parameter: kUsage with the nearest names.
Result<Plan> make_plan(const RunRequest& request, const Topology& topology);

// The note of a stored condition that keeps Condition::operations_per_slice.
inline constexpr std::string_view kOperationsPerSlice = "operations_per_slice";

// The fact of a stored run's manifest that keeps Plan::counting: "papi page-faults,context-switches".
inline constexpr std::string_view kCounting = "counting";
std::string to_text(const CountRequest& counting);

// The plan of a stored run, for the rest of it. An Error when this build lacks one of its variants or this
// host no longer has its CPUs.
Result<Plan> plan_from_record(const RunRecord& run, const Topology& topology);

// The order of the arms in one block: a seeded permutation and its mirror image.
std::vector<int> block_order(const Plan& plan, int condition, int invocation, int block);

// What a plan is expected to take: a guess before anything was measured, so that blocks fit the budget.
double expected_seconds(const Plan& plan);

}  // namespace hitmark
