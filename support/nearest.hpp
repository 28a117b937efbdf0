// The names closest to what somebody typed, for "did you mean".
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hitmark {

// Up to `limit` of `known`, nearest first by edit distance, only those near enough to be a slip.
std::vector<std::string> nearest_names(std::string_view typed, std::span<const std::string> known,
                                       std::size_t limit = 3);

// ": did you mean a, b or c?", or "; known: a, b, c" when nothing is near.
std::string did_you_mean(std::string_view typed, std::span<const std::string> known);

}  // namespace hitmark
