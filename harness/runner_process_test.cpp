#include "harness/runner_process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

namespace hitmark {
namespace {

using ::testing::HasSubstr;

Result<void> shell(const std::string& script, const std::atomic<bool>* stop = nullptr) {
  return run_process("/bin/sh", {"-c", script}, stop);
}

TEST(RunProcess, CompleteAndInterruptedAreGoodEnds) {
  EXPECT_TRUE(shell("exit 0"));
  const std::atomic<bool> stop{true};
  EXPECT_TRUE(shell("exit " + std::to_string(kInvocationInterrupted), &stop));
}

TEST(RunProcess, AnInvocationThatWasToldToStopAloneIsNoGoodEnd) {
  const std::atomic<bool> stop{false};
  const auto alone = shell("exit " + std::to_string(kInvocationInterrupted), &stop);
  ASSERT_FALSE(alone);
  EXPECT_THAT(alone.error().message, HasSubstr("signal to it alone"));
}

TEST(RunProcess, AnyOtherEndIsAnErrorThatSaysWhich) {
  const auto failed = shell("exit 3");
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("status 3"));
  const auto killed = shell("kill -9 $$");
  ASSERT_FALSE(killed);
  EXPECT_THAT(killed.error().message, HasSubstr("signal 9 (Killed)"));
  const auto missing = run_process("/nonexistent/program", {}, nullptr);
  ASSERT_FALSE(missing);
}

// The child asks us to stop and waits to be told: a signal that is not passed on would hang this test.
TEST(RunProcess, PassesTheSignalOn) {
  const StopOnSignals signals(false);
  EXPECT_TRUE(shell("trap 'exit 75' TERM; kill -INT $PPID; while :; do sleep 0.01; done", signals.flag()));
  EXPECT_TRUE(*signals.flag());
}

TEST(StopOnSignals, ASecondSignalEndsOnlyTheImpatient) {
  {
    const StopOnSignals signals(true);
    EXPECT_FALSE(*signals.flag());
    ::raise(SIGINT);
    ::raise(SIGTERM);
    EXPECT_TRUE(*signals.flag());
  }
  EXPECT_EXIT(
      {
        const StopOnSignals signals(false);
        ::raise(SIGINT);
        ::raise(SIGINT);
      },
      ::testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace hitmark
