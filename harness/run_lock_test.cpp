#include "harness/run_lock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

namespace hitmark {
namespace {

using ::testing::HasSubstr;

// Locks belong to processes, so the other run is a forked one. It holds its CPUs until told to end.
class OtherRun {
 public:
  OtherRun(const std::string& path, const std::vector<int>& cpus) {
    if (::pipe(ready_) != 0 || ::pipe(end_) != 0) return;
    pid_ = ::fork();
    if (pid_ == 0) {
      const RunLock lock(path, cpus);
      char byte = 'r';
      if (::write(ready_[1], &byte, 1) != 1 || ::read(end_[0], &byte, 1) != 1) ::_exit(1);
      ::_exit(0);
    }
    char byte;
    EXPECT_EQ(::read(ready_[0], &byte, 1), 1);
  }
  void end() {
    if (pid_ <= 0) return;
    EXPECT_EQ(::write(end_[1], "e", 1), 1);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  ~OtherRun() {
    end();
    for (const int file : {ready_[0], ready_[1], end_[0], end_[1]}) ::close(file);
  }
  pid_t pid() const { return pid_; }

 private:
  int ready_[2] = {-1, -1}, end_[2] = {-1, -1};
  pid_t pid_ = -1;
};

class RunLockTest : public ::testing::Test {
 protected:
  const std::string path_ = ::testing::TempDir() + "run_lock_test" + std::to_string(::getpid());
  ~RunLockTest() override { std::filesystem::remove(path_); }
};

TEST_F(RunLockTest, WarnsOfAnotherRunOnTheSameCpusAndNamesIt) {
  OtherRun other(path_, {0, 2, 3});
  const RunLock lock(path_, {1, 2, 3});
  EXPECT_THAT(lock.warning(), HasSubstr("hitmark process " + std::to_string(other.pid())));
  EXPECT_THAT(lock.warning(), HasSubstr("CPU 2,3 "));
}

TEST_F(RunLockTest, OtherCpusAreNoReasonToWarn) {
  OtherRun other(path_, {0, 2});
  EXPECT_EQ(RunLock(path_, {1, 3}).warning(), "");
}

TEST_F(RunLockTest, ARunThatEndedLeavesNothing) {
  OtherRun other(path_, {0});
  other.end();
  EXPECT_EQ(RunLock(path_, {0}).warning(), "");
}

TEST_F(RunLockTest, AnUnusableLockFileIsNoObstacle) {
  EXPECT_EQ(RunLock("/nonexistent/folder/lock", {0}).warning(), "");
}

}  // namespace
}  // namespace hitmark
