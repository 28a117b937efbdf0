// Says which CPUs a run measures on, so that another run on the same ones can be warned. Advisory: nobody is
// stopped. Byte N of one lock file stands for CPU N; the kernel drops the locks of a process that ends.
#pragma once

#include <string>
#include <vector>

namespace hitmark {

class RunLock {
 public:
  // /tmp/hitmark-cpus.lock, where the runs of all users and sessions meet; HITMARK_LOCK_DIR replaces the folder.
  static std::string default_path();

  // Takes the CPUs that nobody has. A lock file that cannot be used locks nothing and warns of nothing.
  RunLock(const std::string& path, const std::vector<int>& cpus);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

  // Empty, or one line: which CPUs another hitmark measures on, and its process number.
  const std::string& warning() const { return warning_; }

 private:
  int file_ = -1;
  std::string warning_;
};

}  // namespace hitmark
