// The two halves of make_plan: which arms, and which conditions. For plan.cpp and plan_record.cpp only.
#pragma once

#include <string>
#include <vector>

#include "harness/plan.hpp"

namespace hitmark {

// kUsage with the nearest names for a family, baseline or variant that is not there.
Result<std::vector<Arm>> plan_arms(const RunRequest& request, std::vector<std::string>& warnings);

// The driver with an operation that does nothing; in every run whose driver works between operations.
Arm empty_arm();
bool driver_works_between_operations(const Workload& workload);

Result<std::vector<Condition>> plan_conditions(const RunRequest& request, const Topology& topology);

}  // namespace hitmark
