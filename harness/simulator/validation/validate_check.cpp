#include "harness/simulator/validation/validate_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hitmark::simulator {

const char* name_of(Basis basis) {
  constexpr const char* kNames[] = {"fitted", "predicted", "exact", "stated"};
  return kNames[static_cast<std::size_t>(basis)];
}

bool Check::passed() const {
  return !figures.empty() && std::all_of(figures.begin(), figures.end(), [](const Figure& f) { return f.passed(); });
}

void add_deviations(Check& check, double mean_target, double worst_target) {
  double sum = 0, worst = 0;
  for (const ComparedValue& value : check.values) {
    const double deviation = 100 * std::abs(value.deviation());
    sum += deviation;
    worst = std::max(worst, deviation);
  }
  if (check.values.empty()) sum = worst = std::numeric_limits<double>::quiet_NaN();
  check.figures.push_back({"mean off", "%", sum / static_cast<double>(check.values.size()), mean_target});
  check.figures.push_back({"worst", "%", worst, worst_target});
}

}  // namespace hitmark::simulator
