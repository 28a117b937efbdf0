#include "harness/run_lock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <map>

namespace hitmark {
namespace {

struct flock lock_of(int cpu) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = cpu;
  lock.l_len = 1;
  return lock;
}

// A file of another user is opened without O_CREAT, which fs.protected_regular forbids in /tmp.
int open_lock_file(const std::string& path) {
  constexpr int kFlags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
  if (const int file = ::open(path.c_str(), kFlags); file >= 0) return file;
  const int file = ::open(path.c_str(), kFlags | O_CREAT | O_EXCL, 0666);
  if (file >= 0) ::fchmod(file, 0666);  // whatever the umask: other users' runs are to see us
  return file;
}

}  // namespace

std::string RunLock::default_path() {
  const char* folder = std::getenv("HITMARK_LOCK_DIR");
  return std::string(folder && *folder ? folder : "/tmp") + "/hitmark-cpus.lock";
}

RunLock::RunLock(const std::string& path, const std::vector<int>& cpus) : file_(open_lock_file(path)) {
  if (file_ < 0) return;
  std::map<pid_t, std::string> holders;
  for (const int cpu : cpus) {
    struct flock lock = lock_of(cpu);
    if (::fcntl(file_, F_SETLK, &lock) == 0) continue;
    lock = lock_of(cpu);
    if (::fcntl(file_, F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK) continue;
    std::string& list = holders[lock.l_pid];
    list += (list.empty() ? "" : ",") + std::to_string(cpu);
  }
  for (const auto& [pid, list] : holders)
    warning_ += (warning_.empty() ? "" : "; ") + ("hitmark process " + std::to_string(pid)) + " measures on CPU " +
                list + " at the same time: both results will suffer";
}

RunLock::~RunLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace hitmark
