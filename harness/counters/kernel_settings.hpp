// Settings of the kernel that likwid changes behind its user's back (NMI watchdog off, rdpmc to 2), recorded while
// this object lives and put back at its end.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hitmark {

class KernelSettings {
 public:
  explicit KernelSettings(std::string root = "");  // replaces "/" for tests
  ~KernelSettings();
  KernelSettings(const KernelSettings&) = delete;
  KernelSettings& operator=(const KernelSettings&) = delete;

  // Writes back what differs. Each setting that cannot be put back is named: "/proc/... is 0 and was 1".
  std::vector<std::string> restore();

 private:
  std::vector<std::pair<std::string, std::string>> recorded_;  // path, content
};

}  // namespace hitmark
