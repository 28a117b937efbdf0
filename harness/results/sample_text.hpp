// The names of the enumerators in sample.hpp, as the store keeps them and the reports print them.
#pragma once

#include <optional>
#include <string_view>

#include "harness/results/sample.hpp"

namespace hitmark {

std::string_view name_of(Quality quality);  // "exact"
std::string_view name_of(ArmRole role);     // "null:same"

std::optional<Quality> quality_named(std::string_view name);
std::optional<ArmRole> role_named(std::string_view name);

// 1 "accumulating", 2 "saturated" (kernels' Phase); 0 "none"; anything else "unknown".
std::string_view phase_name(int phase);

}  // namespace hitmark
