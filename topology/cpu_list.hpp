// Lists of numbers as Linux writes them: "0-3,8,10-14:2".
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"

namespace hitmark {

// In the order given, consecutive ascending numbers as ranges.
std::string format_cpu_list(std::span<const int> numbers);

// In the order given. A syntax error is kUsage and names the part; numbers go up to 2^20,
// lists up to 2^16 entries.
Result<std::vector<int>> parse_cpu_list(std::string_view text);

}  // namespace hitmark
