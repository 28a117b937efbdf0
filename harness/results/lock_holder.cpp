// Reads /proc/locks: "1: POSIX  ADVISORY  WRITE 1234 fe:00:5678 1073741825 1073741825".
#include "harness/results/lock_holder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <set>
#include <sstream>

namespace hitmark {
namespace {

// Every lock of SQLite lies in the 512 bytes from 1 GiB on (its file format, section 1.7, and os.h).
constexpr unsigned long long kFirstLockByte = 0x40000000, kLastLockByte = kFirstLockByte + 511;

std::string command_of(long pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/comm");
  std::string name;
  std::getline(file, name);
  return name;
}

}  // namespace

std::string lock_holders(const std::string& path) {
  struct stat status {};
  std::set<long> pids;
  std::ifstream locks("/proc/locks");
  if (::stat(path.c_str(), &status) == 0) {
    for (std::string line; std::getline(locks, line);) {
      std::istringstream words(line);
      std::string number, type, advisory, mode, file;
      long pid = 0;
      unsigned long long first = 0;
      // A line with "->" is a process that waits; its second word is not a type.
      if (!(words >> number >> type >> advisory >> mode >> pid >> file >> first)) continue;
      // The device is left out: overlay and btrfs report another one than stat(2) does.
      const auto inode = file.substr(file.rfind(':') + 1);
      if (inode != std::to_string(status.st_ino) || first < kFirstLockByte || first > kLastLockByte) continue;
      if (pid > 0 && pid != ::getpid()) pids.insert(pid);
    }
  }
  std::string text;
  for (const long pid : pids) {
    if (!text.empty()) text += " and ";
    const std::string command = command_of(pid);
    text += "process " + std::to_string(pid) + (command.empty() ? "" : " (" + command + ")");
  }
  return text.empty() ? "another process" : text;
}

}  // namespace hitmark
