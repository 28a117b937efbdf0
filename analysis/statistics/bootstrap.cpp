// Hall 1988, "On symmetric bootstrap confidence intervals" (Hall 1992, section 3.6). Each resample is judged by its own
// standard error, so that the width is right at small counts, where a percentile interval's is not. Symmetric, because
// log ratios of like arms are, and then it covers better than with equal tails.
#include "analysis/statistics/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "support/seeds.hpp"

namespace hitmark {
namespace {

// At 95 % the 100th largest of 1,999; as many beyond the bound at any other confidence.
constexpr double kBeyond = 100;
constexpr int kMostResamples = 39'999;

// |mean| over standard error of one resample of `centred`.
double resampled_t(std::span<const double> centred, SplitMix64& random) {
  const auto n = static_cast<std::uint64_t>(centred.size());
  double sum = 0, squares = 0;
  for (std::size_t drawn = 0; drawn < centred.size();) {
    const std::uint64_t bits = random.next();
    for (const std::uint64_t half : {bits >> 32, bits & 0xffffffffu}) {
      if (drawn++ == centred.size()) break;
      const double x = centred[(half * n) >> 32];
      sum += x, squares += x * x;
    }
  }
  const auto count = static_cast<double>(n);
  const double mean = sum / count;
  const double variance = (squares - count * mean * mean) / (count - 1);
  // Rounding leaves something of a spread that is none.
  if (variance <= 1e-12 * squares / count) return mean == 0 ? 0 : std::numeric_limits<double>::infinity();
  return std::abs(mean) / std::sqrt(variance / count);
}

}  // namespace

std::optional<double> bootstrap_half_width(std::span<const double> values, double confidence, std::uint64_t seed) {
  if (values.size() < 2) return std::nullopt;
  const auto n = static_cast<double>(values.size());
  std::vector<double> centred(values.begin(), values.end());
  const double origin = centred.front();
  const double mean = origin + std::accumulate(centred.begin(), centred.end(), 0.0, [&](double sum, double x) {
                                 return sum + (x - origin);
                               }) / n;
  double squares = 0;
  for (double& x : centred) x -= mean, squares += x * x;
  if (!(squares > 0)) return std::nullopt;
  const double outside = 1 - confidence;
  const int resamples = static_cast<int>(std::min(std::round(kBeyond / outside) - 1, double{kMostResamples}));
  const auto beyond = static_cast<std::ptrdiff_t>(std::max(1.0, std::round(outside * (resamples + 1))));
  std::vector<double> t(static_cast<std::size_t>(resamples));
  SplitMix64 random(mixed_seed({seed, values.size()}));
  for (double& one : t) one = resampled_t(centred, random);
  const auto at = t.end() - beyond;
  std::nth_element(t.begin(), at, t.end());
  if (!std::isfinite(*at)) return std::nullopt;
  return *at * std::sqrt(squares / (n - 1) / n);
}

}  // namespace hitmark
