#include "harness/native/core_to_core.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include "harness/native/tsc.hpp"

namespace hitmark::native {
namespace {

using testing::HasSubstr;

std::vector<int> usable_cpus() {
  cpu_set_t set;
  ::sched_getaffinity(0, sizeof set, &set);
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  return cpus;
}

class CoreToCoreOnHost : public testing::TestWithParam<CoreToCoreKind> {
 protected:
  void SetUp() override {
    if (cpus.size() < 2) GTEST_SKIP() << "one CPU only";
    const auto ticks = tsc_ticks_per_second();
    if (!ticks) GTEST_SKIP() << ticks.error().message;
    options.kind = GetParam();
    options.ticks_per_second = *ticks;
    options.samples = 4;
    options.flips = 10;
  }
  std::vector<int> cpus = usable_cpus();
  CoreToCoreOptions options;
};

TEST_P(CoreToCoreOnHost, GivesPlausibleTimesOrSaysThatItWasDisturbed) {
  auto lines = CoreToCore::create(kAnyNode, false);
  ASSERT_TRUE(lines) << lines.error().message;
  const auto ns = lines->measure(cpus[0], cpus[1], options);
  if (!ns) {
    EXPECT_THAT(ns.error().message, HasSubstr("were disturbed"));
    return;
  }
  EXPECT_THAT(*ns, testing::Each(testing::Gt(0.1))) << "less than a cycle";
}

TEST_P(CoreToCoreOnHost, DisturbedSamplesAreNotUsed) {
  options.probe.involuntary_switches = [] {
    static thread_local std::uint64_t switches = 0;
    return ++switches;
  };
  auto lines = CoreToCore::create(kAnyNode, false);
  const auto ns = lines->measure(cpus[0], cpus[1], options);
  ASSERT_FALSE(ns);
  EXPECT_THAT(ns.error().message, HasSubstr("only 0 of 4 samples"));
}

TEST_P(CoreToCoreOnHost, StopsAtItsLimit) {
  options.limit = std::chrono::milliseconds(0);
  options.samples = 1000000;
  const auto ns = CoreToCore::create(kAnyNode, false)->measure(cpus[0], cpus[1], options);
  EXPECT_FALSE(ns) << "one sample of a million";
}

INSTANTIATE_TEST_SUITE_P(Of, CoreToCoreOnHost, testing::Values(CoreToCoreKind::kHandOff, CoreToCoreKind::kDirtyLoad));

TEST(CoreToCore, RefusesACpuThatIsNotThere) {
  EXPECT_FALSE(CoreToCore::create(kAnyNode, false)->measure(0, 1 << 19, {}));
}

TEST(CoreToCore, AHomeThatIsNotThereIsAnError) { EXPECT_FALSE(CoreToCore::create(1023, true)) << "no such node"; }

}  // namespace
}  // namespace hitmark::native
