// Many comparisons in one table: Holm (1979) keeps the chance of any false alarm among them at the level.
#pragma once

#include <span>
#include <vector>

namespace hitmark {

// Adjusted p-values in the order given: reject those at or below the level.
std::vector<double> holm_adjusted(std::span<const double> p_values);

}  // namespace hitmark
