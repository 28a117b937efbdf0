// Values are counted in a sliding window over their logarithms. A valley parts two modes when next to nothing lies in
// it for the peak on either side. A tail has no peak beyond its gaps, so skewed values stay together.
#include "analysis/statistics/modes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "analysis/statistics/interval.hpp"

namespace hitmark {
namespace {

const double kWindow = std::log(1.25) / 2;  // modes at least a quarter apart have a window of valley between them
constexpr double kDepth = 8;                // a peak holds so many times what the valley does
constexpr int kLeastPeak = 8;               // values in a window
constexpr double kLeastShare = 0.05;        // of all values, in each mode

using Range = std::span<const double>;  // ascending

// For each value how many lie within half a window of it.
std::vector<int> densities_of(Range range) {
  std::vector<int> counts;
  std::size_t low = 0, high = 0;
  for (const double x : range) {
    while (range[low] < x - kWindow / 2) ++low;
    while (high < range.size() && range[high] <= x + kWindow / 2) ++high;
    counts.push_back(static_cast<int>(high - low));
  }
  return counts;
}

int count_between(Range range, double low, double high) {
  return static_cast<int>(std::upper_bound(range.begin(), range.end(), high) -
                          std::lower_bound(range.begin(), range.end(), low));
}

// The index of the first value beyond the deepest valley; 0: there is none.
std::size_t valley(Range range, std::size_t least) {
  const std::vector<int> density = densities_of(range);
  std::vector<int> peak_from(density.size());
  int peak = 0;
  for (std::size_t i = density.size(); i-- > 0;) peak_from[i] = peak = std::max(peak, density[i]);
  std::size_t best = 0;
  double best_depth = 0, widest = 0;
  int peak_before = 0;
  for (std::size_t i = 1; i < range.size(); ++i) {
    peak_before = std::max(peak_before, density[i - 1]);
    const int lower_peak = std::min(peak_before, peak_from[i]);
    if (i < least || range.size() - i < least || lower_peak < kLeastPeak) continue;
    const double gap = range[i] - range[i - 1], centre = range[i - 1] + gap / 2;
    const int inside = count_between(range, centre - kWindow / 2, centre + kWindow / 2);
    const double depth = lower_peak / (inside + 0.5);
    if (inside * kDepth > lower_peak || depth < best_depth || (depth == best_depth && gap <= widest)) continue;
    best = i, best_depth = depth, widest = gap;
  }
  return best;
}

void split(Range range, std::size_t least, std::vector<Range>& modes) {
  const std::size_t at = valley(range, least);
  if (at == 0) return modes.push_back(range);
  split(range.first(at), least, modes);
  split(range.subspan(at), least, modes);
}

}  // namespace

Modes modes_of(std::span<const double> values) {
  Modes modes;
  if (values.empty()) return modes;
  std::vector<double> logs;
  for (const double x : values) logs.push_back(std::log(x));
  std::vector<double> sorted = logs;
  std::sort(sorted.begin(), sorted.end());
  std::vector<Range> groups;
  split(sorted, static_cast<std::size_t>(std::ceil(kLeastShare * static_cast<double>(values.size()))), groups);
  for (const Range group : groups)
    modes.centres.push_back(std::exp(median(std::vector<double>(group.begin(), group.end()))));
  for (const double x : logs) {
    int index = 0;
    while (x > groups[static_cast<std::size_t>(index)].back()) ++index;
    modes.of.push_back(index);
  }
  return modes;
}

}  // namespace hitmark
