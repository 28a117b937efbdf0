#include "topology/trial_run.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace hitmark {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

TEST(TrialRun, TellsHowTheAttemptEnded) {
  EXPECT_EQ(try_in_child([] { return true; }, hours(1)), TrialOutcome::kPassed);
  EXPECT_EQ(try_in_child([] { return false; }, hours(1)), TrialOutcome::kRefused);
  EXPECT_EQ(try_in_child([]() -> bool { std::abort(); }, hours(1)), TrialOutcome::kCrashed);
  EXPECT_EQ(try_in_child([]() -> bool { ::_exit(7); }, hours(1)), TrialOutcome::kCrashed);
}

TEST(TrialRun, EndsAnAttemptThatSleeps) {
  EXPECT_EQ(try_in_child([]() -> bool { return ::pause() == 0; }, milliseconds(1)), TrialOutcome::kTimedOut);
}

// The deadline is far away: the limit of CPU time ends it.
TEST(TrialRun, EndsAnAttemptThatSpins) {
  const auto spin = []() -> bool {
    for (volatile bool on = true; on;) {
    }
    return true;
  };
  EXPECT_EQ(try_in_child(spin, hours(1)), TrialOutcome::kTimedOut);
}

TEST(TrialRun, IsSilentAndLeavesThisProcessAlone) {
  int value = 1;
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  EXPECT_EQ(try_in_child(
                [&value] {
                  value = 2;
                  std::fputs("noise", stderr);
                  std::puts("noise");
                  return std::fflush(stdout) == 0;
                },
                hours(1)),
            TrialOutcome::kPassed);
  EXPECT_EQ(testing::internal::GetCapturedStderr() + testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(value, 1);
}

}  // namespace
}  // namespace hitmark
