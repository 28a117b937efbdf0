#include "harness/simulator/sim_bench.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "harness/native/overhead.hpp"
#include "harness/simulator/machine_fingerprint.hpp"
#include "harness/simulator/sim_events.hpp"
#include "harness/simulator/toy_family.hpp"

namespace hitmark::simulator {
namespace {

using ::testing::HasSubstr;

Condition condition_of(std::vector<int> cpus, Workload workload = {}) {
  Condition condition;
  condition.record.name = "test";
  condition.placement.cpus = std::move(cpus);
  condition.workload = workload;
  return condition;
}

Plan plan_of() {
  Plan plan;
  plan.seed = 5;
  plan.arms = {{{"private", ArmRole::kBaseline, "private", {}}, &toy::private_variant()},
               {{"contended", ArmRole::kVariant, "contended", {}}, &toy::contended_variant()},
               {{"null:same", ArmRole::kNullSame, "private", {}}, &toy::private_variant()}};
  return plan;
}

SimulatedMachineOptions options_of() {
  SimulatedMachineOptions options;
  options.instructions = toy::instructions();
  options.fields = [](const std::string& type, std::uint64_t offset, unsigned) {
    return type == "hitmark::simulator::toy::Shared" && offset == 0 ? "value" : "";
  };
  return options;
}

std::unique_ptr<Bench> prepare(const Condition& condition, SimulatedMachineOptions options = options_of()) {
  auto machine = make_simulated_machine(MachineModel{}, options);
  EXPECT_TRUE(machine);
  auto bench = (*machine)->prepare(plan_of(), condition);
  EXPECT_TRUE(bench) << (bench ? "" : bench.error().message);
  return bench ? std::move(*bench) : nullptr;
}

BlockRecord block(Bench& bench, int invocation, int number) {
  auto made = bench.run({invocation, number, {0, 2, 1, 1, 2, 0}});
  EXPECT_TRUE(made) << (made ? "" : made.error().message);
  return made ? *made : BlockRecord{};
}

void expect_equal(const BlockRecord& a, const BlockRecord& b) {
  ASSERT_EQ(a.slices.size(), b.slices.size());
  for (std::size_t i = 0; i < a.slices.size(); ++i) {
    EXPECT_EQ(a.slices[i].ticks, b.slices[i].ticks) << i;
    EXPECT_EQ(a.slices[i].event_clock, b.slices[i].event_clock) << i;
  }
  ASSERT_EQ(a.readings.size(), b.readings.size());
  for (std::size_t i = 0; i < a.readings.size(); ++i) EXPECT_EQ(a.readings[i].value, b.readings[i].value) << i;
}

TEST(SimBench, RecordsABlockAsAHostDoes) {
  const auto bench = prepare(condition_of({0, 64}));
  const BlockRecord made = block(*bench, 0, 0);
  ASSERT_EQ(made.slices.size(), 12u);
  const int arms[] = {0, 2, 1, 1, 2, 0};
  for (std::size_t i = 0; i < made.slices.size(); ++i) {
    EXPECT_EQ(made.slices[i].arm, arms[i / 2]);
    EXPECT_EQ(made.slices[i].position, static_cast<int>(i / 2));
    EXPECT_EQ(made.slices[i].cpu, i % 2 == 0 ? 0 : 64);
    EXPECT_EQ(made.slices[i].operations, bench->operations_per_slice());
  }
  // 100 instructions at 2.5 a cycle, and a rare flush.
  EXPECT_NEAR(static_cast<double>(made.slices[0].ticks) / 100'000, 40, 0.5);
  EXPECT_NEAR(static_cast<double>(made.slices[0].nanoseconds) * 3.3, static_cast<double>(made.slices[0].ticks), 5);
  EXPECT_GT(made.slices[4].ticks, 10 * made.slices[0].ticks);
  EXPECT_TRUE(made.discarded.empty());
}

TEST(SimBench, ABlockDependsOnItsNumbersAlone) {
  const auto one = prepare(condition_of({0, 64})), other = prepare(condition_of({0, 64}));
  const BlockRecord first = block(*one, 0, 0), second = block(*one, 0, 1), third = block(*one, 3, 1);
  expect_equal(block(*other, 3, 1), third);
  expect_equal(block(*other, 0, 1), second);
  expect_equal(block(*other, 0, 0), first);
  const auto ticks = [](const BlockRecord& made) { return made.slices[4].ticks; };
  EXPECT_NE(ticks(first), ticks(second)) << "the phase between the CPUs differs";
  EXPECT_NE(ticks(second), ticks(third));
}

TEST(SimBench, LockstepGivesTheSameBlocks) {
  SimulatedMachineOptions lockstep = options_of();
  lockstep.run_ahead = false;
  expect_equal(block(*prepare(condition_of({0, 4})), 1, 0), block(*prepare(condition_of({0, 4}), lockstep), 1, 0));
}

TEST(SimBench, TellsTransfersByFieldAndInAll) {
  const BlockRecord made = block(*prepare(condition_of({0, 64})), 0, 0);
  const auto value = [&](int arm, const std::string& event, const std::string& object, const std::string& field) {
    for (const Reading& reading : made.readings)
      if (reading.arm == arm && reading.event == event && reading.object == object && reading.field == field &&
          reading.cpu < 0) {
        EXPECT_EQ(reading.quality, Quality::kModelled);
        EXPECT_EQ(reading.source, "simulator");
        return *reading.value;
      }
    return -1.0;
  };
  const double operations = 2 * 2 * 100'000;
  EXPECT_EQ(value(1, "operations", "", ""), operations);
  EXPECT_NEAR(value(1, "locks", "", "") / operations, 1, 1e-9);
  EXPECT_NEAR(value(1, "invalidations", "shared", "value") / operations, 1, 0.02);
  EXPECT_NEAR(value(1, "transfers.cross_socket", "shared", "value") / operations, 1, 0.02);
  EXPECT_EQ(value(1, "transfers.cross_socket", "shared", "value"), value(1, "transfers.cross_socket", "", ""));
  EXPECT_EQ(value(0, "transfers.cross_socket", "", ""), 0);
  EXPECT_EQ(value(0, "transfers.cross_socket", "shared", "value"), -1) << "nothing to tell, so not told";
  // The same by CPU.
  double by_cpu = 0;
  std::set<int> cpus;
  for (const Reading& reading : made.readings)
    if (reading.arm == 1 && reading.event == "transfers.cross_socket" && reading.field == "value" && reading.cpu >= 0) {
      by_cpu += *reading.value;
      cpus.insert(reading.cpu);
    }
  EXPECT_NEAR(by_cpu, value(1, "transfers.cross_socket", "shared", "value"), 1e-6 * operations);
  EXPECT_EQ(cpus, (std::set<int>{0, 64}));
  // What each miss waited for is a hand-off across sockets.
  EXPECT_EQ(value(1, "l2.rd_blk_x", "", ""), value(1, "l3.miss", "", "")) << "nothing but the counter is missed";
  EXPECT_GT(value(1, "l3.fill_latency", "", "") / value(1, "l3.miss", "", ""), 500);
  EXPECT_EQ(value(1, "l3.fill_latency", "", ""), value(1, "l2.fill_wait", "", ""));
  EXPECT_EQ(value(1, "hitm.cross_socket", "", ""), value(1, "hitm.true", "", ""));
  EXPECT_EQ(value(1, "hitm.home_local", "", "") + value(1, "hitm.home_remote", "", ""), value(1, "hitm.true", "", ""));
  EXPECT_EQ(value(1, "hitm.ccx", "", ""), 0);
  EXPECT_EQ(value(1, "recalls", "", ""), 0) << "the directory has no limit";
  EXPECT_GE(value(1, "dtlb.walks", "", ""), 0);
  // Zen 2 tells fills by the line's home, which is on one of the two sockets.
  EXPECT_NEAR(value(1, "fills.lcl_cache", "", "") / operations, 0.5, 0.02);
  EXPECT_NEAR(value(1, "fills.rmt_cache", "", "") / operations, 0.5, 0.02);
  EXPECT_GT(operations, 10 * value(1, "operations.simulated", "", ""));
}

TEST(SimBench, SaysWhatItCannotDo) {
  const auto refused = [](const Condition& condition) {
    auto machine = make_simulated_machine(MachineModel{}, options_of());
    auto bench = (*machine)->prepare(plan_of(), condition);
    EXPECT_FALSE(bench);
    return bench ? Error{} : bench.error();
  };
  EXPECT_THAT(refused(condition_of({0, 256})).message, HasSubstr("only CPUs 0 to 255"));
  Workload workload;
  workload.homes = {{"shard", 1}};
  const Error error = refused(condition_of({0}, workload));
  EXPECT_EQ(error.kind, ErrorKind::kUsage);
  EXPECT_THAT(error.message, HasSubstr("did you mean shared"));
  workload = {};
  workload.split = true;
  workload.limit_pages = 100;
  EXPECT_THAT(refused(condition_of({0, 1}, workload)).message, HasSubstr("pages that test has in flight"));
}

TEST(SimBench, AnArmInAForbiddenStateIsAnError) {
  static const Variant broken = [] {
    Variant made = toy::private_variant();
    made.violated_invariant = [](void*) -> std::string { return "the toy is broken"; };
    return made;
  }();
  Plan plan = plan_of();
  plan.arms[1].variant = &broken;
  auto machine = make_simulated_machine(MachineModel{}, options_of());
  auto bench = (*machine)->prepare(plan, condition_of({0}));
  ASSERT_TRUE(bench);
  const auto made = (*bench)->run({0, 0, {0, 1, 2, 2, 1, 0}});
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr("the toy is broken"));
}

TEST(SimBench, TheLoopCostsWhatTheNativeOneDoes) {
#ifdef __clang__
  GTEST_SKIP() << "the simulated loop costs what g++ makes of the native one";
#endif
  const auto measured = native::measure_driver_overhead();
  if (!measured) GTEST_SKIP() << measured.error().message;
  Workload workload;
  EXPECT_EQ(loop_instructions(workload), (*measured)[0].instructions_per_operation);
  workload.memcgs = 2;
  EXPECT_EQ(loop_instructions(workload), (*measured)[1].instructions_per_operation);
  workload.pressure_kib = 1;
  EXPECT_EQ(loop_instructions(workload), (*measured)[2].instructions_per_operation);
}

TEST(Fingerprint, SeesEveryNumber) {
  const MachineModel machine;
  MachineModel other = machine;
  EXPECT_EQ(fingerprint(machine), fingerprint(other));
  other.name = "another";
  EXPECT_EQ(fingerprint(machine), fingerprint(other)) << "a name is no number";
  other.path.r[2] += 1e-9;
  EXPECT_NE(fingerprint(machine), fingerprint(other));
  other = machine;
  other.protocol.migratory = true;
  EXPECT_NE(fingerprint(machine), fingerprint(other));
}

}  // namespace
}  // namespace hitmark::simulator
