// Workload parameters by name, as --set takes them and as the store keeps them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/results/sample.hpp"
#include "kernels/workload.hpp"
#include "support/result.hpp"

namespace hitmark {

struct WorkloadParameter {
  std::string name;     // "memcgs", "refill", "home.NAME"
  std::string meaning;  // one line, with the unit
};

const std::vector<WorkloadParameter>& workload_parameters();

// kUsage for an unknown name (with the nearest) or a value out of range (with the range).
Result<void> set_parameter(Workload& workload, std::string_view name, std::string_view value);

// Every parameter, in a fixed order; set_parameter of each gives the same Workload again.
NameValues to_name_values(const Workload& workload);

}  // namespace hitmark
