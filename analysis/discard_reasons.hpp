// Reasons for discarding blocks, summed up: reasons that differ in their numbers only become one.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace hitmark {

// From blocks by reason to lines, the most frequent first: "cpu 0: 2 to 37 migrations (70 blocks)".
std::vector<std::string> discard_lines(const std::map<std::string, int>& blocks_by_reason);

}  // namespace hitmark
