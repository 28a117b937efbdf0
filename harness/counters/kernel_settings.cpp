// Writes in place: these files cannot be replaced by renaming.
#include "harness/counters/kernel_settings.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "support/file.hpp"

namespace hitmark {
namespace {

constexpr const char* kPaths[] = {"/proc/sys/kernel/nmi_watchdog", "/sys/bus/event_source/devices/cpu/rdpmc"};

bool put(const std::string& path, const std::string& value) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const std::string text = value + "\n";
  const bool done = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(fd);
  return done;
}

}  // namespace

KernelSettings::KernelSettings(std::string root) {
  for (const char* path : kPaths)
    if (const auto value = read_line(root + path)) recorded_.emplace_back(root + path, *value);
}

KernelSettings::~KernelSettings() { restore(); }

std::vector<std::string> KernelSettings::restore() {
  std::vector<std::string> left;
  for (const auto& [path, value] : recorded_) {
    const auto now = read_line(path);
    if (now && *now != value && !put(path, value)) left.push_back(path + " is " + *now + " and was " + value);
  }
  return left;
}

}  // namespace hitmark
