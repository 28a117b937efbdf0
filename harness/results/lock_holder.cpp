// Reads /proc/locks: "1: POSIX  ADVISORY  WRITE 1234 fe:00:5678 1073741825 1073741825".
#include "harness/results/lock_holder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <set>
#include <sstream>

namespace hitmark {
namespace {

// Where SQLite puts its locks: with a rollback journal in the 512 bytes of the file from 1 GiB on (its file
// format, section 1.7); with a write-ahead log the writer's is at byte 120 of FILE-shm (WAL format, 2.2).
struct Range {
  unsigned long long first, last;
};
constexpr Range kFileLocks{0x40000000, 0x40000000 + 511}, kWriterLock{120, 120};

std::string command_of(long pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/comm");
  std::string name;
  std::getline(file, name);
  return name;
}

std::set<long> holders(const std::string& path, Range range, const std::string& wanted_mode) {
  std::set<long> pids;
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return pids;
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, type, advisory, mode, file;
    long pid = 0;
    unsigned long long first = 0;
    // A line with "->" is a process that waits; its second word is not a type.
    if (!(words >> number >> type >> advisory >> mode >> pid >> file >> first)) continue;
    // The device is left out: overlay and btrfs report another one than stat(2) does.
    const auto inode = file.substr(file.rfind(':') + 1);
    if (inode != std::to_string(status.st_ino) || first < range.first || first > range.last) continue;
    if (mode == wanted_mode && pid > 0 && pid != ::getpid()) pids.insert(pid);
  }
  return pids;
}

}  // namespace

std::string lock_holders(const std::string& path) {
  // Whoever writes; else whoever reads, which only ever blocks a writer with a rollback journal.
  std::set<long> pids = holders(path + "-shm", kWriterLock, "WRITE");
  if (pids.empty()) pids = holders(path, kFileLocks, "WRITE");
  if (pids.empty()) pids = holders(path, kFileLocks, "READ");
  std::string text;
  for (const long pid : pids) {
    if (!text.empty()) text += " and ";
    const std::string command = command_of(pid);
    text += "process " + std::to_string(pid) + (command.empty() ? "" : " (" + command + ")");
  }
  return text.empty() ? "another process" : text;
}

}  // namespace hitmark
