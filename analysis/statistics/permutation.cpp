// The sum of squares is the same for all signs, so comparing sums is comparing t.
#include "analysis/statistics/permutation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "support/seeds.hpp"

namespace hitmark {
namespace {

// Gray code: one sign changes from each arrangement to the next. The last sign stays: its other half is the
// mirror image, with the same |sum|.
double exact_p(std::vector<double> values, double observed) {
  const std::uint64_t arrangements = std::uint64_t{1} << (values.size() - 1);
  double sum = 0;
  for (const double x : values) sum += x;
  std::uint64_t as_extreme = 1;
  for (std::uint64_t i = 1; i < arrangements; ++i) {
    double& flipped = values[static_cast<std::size_t>(std::countr_zero(i))];
    sum -= 2 * flipped;
    flipped = -flipped;
    as_extreme += std::abs(sum) >= observed;
  }
  return static_cast<double>(as_extreme) / static_cast<double>(arrangements);
}

double random_p(std::span<const double> values, double observed, std::uint64_t seed) {
  SplitMix64 random(mixed_seed({seed, values.size()}));
  int as_extreme = 1;
  for (int flip = 0; flip < kRandomSignFlips; ++flip) {
    double sum = 0;
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < values.size(); ++i, bits >>= 1) {
      if (i % 64 == 0) bits = random.next();
      sum += (bits & 1) != 0 ? values[i] : -values[i];
    }
    as_extreme += std::abs(sum) >= observed;
  }
  return as_extreme / double{kRandomSignFlips + 1};
}

}  // namespace

double sign_flip_p(std::span<const double> values, std::uint64_t seed) {
  if (values.empty()) return 1;
  double sum = 0, size = 0;
  for (const double x : values) sum += x, size += std::abs(x);
  const double observed = std::abs(sum) - 1e-9 * size;  // sums in another order round differently
  if (static_cast<int>(values.size()) <= kExactSignFlips)
    return exact_p(std::vector<double>(values.begin(), values.end()), observed);
  return random_p(values, observed, seed);
}

double least_sign_flip_p(int count) {
  if (count < 1) return 1;
  return count <= kExactSignFlips ? std::ldexp(1.0, 1 - count) : 1.0 / (kRandomSignFlips + 1);
}

}  // namespace hitmark
