#include "support/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace hitmark {
namespace {

// Levenshtein distance, one row at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row.back();
}

std::string listed(std::span<const std::string> names, std::string_view last_separator) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i != 0) text += i + 1 == names.size() ? last_separator : std::string_view(", ");
    text += names[i];
  }
  return text;
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view typed, std::span<const std::string> known,
                                       std::size_t limit) {
  std::vector<std::pair<std::size_t, std::string>> scored;
  for (const std::string& name : known) {
    const bool starts = !typed.empty() && name.starts_with(typed);
    const std::size_t distance = starts ? 0 : edit_distance(typed, name);
    if (distance <= std::max<std::size_t>(2, typed.size() / 3)) scored.emplace_back(distance, name);
  }
  std::stable_sort(scored.begin(), scored.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(limit, scored.size()); ++i) names.push_back(scored[i].second);
  return names;
}

std::string did_you_mean(std::string_view typed, std::span<const std::string> known) {
  const auto near = nearest_names(typed, known);
  if (!near.empty()) return "; did you mean " + listed(near, " or ") + "?";
  return known.empty() ? "" : "; known: " + listed(known, ", ");
}

}  // namespace hitmark
