#include "analysis/statistics/trend.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <map>
#include <vector>

#include "analysis/statistics/interval.hpp"

namespace hitmark {
namespace {

constexpr std::size_t kFewest = 6, kMost = 1000;  // every pair is looked at

std::vector<double> thinned(std::span<const double> values) {
  const std::size_t step = (values.size() + kMost - 1) / kMost;
  std::vector<double> kept;
  for (std::size_t i = 0; i < values.size(); i += step) kept.push_back(values[i]);
  return kept;
}

}  // namespace

Trend trend_of(std::span<const double> values) {
  Trend trend;
  if (values.size() < kFewest) return trend;
  const auto third = static_cast<std::ptrdiff_t>(values.size() / 3);
  trend.change =
      std::log(median({values.end() - third, values.end()}) / median({values.begin(), values.begin() + third}));
  const std::vector<double> kept = thinned(values);
  const auto n = static_cast<double>(kept.size());
  double score = 0;
  std::map<double, double> ties;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    ++ties[kept[i]];
    for (std::size_t j = i + 1; j < kept.size(); ++j) score += (kept[j] > kept[i]) - (kept[j] < kept[i]);
  }
  double variance = n * (n - 1) * (2 * n + 5);
  for (const auto& [value, t] : ties) variance -= t * (t - 1) * (2 * t + 5);
  if (variance <= 0) return trend;
  const double z = std::max(0.0, std::abs(score) - 1) / std::sqrt(variance / 18);
  trend.p_value = std::min(1.0, 2 * cdf(complement(boost::math::normal(), z)));
  return trend;
}

}  // namespace hitmark
