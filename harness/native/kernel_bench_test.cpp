// Every registered variant natively on two CPUs, with all events on: its invariants hold afterwards, and under
// the preset tsan there is no race but the intended ones.
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>

#include "harness/native/native_bench.hpp"

namespace hitmark::native {
namespace {

struct Mode {
  const char* name;
  bool split;
  unsigned memcgs;
  std::uint64_t drain_period, limit_pages;
  RefillRule refill;
};
const Mode kModes[] = {
    {"paired", false, 1, 0, 0, {}},         {"pairedDrained", false, 8, 300, 0, {RefillRule::Kind::kWatermark, 0}},
    {"pairedLimited", false, 2, 0, 40, {}}, {"split", true, 1, 0, 0, {RefillRule::Kind::kWatermark, 32}},
    {"splitDrained", true, 7, 300, 0, {}},
};

bool has(std::span<const Operation> operations, std::string_view name) {
  return std::ranges::find(operations, name, &Operation::name) != operations.end();
}

// Of every variant whose family has what the mode needs; "paired" needs nothing, so no variant is left out of all.
std::vector<Arm> arms_of_every_variant(const Mode& mode) {
  std::vector<Arm> arms;
  for (const Variant& variant : Registry<Variant>::instance().all()) {
    if (mode.split && !has(variant.operations, "charge")) continue;
    if (mode.drain_period > 0 && !has(variant.events, "drain")) continue;
    arms.push_back({{std::string(variant.name), ArmRole::kVariant, std::string(variant.name), {}}, &variant});
  }
  return arms;
}

std::vector<int> every_arm_twice(const Plan& plan) {
  std::vector<int> order;
  for (std::size_t i = 0; i < 2 * plan.arms.size(); ++i) order.push_back(static_cast<int>(i % plan.arms.size()));
  return order;
}

class KernelBenchTest : public ::testing::TestWithParam<Mode> {};

TEST_P(KernelBenchTest, LeavesEveryVariantInAValidState) {
  const Mode& mode = GetParam();
  cpu_set_t set;
  Condition condition;
  condition.record.name = mode.name;
  ASSERT_EQ(::sched_getaffinity(0, sizeof set, &set), 0);
  for (int cpu = 0; cpu < CPU_SETSIZE && condition.placement.cpus.size() < 2; ++cpu)
    if (CPU_ISSET(cpu, &set)) condition.placement.cpus.push_back(cpu);
  if (condition.placement.cpus.size() < 2) GTEST_SKIP() << "needs two CPUs";
  condition.operations_per_slice = 3000;
  Workload& workload = condition.workload;
  workload.split = mode.split;
  workload.memcgs = mode.memcgs;
  workload.drain_period = mode.drain_period;
  workload.limit_pages = mode.limit_pages;
  workload.refill = mode.refill;
  workload.flush_period = 700;
  workload.read_period = 1100;

  Plan plan;
  plan.arms = arms_of_every_variant(mode);
  ASSERT_GE(plan.arms.size(), 2u) << "no variants are linked";
  NativeBenchOptions options;
  options.arena.cpu_nodes = {kAnyNode, kAnyNode};
  options.arena.must_bind = false;
  auto bench = NativeBench::create(plan, condition, options);
  ASSERT_TRUE(bench) << bench.error().message;
  for (int block = 0; block < 3; ++block) {
    const auto done = (*bench)->run({.block = block, .order = every_arm_twice(plan)});
    ASSERT_TRUE(done) << done.error().message;
    const auto valid = (*bench)->check();
    ASSERT_TRUE(valid) << valid.error().message;
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, KernelBenchTest, ::testing::ValuesIn(kModes),
                         [](const auto& mode) { return std::string(mode.param.name); });

}  // namespace
}  // namespace hitmark::native
