// The sum of the observations is followed from look to look by numerical integration (Armitage, McPherson & Rowe
// 1969; Jennison & Turnbull 2000, chapter 19): `density` is that of the sum in runs that have not stopped.
#include "analysis/statistics/group_sequential.hpp"

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>

#include "support/check.hpp"

namespace hitmark {
namespace {

using boost::math::cdf;
using boost::math::complement;
using boost::math::normal;

constexpr std::size_t kPoints = 401;  // odd: Simpson's rule

struct Grid {
  double bound = 0;                 // the sums that go on lie in [-bound, bound]
  std::vector<double> at, weighed;  // density times weight of the rule

  template <typename Density>
  static Grid of(double bound, Density density) {
    Grid grid{bound, {}, {}};
    const double step = 2 * bound / (kPoints - 1);
    for (std::size_t i = 0; i < kPoints; ++i) {
      const double x = -bound + step * static_cast<double>(i);
      const double weight = i == 0 || i == kPoints - 1 ? 1 : i % 2 == 1 ? 4 : 2;
      grid.at.push_back(x);
      grid.weighed.push_back(weight * step / 3 * density(x));
    }
    return grid;
  }
};

double two_sided(double z) { return 2 * cdf(complement(normal(), z)); }

// Of the runs that went on, the share whose sum is beyond `bound` after an increment of variance `sd`^2.
double crossing(const Grid& before, double bound, double sd) {
  const normal step(0, sd);
  double share = 0;
  for (std::size_t i = 0; i < kPoints; ++i)
    share += before.weighed[i] * (cdf(complement(step, bound - before.at[i])) + cdf(step, -bound - before.at[i]));
  return share;
}

double bound_for(const Grid& before, double share, double sd, double largest) {
  const auto excess = [&](double bound) { return crossing(before, bound, sd) - share; };
  if (excess(largest) >= 0) return largest;
  std::uintmax_t steps = 100;
  const auto bracket =
      boost::math::tools::toms748_solve(excess, 0.0, largest, boost::math::tools::eps_tolerance<double>(40), steps);
  return (bracket.first + bracket.second) / 2;
}

}  // namespace

double pocock_spending(double fraction, double alpha) {
  return alpha * std::log1p((boost::math::constants::e<double>() - 1) * fraction);
}

double obrien_fleming_spending(double fraction, double alpha) {
  return 2 * two_sided(quantile(complement(normal(), alpha / 4)) / std::sqrt(fraction));
}

std::vector<double> nominal_levels(std::span<const double> fractions, double alpha, Spending spending) {
  constexpr double kFarthest = 9;  // standard deviations; nothing is spent beyond
  std::vector<double> levels;
  Grid grid;
  double spent = 0, so_far = 0;
  for (const double fraction : fractions) {
    HITMARK_CHECK(fraction > so_far && fraction <= 1, "looks must be in ascending order");
    const double now = spending(fraction, alpha) - spent;
    const double scale = std::sqrt(fraction), sd = std::sqrt(fraction - so_far);
    double bound;
    if (levels.empty()) {
      bound = scale * std::min(kFarthest, quantile(complement(normal(), now / 2)));
      grid = Grid::of(bound, [&](double x) { return pdf(normal(0, sd), x); });
    } else {
      bound = bound_for(grid, now, sd, kFarthest * scale);
      const Grid before = grid;
      grid = Grid::of(bound, [&](double x) {
        const normal step(0, sd);
        double density = 0;
        for (std::size_t i = 0; i < kPoints; ++i) density += before.weighed[i] * pdf(step, x - before.at[i]);
        return density;
      });
    }
    levels.push_back(two_sided(bound / scale));
    spent += now;
    so_far = fraction;
  }
  return levels;
}

}  // namespace hitmark
