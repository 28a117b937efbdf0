// How large a difference is, measured by how much invocations vary: comparable between metrics and hosts.
#pragma once

#include <optional>

#include "analysis/statistics/interval.hpp"

namespace hitmark {

// Hedges' g of paired differences: mean / standard deviation, times the correction for few values (Hedges 1981,
// exact form). Absent for fewer than three values or none that differ.
std::optional<double> hedges_g(const MeanInterval& differences);

}  // namespace hitmark
