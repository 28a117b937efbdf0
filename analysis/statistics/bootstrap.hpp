// The symmetric studentised bootstrap interval of a mean. What is resampled is the highest level, invocations, each
// with all its blocks (README.md says why).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace hitmark {

inline constexpr std::uint64_t kBootstrapSeed = 0x68697460a7c15u;

// Half the width of the interval around the mean. Deterministic: the same values and seed give the same on every
// platform. Absent for fewer than two values, values that are all equal, or so many equal ones that too many resamples
// have no spread.
std::optional<double> bootstrap_half_width(std::span<const double> values, double confidence,
                                           std::uint64_t seed = kBootstrapSeed);

}  // namespace hitmark
