// Of a simulated condition: which fields its CPUs contend for, and what that costs.
#pragma once

#include <string>

#include "analysis/comparison.hpp"

namespace hitmark {

// Per arm all fields together, then those that cost most. Empty when the condition has no modelled readings by arm.
std::string contention_section(const RunComparison& comparison, const ConditionComparison& condition, int width);

// Is the reading one that contention_section() sums up?
bool is_contention(const Reading& reading);

}  // namespace hitmark
