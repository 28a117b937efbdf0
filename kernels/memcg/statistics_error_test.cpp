// How far memory.stat may be off before a reader's flush sets it right, by generation: each bound is reached, and one
// update more is seen. Four CPUs charge one memcg; V7's own bound is count_bound_test.cpp's.
#include <gtest/gtest.h>

#include "kernels/memcg/simulation.hpp"
#include "kernels/memory/native_cpu.hpp"

namespace hitmark::memcg {
namespace {

constexpr NativeCpu kCpu;
constexpr unsigned kCpus = 4;

class StatisticsError : public testing::TestWithParam<const char*> {
 protected:
  void every_cpu(const char* operation, unsigned times) {
    for (unsigned cpu = 0; cpu < kCpus; ++cpu)
      for (unsigned i = 0; i < times; ++i) simulation_.run(operation, cpu);
  }
  // What a reader of the memcg's memory.stat is told.
  long shown() {
    simulation_.run("read", 0);
    return kCpu.read_once(kCpu.read(simulation_.memcg(0)->vmstats)->state[kSockItem]);
  }
  long shown_at_root() {
    const MemCgroup* root = simulation_.globals()->setup->memcgs.front();
    return kCpu.read_once(kCpu.read(root->vmstats)->state[kSockItem]);
  }
  Simulation simulation_{variant_named(GetParam()), Workload{}, kCpus};
};

class KeptByItem : public StatisticsError {};  // V0

TEST_P(KeptByItem, AtMost32PagesPerCpu) {
  every_cpu("charge", 32);
  EXPECT_EQ(shown(), 0);
  EXPECT_EQ(kept_pages(simulation_.globals(), simulation_.memcg(0)), 128);
  simulation_.run("charge", 2);
  EXPECT_EQ(shown(), 33);
  EXPECT_EQ(shown_at_root(), 33);
  every_cpu("charge", 1);  // the other three pass theirs on, too
  EXPECT_EQ(shown(), 4 * 33);
  every_cpu("uncharge", 32);  // CPU 2 keeps -31 of its 33 + 1
  EXPECT_EQ(shown(), 4 * 33);
  simulation_.run("uncharge", 0);
  EXPECT_EQ(shown(), 3 * 33);
  EXPECT_EQ(violated_invariant(simulation_.globals()), "");
}

class Unknown : public StatisticsError {};  // V1

TEST_P(Unknown, EveryReaderFlushes) {
  simulation_.run("charge", 3);
  EXPECT_EQ(shown(), 1);
  simulation_.run("charge", 2);
  EXPECT_EQ(shown(), 2);
  EXPECT_EQ(shown_at_root(), 0);  // the memcg's own subtree alone
}

class CallsOfAll : public StatisticsError {};  // V3

TEST_P(CallsOfAll, ABatchPerCpuAndWhatEachHasBegun) {
  every_cpu("charge", 64 + 63);
  EXPECT_EQ(shown(), 0);
  simulation_.run("charge", 1);
  EXPECT_EQ(shown(), 4 * 127 + 1);
  EXPECT_EQ(shown_at_root(), 4 * 127 + 1);  // all is flushed
  EXPECT_EQ(kCpu.read_once(simulation_.globals()->stats_flush_threshold), 0);
}

// A call counts as one, whatever its size: the bound is of calls, not of pages.
TEST_P(CallsOfAll, OfAnySize) {
  for (unsigned i = 0; i < 10; ++i) simulation_.run("charge", 0, 0, 64);
  EXPECT_EQ(shown(), 0);
}

class PagesOfAll : public StatisticsError {};  // V3b

TEST_P(PagesOfAll, ABatchPerCpuAndWhatEachHasBegun) {
  every_cpu("charge", 65 + 64);
  EXPECT_EQ(kCpu.read_once(simulation_.globals()->stats_flush_threshold), 4);
  EXPECT_EQ(shown(), 0);
  simulation_.run("charge", 1);
  EXPECT_EQ(shown(), 4 * 129 + 1);
}

TEST_P(PagesOfAll, LargeUpdatesCountByTheirSize) {
  for (unsigned i = 0; i < 3; ++i) simulation_.run("charge", 0, 0, 130);
  EXPECT_EQ(kCpu.read_once(simulation_.globals()->stats_flush_threshold), 6);
  EXPECT_EQ(shown(), 390);
}

class PagesOfAMemcg : public StatisticsError {};  // V4 and later

TEST_P(PagesOfAMemcg, ABatchPerCpuAndWhatEachHasBegun) {
  every_cpu("charge", 64 + 63);
  EXPECT_EQ(shown(), 0);
  simulation_.run("charge", 1);
  EXPECT_EQ(shown(), 4 * 127 + 1);
  EXPECT_EQ(shown_at_root(), 0);
}

const auto name_of = [](const testing::TestParamInfo<const char*>& tested) {
  return test_name_of(variant_named(tested.param));
};
INSTANTIATE_TEST_SUITE_P(V0, KeptByItem, testing::Values("g0-v0"), name_of);
INSTANTIATE_TEST_SUITE_P(V1, Unknown, testing::Values("g0-v1"), name_of);
INSTANTIATE_TEST_SUITE_P(V3, CallsOfAll, testing::Values("g2-v3"), name_of);
INSTANTIATE_TEST_SUITE_P(V3b, PagesOfAll, testing::Values("g3-v3b"), name_of);
INSTANTIATE_TEST_SUITE_P(V4, PagesOfAMemcg, testing::Values("g3-v4", "g3-v4b", "g5-v4b", "g5-v5", "g4-v5b", "percall7"),
                         name_of);

}  // namespace
}  // namespace hitmark::memcg
