#include "harness/sysfs.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "support/file.hpp"

namespace hitmark {

std::optional<std::string> Sysfs::line(const std::string& path) const {
  auto read = read_line(root_ + path);
  if (!read) return {};
  while (!read->empty() && (read->back() == ' ' || read->back() == '\t')) read->pop_back();
  return *read;
}

std::optional<std::string> Sysfs::text(const std::string& path) const {
  auto read = read_file(root_ + path, std::size_t{16} << 20);
  if (!read) return {};
  return *read;
}

bool Sysfs::exists(const std::string& path) const {
  std::error_code ignored;
  return std::filesystem::exists(root_ + path, ignored);
}

std::vector<std::string> Sysfs::names(const std::string& folder) const {
  std::vector<std::string> names;
  std::error_code code;
  for (std::filesystem::directory_iterator at(root_ + folder, code), end; !code && at != end; at.increment(code))
    names.push_back(at->path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

int count_of_list(std::string_view list) {
  int count = 0;
  const char* at = list.data();
  const char* const end = at + list.size();
  while (at < end) {
    int first = 0;
    auto [after, error] = std::from_chars(at, end, first);
    if (error != std::errc{}) return count;
    int last = first;
    if (after < end && *after == '-') after = std::from_chars(after + 1, end, last).ptr;
    count += last - first + 1;
    at = after + 1;  // the comma
  }
  return count;
}

std::string selected(const std::string& choices) {
  const std::size_t open = choices.find('['), close = choices.find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return choices;
  return choices.substr(open + 1, close - open - 1);
}

}  // namespace hitmark
