#include "harness/counters/child_process.hpp"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <thread>

namespace hitmark {
namespace {

using testing::HasSubstr;

const std::string kHelpers = "testdata/likwid_helpers/";

void expect_no_child_left() {
  errno = 0;
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD) << "a child was not reaped";
}

TEST(ChildProcess, TalksLineByLine) {
  {
    auto child = ChildProcess::execute(kHelpers + "works", "helper");
    ASSERT_TRUE(child);
    ASSERT_TRUE(child->write_line("init 0"));
    EXPECT_EQ(*child->read_line(deadline_in(60)), "ok");
    ASSERT_TRUE(child->write_line("read"));
    EXPECT_EQ(*child->read_line(deadline_in(60)), "values 1000 500");
  }
  expect_no_child_left();
}

TEST(ChildProcess, SaysHowAProgramCannotBeStarted) {
  const auto missing = ChildProcess::execute("/nonexistent/helper", "helper");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "helper cannot be started: /nonexistent/helper: No such file or directory");
  const auto denied = ChildProcess::execute(kHelpers + "not_executable", "helper");
  ASSERT_FALSE(denied);
  EXPECT_THAT(denied.error().message, HasSubstr("Permission denied"));
  EXPECT_EQ(denied.error().kind, ErrorKind::kDenied);
  expect_no_child_left();
}

TEST(ChildProcess, ReportsADeathWithItsLastWords) {
  auto child = ChildProcess::execute(kHelpers + "dies", "helper");
  ASSERT_TRUE(child);
  ASSERT_TRUE(child->write_line("init 0"));
  const auto line = child->read_line(deadline_in(60));
  ASSERT_FALSE(line);
  EXPECT_THAT(
      line.error().message,
      HasSubstr("helper ended with exit status 1: No such file or directory; Exiting due to timeout: The socket"));
  expect_no_child_left();
}

TEST(ChildProcess, TellsADeathWhenItIsSpokenTo) {
  auto child = ChildProcess::execute("/bin/false", "helper");
  ASSERT_TRUE(child);
  Result<void> sent = child->write_line("init 0");  // may still reach its buffer
  while (sent) sent = child->write_line("init 0");
  EXPECT_EQ(sent.error().message, "helper ended with exit status 1");
}

TEST(ChildProcess, OutlivesADeafOne) {
  auto child = ChildProcess::execute(kHelpers + "deaf", "helper");
  ASSERT_TRUE(child);
  EXPECT_FALSE(child->read_line(deadline_in(60)));  // it has closed its output by now
  EXPECT_FALSE(child->write_line("init 0"));        // an error, not a SIGPIPE
}

TEST(ChildProcess, EndsAHangingOneWithAllItStarted) {
  const std::string pid_file = testing::TempDir() + "hitmark_hangs_pid" + std::to_string(::getpid());
  ::unlink(pid_file.c_str());
  ::setenv("HITMARK_TEST_PID_FILE", pid_file.c_str(), 1);
  pid_t grandchild = 0;
  {
    auto child = ChildProcess::execute(kHelpers + "hangs", "helper");
    ASSERT_TRUE(child);
    while (!(std::ifstream(pid_file) >> grandchild)) std::this_thread::yield();
    const auto line = child->read_line(deadline_in(0.01));
    ASSERT_FALSE(line);
    EXPECT_EQ(line.error().message, "helper did not answer within its deadline: waiting for the daemon");
  }
  expect_no_child_left();
  // It is init's now, or gone: dead either way. A zombie still answers kill(pid, 0), so ask its state.
  for (;;) {
    std::ifstream stat("/proc/" + std::to_string(grandchild) + "/stat");
    std::string pid, name, state;
    if (!(stat >> pid >> name >> state) || state == "Z" || state == "X") break;
    std::this_thread::yield();
  }
}

TEST(ChildProcess, GivesUpOnAnEndlessLine) {
  auto child = ChildProcess::execute(kHelpers + "endless", "helper");
  ASSERT_TRUE(child);
  const auto line = child->read_line(deadline_in(60));
  ASSERT_FALSE(line);
  EXPECT_THAT(line.error().message, HasSubstr("sent something that is no line"));
}

TEST(ChildProcess, RunsAFunctionThatMayDoAnything) {
  auto answers = ChildProcess::call([](int fd) { [[maybe_unused]] auto put = ::write(fd, "hello\n", 6); }, "function");
  ASSERT_TRUE(answers);
  EXPECT_EQ(*answers->read_line(deadline_in(60)), "hello");
  EXPECT_THAT(answers->read_line(deadline_in(60)).error().message, HasSubstr("function ended with exit status 0"));

  auto exits = ChildProcess::call([](int) { ::_exit(7); }, "function");
  EXPECT_THAT(exits->read_line(deadline_in(60)).error().message, HasSubstr("exit status 7"));
  auto killed = ChildProcess::call([](int) { ::raise(SIGKILL); }, "function");
  EXPECT_THAT(killed->read_line(deadline_in(60)).error().message, HasSubstr("ended by signal Killed"));
  auto hangs = ChildProcess::call([](int) { ::pause(); }, "function");
  EXPECT_THAT(hangs->read_line(deadline_in(0.01)).error().message, HasSubstr("did not answer"));
}

TEST(ChildProcess, PrintsNothingOfOursTwice) {
  const std::string path = testing::TempDir() + "hitmark_printed_once" + std::to_string(::getpid());
  std::FILE* file = std::fopen(path.c_str(), "w");
  std::fputs("once\n", file);  // still in the buffer
  {
    auto child = ChildProcess::call([](int) { std::fflush(nullptr); }, "function");
    EXPECT_FALSE(child->read_line(deadline_in(60)));
  }
  std::fclose(file);
  std::ifstream printed(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(printed), {}), "once\n");
}

}  // namespace
}  // namespace hitmark
