// The baseline is in the difference and in the null's alike, so their difference is that of the arm and the null: its
// interval holds the uncertainty of both, and neither is counted twice.
#include "analysis/evidence.hpp"

#include <algorithm>
#include <cmath>

namespace hitmark {

std::optional<std::vector<double>> finite_values(const ByInvocation& by_invocation) {
  std::vector<double> values;
  for (const auto& [invocation, value] : by_invocation) {
    if (!std::isfinite(value)) return std::nullopt;
    values.push_back(value);
  }
  return values;
}

std::optional<double> noise_floor_of(std::span<const ByInvocation> nulls) {
  std::optional<double> floor;
  for (const ByInvocation& null : nulls) {
    const auto values = finite_values(null);
    if (!values || static_cast<int>(values->size()) < MeanInterval::kFewestValues) return std::nullopt;
    floor = std::max(floor.value_or(0), std::abs(student_interval(*values).mean));
  }
  return floor;
}

Evidence evidence_of(const ByInvocation& difference, std::span<const ByInvocation> nulls, double confidence) {
  Evidence evidence;
  evidence.difference = mean_interval(finite_values(difference).value_or(std::vector<double>{}), confidence);
  evidence.noise_floor = noise_floor_of(nulls);
  evidence.has_nulls = !nulls.empty();
  if (!evidence.noise_floor) return evidence;
  for (const ByInvocation& null : nulls) {
    std::vector<double> minus, plus;
    for (const auto& [invocation, value] : difference)
      if (const auto own = null.find(invocation); own != null.end()) {
        minus.push_back(value - own->second);
        plus.push_back(value + own->second);
      }
    evidence.beyond_nulls.push_back(mean_interval(minus, confidence));
    evidence.beyond_nulls.push_back(mean_interval(plus, confidence));
  }
  return evidence;
}

}  // namespace hitmark
