#include "topology/cpu_list.hpp"

#include <charconv>
#include <optional>

namespace hitmark {
namespace {

constexpr int kLargest = 1 << 20;
constexpr std::size_t kMostNumbers = 1 << 16;

std::optional<int> take_number(std::string_view& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || value < 0 || value > kLargest) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

// "8", "0-3", "10-14:2"
bool parse_item(std::string_view item, std::vector<int>& numbers) {
  const auto first = take_number(item);
  if (!first) return false;
  std::optional<int> last = first, step = 1;
  if (item.starts_with('-')) {
    item.remove_prefix(1);
    last = take_number(item);
    if (last && item.starts_with(':')) {
      item.remove_prefix(1);
      step = take_number(item);
    }
  }
  if (!last || !step || *step == 0 || *last < *first || !item.empty()) return false;
  for (int number = *first; number <= *last && numbers.size() <= kMostNumbers; number += *step)
    numbers.push_back(number);
  return numbers.size() <= kMostNumbers;
}

}  // namespace

std::string format_cpu_list(std::span<const int> numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    if (!text.empty()) text += ',';
    text += std::to_string(numbers[i]);
    if (end - i > 1) text += (end - i > 2 ? "-" : ",") + std::to_string(numbers[end - 1]);
    i = end;
  }
  return text;
}

Result<std::vector<int>> parse_cpu_list(std::string_view text) {
  std::vector<int> numbers;
  for (std::string_view rest = text;;) {
    const auto comma = rest.find(',');
    const auto item = rest.substr(0, comma);
    if (!parse_item(item, numbers))
      return Error{ErrorKind::kUsage,
                   "'" + std::string(item) +
                       "' is not a number or an ascending range such as 0-3 "
                       "or 0-6:2",
                   ""};
    if (comma == std::string_view::npos) return numbers;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace hitmark
