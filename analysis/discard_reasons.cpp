// A noisy host gives a different count of switches in each block; forty lines that say the same help nobody.
#include "analysis/discard_reasons.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace hitmark {
namespace {

struct Parts {
  std::vector<std::string> texts;  // around the numbers; one more than there are numbers
  std::vector<unsigned long long> numbers;
};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

Parts parts_of(const std::string& reason) {
  Parts parts{{""}, {}};
  for (std::size_t i = 0; i < reason.size();) {
    std::size_t end = i;
    while (end < reason.size() && is_digit(reason[end])) ++end;
    if (end > i && end - i <= 18) {  // longer ones stay text
      parts.numbers.push_back(std::stoull(reason.substr(i, end - i)));
      parts.texts.emplace_back();
      i = end;
    } else {
      parts.texts.back() += reason[i++];
    }
  }
  return parts;
}

struct Group {
  int blocks = 0;
  std::vector<std::pair<unsigned long long, unsigned long long>> ranges;
};

}  // namespace

std::vector<std::string> discard_lines(const std::map<std::string, int>& blocks_by_reason) {
  std::map<std::vector<std::string>, Group> groups;
  for (const auto& [reason, blocks] : blocks_by_reason) {
    const Parts parts = parts_of(reason);
    Group& group = groups[parts.texts];
    group.blocks += blocks;
    if (group.ranges.empty())
      for (const auto number : parts.numbers) group.ranges.emplace_back(number, number);
    for (std::size_t i = 0; i < parts.numbers.size(); ++i) {
      group.ranges[i].first = std::min(group.ranges[i].first, parts.numbers[i]);
      group.ranges[i].second = std::max(group.ranges[i].second, parts.numbers[i]);
    }
  }
  std::vector<std::pair<int, std::string>> lines;
  for (const auto& [texts, group] : groups) {
    std::string line = texts.front();
    for (std::size_t i = 0; i < group.ranges.size(); ++i) {
      const auto& [low, high] = group.ranges[i];
      line += std::to_string(low) + (low == high ? "" : " to " + std::to_string(high)) + texts[i + 1];
    }
    lines.emplace_back(group.blocks,
                       line + " (" + std::to_string(group.blocks) + (group.blocks == 1 ? " block)" : " blocks)"));
  }
  std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> result;
  for (auto& [blocks, line] : lines) result.push_back(std::move(line));
  return result;
}

}  // namespace hitmark
