// The smallest p counts for all m, the next for m - 1, and none is called less than a smaller one.
#include "analysis/statistics/holm.hpp"

#include <algorithm>
#include <numeric>

namespace hitmark {

std::vector<double> holm_adjusted(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> adjusted(p_values.size());
  double largest = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const double weighed = p_values[order[rank]] * static_cast<double>(order.size() - rank);
    largest = std::max(largest, std::min(weighed, 1.0));
    adjusted[order[rank]] = largest;
  }
  return adjusted;
}

}  // namespace hitmark
