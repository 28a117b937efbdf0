// Which arm of a run plays which part.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/results/sample.hpp"

namespace hitmark {

struct ArmRoles {
  std::size_t baseline = 0;
  int empty = -1;  // -1: the run has none
  std::vector<std::size_t> variants, nulls;
};

ArmRoles roles_of(const std::vector<ArmRecord>& arms);

// The baseline or variant arm that runs `variant`.
std::optional<std::size_t> arm_of_variant(const RunRecord& run, const std::string& variant);

// Aspects of which the two have different values, or only one of them has any.
std::vector<std::string> differing_aspects(const NameValues& a, const NameValues& b);

}  // namespace hitmark
