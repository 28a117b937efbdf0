// Kills, full disks, read-only places, locks: nothing that was stored is lost, and each is a clear Error.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <functional>

#include "harness/results/journal_mode.hpp"
#include "harness/results/result_store.hpp"
#include "harness/results/sqlite_connection.hpp"
#include "harness/results/testing_records.hpp"

namespace hitmark {
namespace {

using Access = ResultStore::Access;
using testing::HasSubstr;

// A process of its own; talks to the test through a pipe each way.
class Child {
 public:
  explicit Child(const std::function<int(Child&)>& body) {
    int up[2], down[2];
    EXPECT_EQ(::pipe(up) | ::pipe(down), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      read_ = down[0], write_ = up[1];
      ::close(up[0]), ::close(down[1]);
      ::_exit(body(*this));
    }
    read_ = up[0], write_ = down[1];
    ::close(up[1]), ::close(down[0]);
  }
  ~Child() {
    if (pid_ > 0) finish();
    ::close(read_), ::close(write_);
  }
  void tell() const { EXPECT_EQ(::write(write_, "x", 1), 1); }
  bool hear() const {
    char c;
    return ::read(read_, &c, 1) == 1;
  }
  pid_t pid() const { return pid_; }
  void kill() const { ::kill(pid_, SIGKILL); }
  int finish() {
    int status = 0;
    ::waitpid(std::exchange(pid_, 0), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t pid_ = 0;
  int read_ = -1, write_ = -1;
};

class StoreCrashTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        testing::TempDir() + "hitmark_crash_" + testing::UnitTest::GetInstance()->current_test_info()->name() + "/";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    path_ = folder_ + "store.sqlite";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Every block complete, numbered without a gap; how many.
  int whole_blocks(const std::string& run_id = "run-1") {
    const auto store = ResultStore::open(path_, Access::kRead);
    EXPECT_TRUE(store) << store.error().message;
    int blocks = 0;
    const auto done = store->for_each_block(run_id, [&](const BlockRecord& block) {
      EXPECT_EQ(block.block, blocks++);
      EXPECT_EQ(block.slices.size(), 10u);
      EXPECT_EQ(block.readings.size(), 2u);
    });
    EXPECT_TRUE(done);
    return blocks;
  }

  std::string folder_, path_;
};

TEST_F(StoreCrashTest, AKilledRunLosesAtMostTheRunningBlock) {
  int expected_at_least = 0;
  for (int round = 0; round < 8; ++round) {
    Child child([&](Child& self) {
      auto store = ResultStore::open(path_, Access::kAppend);
      if (!store || (round == 0 && !store->begin_run(testing_records::run()))) return 1;
      for (int number = *store->block_count("run-1", 0, 0);; ++number) {
        if (!store->append_block("run-1", testing_records::block(0, 0, number))) return 2;
        self.tell();
      }
    });
    for (int heard = 0; heard < 3 + round; ++heard) {
      ASSERT_TRUE(child.hear());
      ++expected_at_least;
    }
    child.kill();
    EXPECT_EQ(child.finish(), 128 + SIGKILL);
    while (child.hear()) ++expected_at_least;  // what the child stored before the signal arrived
    const int blocks = whole_blocks();
    EXPECT_GE(blocks, expected_at_least);
    EXPECT_LE(blocks, expected_at_least + 1) << "stored, but killed before it could say so";
    expected_at_least = blocks;
  }
}

TEST_F(StoreCrashTest, AHalfWrittenBlockIsUndoneByTheNextReader) {
  for (const std::string mode : {"DELETE", "WAL"}) {
    std::filesystem::remove(path_);
    {
      auto store = ResultStore::open(path_, Access::kAppend);
      ASSERT_TRUE(store->begin_run(testing_records::run()));
      for (int number = 0; number < 50; ++number)
        ASSERT_TRUE(store->append_block("run-1", testing_records::block(0, 0, number)));
    }
    Child child([&](Child& self) {
      auto connection = sqlite::Connection::open(path_, sqlite::Connection::Mode::kReadWrite, 0);
      // A cache of one page: what the transaction changes reaches the disk before the commit.
      if (!(*connection)
               ->execute("PRAGMA journal_mode = " + mode +
                         "; PRAGMA cache_size = 1; BEGIN IMMEDIATE; DELETE FROM slice; DELETE FROM reading"))
        return 1;
      self.tell();
      ::pause();
      return 0;
    });
    ASSERT_TRUE(child.hear());
    child.kill();
    child.finish();
    ASSERT_TRUE(has_open_journal(path_)) << mode << ": otherwise this tests nothing";
    EXPECT_EQ(whole_blocks(), 50) << mode;
  }
}

TEST_F(StoreCrashTest, ACleanEndLeavesOneFile) {
  {
    auto store = ResultStore::open(path_, Access::kAppend);
    ASSERT_TRUE(store->begin_run(testing_records::run()));
    ASSERT_TRUE(store->append_block("run-1", testing_records::block(0, 0, 0)));
    EXPECT_TRUE(has_open_journal(path_)) << "the write-ahead log";
  }
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) files += entry.exists() ? 1 : 0;
  EXPECT_EQ(files, 1);
  auto connection = sqlite::Connection::open(path_, sqlite::Connection::Mode::kReadWrite, 0);
  EXPECT_EQ(*(*connection)->text("PRAGMA journal_mode"), "delete");
}

TEST_F(StoreCrashTest, TwoRunsAtOnceBothKeepEveryBlock) {
  const auto writer = [&](const std::string& run_id) {
    return [this, run_id](Child& self) {
      self.hear();
      auto store = ResultStore::open(path_, Access::kAppend);
      if (!store || !store->begin_run(testing_records::run(run_id))) return 1;
      for (int number = 0; number < 60; ++number)
        if (!store->append_block(run_id, testing_records::block(0, 0, number))) return 2;
      return 0;
    };
  };
  Child a(writer("run-a")), b(writer("run-b"));
  a.tell(), b.tell();  // both create the file
  EXPECT_EQ(a.finish(), 0);
  EXPECT_EQ(b.finish(), 0);
  EXPECT_EQ(whole_blocks("run-a"), 60);
  EXPECT_EQ(whole_blocks("run-b"), 60);
}

TEST_F(StoreCrashTest, ALockIsWaitedForAndThenNamed) {
  { ASSERT_TRUE(ResultStore::open(path_, Access::kAppend)->begin_run(testing_records::run())); }
  Child holder([&](Child& self) {
    auto connection = sqlite::Connection::open(path_, sqlite::Connection::Mode::kReadWrite, 0);
    if (!(*connection)->execute("BEGIN EXCLUSIVE")) return 1;
    self.tell();
    self.hear();
    return (*connection)->execute("COMMIT") ? 0 : 2;
  });
  ASSERT_TRUE(holder.hear());
  for (const Access access : {Access::kRead, Access::kAppend}) {
    const auto store = ResultStore::open(path_, access, 0.01);
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().kind, ErrorKind::kUnavailable);
    EXPECT_THAT(store.error().message, HasSubstr("is locked by process " + std::to_string(holder.pid()) + " ("));
    EXPECT_THAT(store.error().message, HasSubstr("waited 10 ms"));
  }
  // With patience the same call succeeds, however late the other process lets go.
  Child waiter([&](Child& self) {
    self.tell();
    auto store = ResultStore::open(path_, Access::kAppend);
    return store && store->append_block("run-1", testing_records::block(0, 0, 0)) ? 0 : 1;
  });
  ASSERT_TRUE(waiter.hear());
  holder.tell();
  EXPECT_EQ(waiter.finish(), 0);
  EXPECT_EQ(whole_blocks(), 1);
}

TEST_F(StoreCrashTest, AnotherRunsTransactionIsWaitedForAndNamedAndReadersPass) {
  auto store = ResultStore::open(path_, Access::kAppend, 0.01);
  ASSERT_TRUE(store->begin_run(testing_records::run()));
  Child holder([&](Child& self) {
    auto connection = sqlite::Connection::open(path_, sqlite::Connection::Mode::kReadWrite, 0);
    if (!(*connection)->execute("BEGIN IMMEDIATE")) return 1;
    self.tell();
    self.hear();
    return 0;
  });
  ASSERT_TRUE(holder.hear());
  const auto refused = store->append_block("run-1", testing_records::block(0, 0, 0));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("is locked by process " + std::to_string(holder.pid()) + " ("));
  EXPECT_EQ(whole_blocks(), 0) << "a reader does not wait for a writer";
  holder.tell();
  holder.finish();
  EXPECT_TRUE(store->append_block("run-1", testing_records::block(0, 0, 0))) << "the same block, once it is free";
}

// Appends until it fails; returns 0 when the failure is the expected Error and a block was stored before.
int append_until_full(const std::string& path, const std::string& sentence) {
  auto store = ResultStore::open(path, Access::kAppend);
  if (!store || !store->begin_run(testing_records::run())) return 10;
  for (int number = 0; number < 100'000; ++number) {
    const auto done = store->append_block("run-1", testing_records::block(0, 0, number));
    if (done) continue;
    const Error& error = done.error();
    const bool clear = error.kind == ErrorKind::kIo && error.message.starts_with(sentence) &&
                       error.message.find("stored before is still there") != std::string::npos &&
                       error.hint.find("--resume") != std::string::npos;
    if (!clear) std::fprintf(stderr, "%s\n", done.error().message.c_str());
    // The store stays usable, and holds what was appended.
    const auto stored = store->block_count("run-1", 0, 0);
    if (!stored || *stored != number) return 11;
    return clear && number > 0 ? 0 : 12;
  }
  return 13;
}

TEST_F(StoreCrashTest, AFileThatMayNotGrowLosesNothing) {
  Child child([&](Child&) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{256 << 10, 256 << 10};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    return append_until_full(path_, "cannot write " + path_);
  });
  ASSERT_EQ(child.finish(), 0);
  EXPECT_GT(whole_blocks(), 0);
}

// Runs `body` where `folder` is a file system of 512 KiB; 77 when we may not mount.
int on_small_disk(const std::string& folder, const std::function<int()>& body) {
  if (::unshare(CLONE_NEWNS) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      ::mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=512k") != 0)
    return 77;
  return body();
}

TEST_F(StoreCrashTest, AFullDiskLosesNothing) {
  Child child(
      [&](Child&) { return on_small_disk(folder_, [&] { return append_until_full(path_, "no space left"); }); });
  const int code = child.finish();
  if (code == 77) GTEST_SKIP() << "mounting needs root";
  EXPECT_EQ(code, 0);
}

TEST_F(StoreCrashTest, ADiskThatIsFullFromTheStartIsSaidAtOnce) {
  Child child([&](Child&) {
    return on_small_disk(folder_, [&] {
      const int fill = ::open((folder_ + "fill").c_str(), O_WRONLY | O_CREAT, 0600);
      const std::string zeros(4096, '\0');
      while (::write(fill, zeros.data(), zeros.size()) > 0) {
      }
      const auto store = ResultStore::open(path_, Access::kAppend);
      if (store) return 1;
      return store.error().message.starts_with("no space left to write") ? 0 : 2;
    });
  });
  const int code = child.finish();
  if (code == 77) GTEST_SKIP() << "mounting needs root";
  EXPECT_EQ(code, 0);
}

TEST_F(StoreCrashTest, AReadOnlyPlaceCanBeReadAndNotWritten) {
  Child child([&](Child&) {
    return on_small_disk(folder_, [&] {
      {
        if (!ResultStore::open(path_, Access::kAppend)->begin_run(testing_records::run())) return 1;
      }
      if (::mount(nullptr, folder_.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) != 0) return 77;
      const auto written = ResultStore::open(path_, Access::kAppend);
      if (written || written.error().kind != ErrorKind::kDenied) return 2;
      if (ResultStore::open(folder_ + "new.sqlite", Access::kAppend)) return 3;
      const auto read = ResultStore::open(path_, Access::kRead);
      return read && read->latest_run()->run_id == "run-1" ? 0 : 4;
    });
  });
  const int code = child.finish();
  if (code == 77) GTEST_SKIP() << "mounting needs root";
  EXPECT_EQ(code, 0);
}

TEST_F(StoreCrashTest, AKilledRunInAReadOnlyPlaceKeepsItsBlocksOrSaysWhatToDo) {
  Child child([&](Child&) {
    return on_small_disk(folder_, [&] {
      Child run([&](Child& self) {
        auto store = ResultStore::open(path_, Access::kAppend);
        if (!store->begin_run(testing_records::run())) return 1;
        if (!store->append_block("run-1", testing_records::block(0, 0, 0))) return 1;
        self.tell();
        ::pause();
        return 0;
      });
      if (!run.hear()) return 1;
      run.kill();
      run.finish();
      if (::mount(nullptr, folder_.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) != 0) return 77;
      const auto read = ResultStore::open(path_, Access::kRead);
      if (!read) return read.error().hint.find("copy") != std::string::npos ? 0 : 2;
      return read->block_count("run-1", 0, 0).has_value() && *read->block_count("run-1", 0, 0) == 1 ? 0 : 3;
    });
  });
  const int code = child.finish();
  if (code == 77) GTEST_SKIP() << "mounting needs root";
  EXPECT_EQ(code, 0);
}

TEST_F(StoreCrashTest, AFileOfSomebodyElseIsReadAndNotWritten) {
  Child child([&](Child&) {
    {
      if (!ResultStore::open(path_, Access::kAppend)->begin_run(testing_records::run())) return 1;
    }
    std::filesystem::permissions(path_, std::filesystem::perms(0444));
    std::filesystem::permissions(folder_, std::filesystem::perms(0755));
    if (::geteuid() == 0 && ::seteuid(65534) != 0) return 77;
    const auto written = ResultStore::open(path_, Access::kAppend);
    if (written || written.error().kind != ErrorKind::kDenied) return 2;
    const auto created = ResultStore::open(folder_ + "new.sqlite", Access::kAppend);
    if (::geteuid() == 65534 && (created || created.error().kind != ErrorKind::kDenied)) return 3;
    const auto read = ResultStore::open(path_, Access::kRead);
    return read && read->latest_run()->run_id == "run-1" ? 0 : 4;
  });
  const int code = child.finish();
  if (code == 77) GTEST_SKIP() << "cannot drop privileges";
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace hitmark
