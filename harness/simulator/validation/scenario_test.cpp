// The windows against machines that are small enough to be simulated in full, and the parts against what the code says.
#include "harness/simulator/validation/scenario.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "harness/simulator/validation/scenario_arithmetic.hpp"
#include "kernels/memcg/simulation.hpp"

namespace hitmark::simulator {
namespace {

// Two CCXs of four cores, one thread each; its own CPUs make the flush threshold, 512 updates.
ScenarioSetting eight_cpus(unsigned pressure_lines) {
  ScenarioSetting setting;
  setting.machine.sockets = setting.machine.quadrants = setting.machine.threads_per_core = 1;
  setting.machine.ccxs_per_quadrant = 2;
  setting.load.os_cpus = all_cpus(setting.machine);
  setting.load.pressure_lines = pressure_lines;
  setting.load.pairs_per_second = 200'000;
  setting.precision = 0.005;
  setting.most_batches = 40;
  return setting;
}

const InstructionTable& table() {
  static const InstructionTable built_in = *InstructionTable::built_in();
  return built_in;
}

struct InFull {
  CallCosts costs;
  double calls = 0;  // between two flushes, all CPUs
};

// `flushes` periods of `pairs` pairs of each CPU after the statistics are saturated, all of it simulated.
InFull simulate_in_full(const Variant& variant, const ScenarioSetting& setting, unsigned flushes, unsigned pairs) {
  std::vector<bool> shared;
  for (;;) {
    auto arm = ScenarioArm::create(setting.machine, variant, setting.load, table(), shared);
    EXPECT_TRUE(arm);
    (*arm)->fast_forward();
    PairTally all;
    InFull result;
    bool sound = (*arm)->run(4) != nullptr;
    for (unsigned i = 0; sound && i < flushes; ++i) {
      const auto flush = (*arm)->run_flush(pairs);
      if (!(sound = flush != nullptr)) break;
      all += flush->tally;
      result.calls += static_cast<double>(flush->calls) / flushes;
    }
    result.costs = costs_of(all, **arm);
    if (sound) return result;
    shared = (*arm)->shared_lines();
  }
}

class WeightedWindows : public testing::TestWithParam<const char*> {};

TEST_P(WeightedWindows, AgreeWithASmallMachineSimulatedInFull) {
  const Variant& variant = memcg::variant_named(GetParam());
  const ScenarioSetting setting = eight_cpus(64);
  const auto phases = simulate_phases(variant, setting, table());
  ASSERT_TRUE(phases) << phases.error().message;
  for (const unsigned pairs : {20u, 150u}) {
    const InFull full = simulate_in_full(variant, setting, 40, pairs);
    const double interval = full.calls / phases->calls_per_second;
    const CallCosts weighted = phases->costs(interval);
    EXPECT_NEAR(weighted.charge / full.costs.charge, 1, 0.02) << pairs;
    EXPECT_NEAR(weighted.uncharge / full.costs.uncharge, 1, 0.02) << pairs;
    if (full.costs.rstat > 0) {
      EXPECT_NEAR(weighted.rstat / full.costs.rstat, 1, 0.02) << pairs;
    }
    // What is compared does depend on the share: with nearly no flushes it is something else.
    if (phases->steady.saturated) {
      EXPECT_GT(std::abs(phases->costs(100 * interval).uncharge / full.costs.uncharge - 1), 0.02);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, WeightedWindows, testing::Values("percall7", "packed6"));

TEST(Scenario, WithoutPressureACallCostsItsOwnInstructions) {
  ScenarioSetting setting = eight_cpus(0);
  const double cycles = 1 / setting.machine.core.instructions_per_cycle;
  const auto window = steady_window(memcg::variant_named("packed6"), setting, table());
  ASSERT_TRUE(window) << window.error().message;
  EXPECT_FALSE(window->saturated);  // batched counts of pairs never reach the statistics
  EXPECT_EQ(window->exact, 1);
  EXPECT_NEAR(window->costs.charge, 37 * cycles,
              1e-6);  // charge() on a hit in slot 0, kernels/codegen/README.md less 7
  EXPECT_NEAR(window->costs.uncharge, 46 * cycles, 1e-6);
  EXPECT_EQ(window->costs.rstat, 0);
  const auto baseline = steady_window(memcg::variant_named("percall7"), setting, table());
  ASSERT_TRUE(baseline);
  EXPECT_TRUE(baseline->saturated);
  EXPECT_NEAR(baseline->costs.rstat, 15 * cycles, 1e-6);
  EXPECT_NEAR(baseline->costs.charge, (24 + 33) * cycles, 1e-6);  // charge() and mod_memcg_state() when saturated
}

TEST(Scenario, PressureBeyondTheCachesMakesCallsWait) {
  const Variant& variant = memcg::variant_named("percall7");
  const auto on_one_cpu = [&](unsigned lines) {
    ScenarioSetting setting = eight_cpus(lines);
    setting.load.os_cpus = {0};
    setting.load.pairs_per_second = 0;
    setting.precision = 0.05;
    return steady_window(variant, setting, table());
  };
  const auto without = on_one_cpu(0), with = on_one_cpu(12'000);  // 750 KiB, beyond the L2
  ASSERT_TRUE(without && with);
  EXPECT_GT(with->costs.charge, 1.1 * without->costs.charge);
}

TEST(Scenario, IsTheSameEachTime) {
  const Variant& variant = memcg::variant_named("percall7");
  const auto one = flush_window(variant, eight_cpus(16), table()),
             other = flush_window(variant, eight_cpus(16), table());
  ASSERT_TRUE(one && other);
  EXPECT_EQ(one->window.costs.charge, other->window.costs.charge);
  EXPECT_EQ(one->seconds, other->seconds);
  ScenarioSetting setting = eight_cpus(16);
  setting.load.seed = 2;
  const auto third = flush_window(variant, setting, table());
  ASSERT_TRUE(third);
  EXPECT_NE(one->seconds, third->seconds);
}

// In lockstep every body goes on in the order of simulated time; running ahead, one that asked too early whether the
// flush is over would make other windows. Without a statistic that saturates nothing but that question orders the
// bodies.
class InLockstep : public testing::TestWithParam<const char*> {};

TEST_P(InLockstep, WindowsAreTheSame) {
  const Variant& variant = memcg::variant_named(GetParam());
  ScenarioSetting ahead = eight_cpus(16), lockstep = eight_cpus(16);
  ahead.most_batches = lockstep.most_batches = 4;
  lockstep.load.run_ahead = false;
  const auto one = flush_window(variant, ahead, table()), other = flush_window(variant, lockstep, table());
  ASSERT_TRUE(one && other);
  EXPECT_EQ(one->window.costs.charge, other->window.costs.charge);
  EXPECT_EQ(one->seconds, other->seconds);
  EXPECT_EQ(one->calls, other->calls);
  EXPECT_EQ(one->accumulating, other->accumulating);
  EXPECT_EQ(one->window.late, other->window.late);
  EXPECT_GE(one->seconds, one->flush_seconds) << "no window ends before its flush";
}

INSTANTIATE_TEST_SUITE_P(Every, InLockstep, testing::Values("percall7", "packed6"));

// More than the threshold is needed, every CPU starts from zero, and the flusher takes away what came meanwhile.
TEST(Scenario, SaturationTakesMoreUpdatesThanTheThreshold) {
  const auto flush = flush_window(memcg::variant_named("percall7"), eight_cpus(0), table());
  ASSERT_TRUE(flush);
  EXPECT_GT(flush->accumulating, 512);
  EXPECT_LT(flush->accumulating, 2 * 512 + 200);
}

TEST(Scenario, PartsAreKnownByTheirFields) {
  EXPECT_EQ(part_of("memcg_stock", 0), Part::kStock);
  EXPECT_EQ(part_of("per-CPU area", 0), Part::kNext);
  EXPECT_EQ(part_of("vmstats[g0.m0]", 1704), Part::kStatistics);
  EXPECT_EQ(part_of("vmstats_percpu[g0.m0]", 296), Part::kStatistics);
  EXPECT_EQ(part_of("mem_cgroup[g0.m0]", offsetof(memcg::MemCgroup, vmstats_percpu)), Part::kStatistics);
  EXPECT_EQ(part_of("mem_cgroup[g0.m0]", offsetof(memcg::CgroupSubsysState, rstat_cpu)), Part::kRstat);
  EXPECT_EQ(part_of("mem_cgroup[g0.m0]", offsetof(memcg::MemCgroup, memory)), Part::kSlow);
  EXPECT_EQ(part_of("css_rstat_cpu[root]", 16), Part::kRstat);
  EXPECT_EQ(part_of("globals", offsetof(memcg::Globals, nr_online_cpus)), Part::kStatistics);
  EXPECT_EQ(part_of("globals", offsetof(memcg::Globals, low)), Part::kStock);
}

TEST(Scenario, WhoseTheStockIsDependsOnInlining) {
  EXPECT_TRUE(is_own(memcg::variant_named("packed6"), Part::kStock));
  EXPECT_FALSE(is_own(memcg::variant_named("packed6-outline"), Part::kStock));
  EXPECT_FALSE(is_own(memcg::variant_named("percall7"), Part::kStock));
  EXPECT_TRUE(is_own(memcg::variant_named("percall7"), Part::kStatistics));
  EXPECT_FALSE(is_own(memcg::variant_named("packed6"), Part::kRstat));
}

TEST(Scenario, AFunctionBelongsToOnePart) {
  EXPECT_EQ(part_of_function("charge", "charge"), Part::kStatistics);
  EXPECT_EQ(part_of_function("charge", "uncharge"), Part::kSlow);
  EXPECT_EQ(part_of_function("mod_memcg_state", "uncharge"), Part::kStatistics);
  EXPECT_EQ(part_of_function("css_rstat_updated", "charge"), Part::kRstat);
  EXPECT_EQ(part_of_function("try_charge", "charge"), Part::kStock);
  EXPECT_EQ(part_of_function("refill_pages", "uncharge"), Part::kStock);
  EXPECT_EQ(part_of_function("page_counter_try_charge", "charge"), Part::kSlow);
}

}  // namespace
}  // namespace hitmark::simulator
