// A stored run back to a plan: for --resume, and for the process of each invocation.
#include <cstdlib>

#include "harness/plan_parts.hpp"
#include "harness/workload_text.hpp"

namespace hitmark {
namespace {

Result<Arm> arm_from(const ArmRecord& record, const RunRecord& run) {
  if (record.role == ArmRole::kEmpty) return empty_arm();
  const std::string key = run.family + "/" + record.variant;
  Arm arm{record, nullptr};
  if (record.role == ArmRole::kNullCopy) {
    if (const VariantCopy* copy = Registry<VariantCopy>::instance().find(key)) arm.variant = &copy->variant;
  } else {
    arm.variant = Registry<Variant>::instance().find(key);
  }
  if (arm.variant) return arm;
  return Error{
      ErrorKind::kUnavailable,
      "run " + run.run_id + " has the arm " + record.name + ", whose variant " + key + " this build does not have",
      "go on with the hitmark that started the run"};
}

Result<Condition> condition_from(const ConditionRecord& record, const Topology& topology) {
  auto placement = resolve_placement(topology, record.placement);
  if (!placement) return placement.error();
  if (placement->cpus != record.cpus)
    return Error{ErrorKind::kUnavailable,
                 "the placement " + record.placement + " now means other CPUs than when the run began",
                 "start a new run; runs on different CPUs are not comparable"};
  Condition condition;
  condition.record = record;
  condition.placement = std::move(*placement);
  for (const auto& [name, value] : record.workload)
    if (const auto set = set_parameter(condition.workload, name, value); !set) return set.error();
  for (const auto& [name, value] : record.notes)
    if (name == kOperationsPerSlice) condition.operations_per_slice = std::strtoull(value.c_str(), nullptr, 10);
  return condition;
}

CountRequest counting_from(const std::string& text) {
  const auto space = text.find(' ');
  CountRequest counting{text.substr(0, space)};
  for (std::size_t at = space; at != std::string::npos;) {
    const std::size_t comma = text.find(',', at + 1);
    counting.events.push_back(text.substr(at + 1, comma == std::string::npos ? comma : comma - at - 1));
    at = comma;
  }
  return counting;
}

}  // namespace

std::string to_text(const CountRequest& counting) {
  std::string text = counting.source;
  for (std::size_t i = 0; i < counting.events.size(); ++i) text += (i == 0 ? " " : ",") + counting.events[i];
  return text;
}

Result<Plan> plan_from_record(const RunRecord& run, const Topology& topology) {
  Plan plan;
  plan.family = run.family;
  plan.seed = run.seed;
  plan.invocations = run.invocations;
  plan.blocks = run.blocks;
  for (const auto& [name, value] : run.environment)
    if (name == kCounting) plan.counting = counting_from(value);
  for (const ArmRecord& record : run.arms) {
    auto arm = arm_from(record, run);
    if (!arm) return arm.error();
    plan.arms.push_back(std::move(*arm));
  }
  for (const ConditionRecord& record : run.conditions) {
    auto condition = condition_from(record, topology);
    if (!condition) return condition.error();
    plan.conditions.push_back(std::move(*condition));
  }
  return plan;
}

}  // namespace hitmark
