// The mode is a property of the file: a killed run leaves it as it was, and the next opener carries on.
#include "harness/results/journal_mode.hpp"

#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>

namespace hitmark {
namespace {

// statfs(2) and the kernel's include/uapi/linux/magic.h; the last three are from their drivers.
constexpr std::array<unsigned long, 11> kWithoutSharedMemory{
    0x6969,      // NFS
    0x517b,      // SMB
    0xff534d42,  // CIFS
    0xfe534d42,  // SMB2
    0x5346414f,  // AFS
    0x01021997,  // 9p
    0x65735546,  // FUSE
    0x00c36400,  // Ceph
    0x0bd00bd0,  // Lustre
    0x47504653,  // GPFS
    0x786f4256,  // VirtualBox shared folder
};

bool shares_memory(const std::string& path) {
  struct statfs status {};
  if (::statfs(path.c_str(), &status) != 0) return false;
  const auto type = static_cast<unsigned long>(status.f_type) & 0xffffffffu;
  return std::find(kWithoutSharedMemory.begin(), kWithoutSharedMemory.end(), type) == kWithoutSharedMemory.end();
}

}  // namespace

Result<void> choose_journal(const sqlite::Connection& connection, const std::string& path) {
  if (!shares_memory(path)) return {};
  // While another process switches the mode SQLite says "locked" at once instead of waiting: that passes in moments.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  auto mode = connection.text("PRAGMA journal_mode = WAL");
  while (!mode && mode.error().kind == ErrorKind::kUnavailable && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    mode = connection.text("PRAGMA journal_mode = WAL");
  }
  if (!mode) return mode.error();
  // Without WAL the default (FULL) stays: a rollback journal needs it to survive a power failure.
  return *mode == "wal" ? connection.execute("PRAGMA synchronous = NORMAL") : Result<void>();
}

void tidy_journal(const sqlite::Connection& connection) {
  connection.stop_waiting();
  (void)connection.text("PRAGMA journal_mode = DELETE");
}

bool has_open_journal(const std::string& path) {
  for (const char* suffix : {"-wal", "-journal"}) {
    std::error_code error;
    if (std::filesystem::file_size(path + suffix, error) > 0 && !error) return true;
  }
  return false;
}

}  // namespace hitmark
