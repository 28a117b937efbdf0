// Small files of /proc and /sys below a root that tests replace. An absent file is an empty optional.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hitmark {

class Sysfs {
 public:
  explicit Sysfs(std::string root) : root_(std::move(root)) {}

  std::optional<std::string> line(const std::string& path) const;  // first line, no blanks at its end
  std::optional<std::string> text(const std::string& path) const;
  bool exists(const std::string& path) const;
  std::vector<std::string> names(const std::string& folder) const;  // sorted; empty when there is no such folder

 private:
  std::string root_;
};

// How many numbers a kernel list such as "0-3,8" names; 0 for an empty one.
int count_of_list(std::string_view list);

// The one in brackets of "always [madvise] never"; the whole text when none is.
std::string selected(const std::string& choices);

}  // namespace hitmark
