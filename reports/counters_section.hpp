// The text report's part on counters: what was counted, and what could not be, with the reason.
#pragma once

#include <string>

#include "analysis/comparison.hpp"

namespace hitmark {

std::string counters_section(const RunComparison& comparison, int width);

}  // namespace hitmark
