#include "harness/counters/known_work.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>

namespace hitmark {
namespace {

rusage thread_usage() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return usage;
}

// The kernel's own count of the same work, between start and stop.
TEST(KnownWork, TouchesAsManyPagesAsItSays) {
  long before = 0, after = 0;
  const WorkDone done = do_known_work(
      KnownWork::kTouchPages, [&] { before = thread_usage().ru_minflt; }, [&] { after = thread_usage().ru_minflt; });
  EXPECT_EQ(done.expected, kKnownPages);
  EXPECT_GE(static_cast<double>(after - before), done.low);
  EXPECT_LE(static_cast<double>(after - before), done.high);
}

TEST(KnownWork, BlocksAndSaysHowOften) {
  long before = 0, after = 0;
  const WorkDone done = do_known_work(
      KnownWork::kBlock, [&] { before = thread_usage().ru_nvcsw + thread_usage().ru_nivcsw; },
      [&] { after = thread_usage().ru_nvcsw + thread_usage().ru_nivcsw; });
  ASSERT_TRUE(done.possible) << done.obstacle;
  EXPECT_GE(done.expected, 1);
  EXPECT_GE(static_cast<double>(after - before), done.low);
}

TEST(KnownWork, MigratesAndLeavesTheAffinityAsItWas) {
  cpu_set_t before, after;
  ::sched_getaffinity(0, sizeof before, &before);
  int first = -1;
  const WorkDone done = do_known_work(
      KnownWork::kMigrate, [&] { first = ::sched_getcpu(); }, [] {});
  ::sched_getaffinity(0, sizeof after, &after);
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
  EXPECT_EQ(done.possible, CPU_COUNT(&before) > 1);
  if (done.possible) {
    EXPECT_TRUE(CPU_ISSET(first, &before));
  }
}

TEST(KnownWork, OfOneCpuSaysWhatIsImpossible) {
  cpu_set_t before, one;
  ::sched_getaffinity(0, sizeof before, &before);
  CPU_ZERO(&one);
  CPU_SET(::sched_getcpu(), &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  const WorkDone done = do_known_work(
      KnownWork::kMigrate, [] {}, [] {});
  ::sched_setaffinity(0, sizeof before, &before);
  EXPECT_FALSE(done.possible);
  EXPECT_STREQ(done.obstacle, "one CPU is allowed, so nothing can be made to migrate");
}

TEST(KnownWork, BoundsEncloseWhatIsExpected) {
  for (const KnownWork work : {KnownWork::kTouchPages, KnownWork::kLoopInstructions, KnownWork::kCpuTime}) {
    const WorkDone done = do_known_work(
        work, [] {}, [] {});
    EXPECT_GT(done.expected, 0);
    EXPECT_LE(done.low, done.expected);
    EXPECT_GE(done.high, done.expected);
  }
  const WorkDone cycles = do_known_work(
      KnownWork::kLoopCycles, [] {}, [] {});
  EXPECT_GT(cycles.low, 0);
  EXPECT_GT(cycles.high, kKnownIterations / 10.0);
}

}  // namespace
}  // namespace hitmark
