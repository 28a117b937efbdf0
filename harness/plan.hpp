// What a run will do, decided before anything is measured: arms, conditions, invocations, blocks, seeds.
// The same request and seed give the same plan.
#pragma once

#include <cstdint>
#include <string>
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
};

struct RunRequest {
  std::string family;
  std::vector<std::string> variants;    // empty: the family's default arms; "all": every variant
  std::string baseline;                 // empty: the family's
  std::vector<std::string> placements;  // empty: what the machine has
  std::vector<std::pair<std::string, std::string>> settings;  // --set NAME=VALUE
  double budget_seconds = 60;           // for the whole run
  std::uint64_t seed = 1;
  int invocations = 0;  // 0: chosen
};

struct Plan {
  std::string family;
  std::uint64_t seed = 1;
  int invocations = 0;
  int blocks = 0;  // per condition and invocation
  double slice_seconds = 250e-6;
  std::vector<Arm> arms;
  std::vector<Condition> conditions;
};

// Unknown family, variant, baseline, parameter: kUsage with the nearest names.
Result<Plan> make_plan(const RunRequest& request, const Topology& topology);

// The order of the arms in one block: a seeded permutation and its mirror image.
std::vector<int> block_order(const Plan& plan, int condition, int invocation, int block);

}  // namespace hitmark
