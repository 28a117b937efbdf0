#include "harness/simulator/sim_arm.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/native/event_clock.hpp"
#include "harness/simulator/toy_family.hpp"
#include "kernels/memcg/simulation.hpp"

namespace hitmark::simulator {
namespace {

using ::testing::HasSubstr;

Arm arm_of(const Variant& variant) { return {{std::string(variant.name), ArmRole::kVariant, "", {}}, &variant}; }

std::unique_ptr<SimArm> set_up(const Variant& variant, const Workload& workload, std::vector<unsigned> cpus,
                               bool run_ahead = true, std::optional<InstructionTable> table = std::nullopt) {
  SimArmOptions options;
  options.arena.os_cpus = std::move(cpus);
  options.instructions = table ? *table : toy::instructions();
  options.run_ahead = run_ahead;
  auto arm = SimArm::set_up(MachineModel{}, arm_of(variant), workload, options);
  EXPECT_TRUE(arm) << (arm ? "" : arm.error().message);
  return arm ? std::move(*arm) : nullptr;
}

Workload quiet() {
  Workload workload;
  workload.flush_period = 0;
  return workload;
}

double sum(const std::vector<Picoseconds>& chunks) {
  double all = 0;
  for (const Picoseconds each : chunks) all += static_cast<double>(each);
  return all;
}

double invalidations(const StretchLog& log) {
  double all = 0;
  for (const Engine::Row& row : log.traffic) all += static_cast<double>(row.traffic.invalidations_suffered);
  return all;
}

TEST(SimArm, APrivateOperationCostsItsInstructions) {
  const auto arm = set_up(toy::private_variant(), quiet(), {0, 4});
  arm->run({.operations = 64});  // warm
  const StretchLog log = arm->run({.operations = 1000, .chunk = 100});
  const CoreModel core;
  const double cycles = (toy::kInstructions + 6) / core.instructions_per_cycle;
  ASSERT_EQ(log.chunks.size(), 2u);
  ASSERT_EQ(log.chunks[1].size(), 10u);
  for (const auto& chunks : log.chunks) EXPECT_NEAR(sum(chunks) * core.ghz / 1e6, cycles, 0.01 * cycles);
  EXPECT_EQ(invalidations(log), 0);
}

// What is counted are the operations whose time is told: their time is that of their instructions and what each word
// has stalled its CPU for.
TEST(SimArm, TellsTimeAndTrafficOfTheSameOperations) {
  for (const bool run_ahead : {true, false}) {
    const auto arm = set_up(toy::contended_variant(), quiet(), {0, 1, 64}, run_ahead);
    const StretchLog log = arm->run({.operations = 320, .chunk = 64, .untold = 128, .jitter_seed = 3});
    const CoreModel core;
    // Of two accesses, twice what the measured path of one has.
    const double instructions = 192 * (2 * toy::kInstructions + 6) / core.instructions_per_cycle / core.ghz * 1000;
    double stall[3] = {}, locked[3] = {}, gained = 0;
    for (const Engine::Row& row : log.traffic) {
      stall[row.cpu] += static_cast<double>(row.traffic.stall);
      locked[row.cpu] += static_cast<double>(row.traffic.locked);
      gained += static_cast<double>(row.traffic.ccx_dirty + row.traffic.cross_socket);
    }
    for (std::size_t cpu = 0; cpu < 3; ++cpu) {
      ASSERT_EQ(log.chunks[cpu].size(), 3u);
      EXPECT_EQ(locked[cpu], 192) << cpu;
      EXPECT_NEAR(sum(log.chunks[cpu]), instructions + stall[cpu], 200) << cpu;
    }
    EXPECT_GT(gained, 3 * 192 / 2);
  }
}

TEST(SimArm, TwoThreadsOfACoreShareItsInstructions) {
  const auto arm = set_up(toy::private_variant(), quiet(), {0, 128});
  arm->run({.operations = 64});
  const StretchLog log = arm->run({.operations = 1000});
  const CoreModel core;
  const double cycles = (toy::kInstructions + 6) / core.instructions_per_cycle / core.smt_share;
  EXPECT_NEAR(sum(log.chunks[0]) * core.ghz / 1e6, cycles, 0.05 * cycles);
}

TEST(SimArm, AContendedLineIsTakenAwayOncePerOperation) {
  const auto arm = set_up(toy::contended_variant(), quiet(), {0, 64});
  arm->run({.operations = 64});
  const StretchLog log = arm->run({.operations = 2000});
  // Neither can do two in a row: the other's request has been waiting since its own last one.
  EXPECT_NEAR(invalidations(log) / 4000, 1.0, 0.01);
  const double ns = sum(log.chunks[0]) / 2000 / 1000;
  EXPECT_GT(ns, 2 * 200);  // two hand-offs between sockets to each operation
  EXPECT_LT(ns, 2 * 300);
}

TEST(SimArm, SurprisesChangeNothingButTheirNumber) {
  const auto ahead = set_up(toy::contended_variant(), quiet(), {0, 4, 64}),
             lockstep = set_up(toy::contended_variant(), quiet(), {0, 4, 64}, false);
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Stretch stretch{.operations = 100, .jitter_seed = seed};
    EXPECT_EQ(ahead->run(stretch).chunks, lockstep->run(stretch).chunks) << seed;
  }
  EXPECT_EQ(ahead->digest(), lockstep->digest());
  EXPECT_GT(ahead->surprises(), 0u);
  EXPECT_EQ(lockstep->surprises(), 0u);
}

TEST(SimArm, KnownLinesSaveSurprises) {
  const auto first = set_up(toy::contended_variant(), quiet(), {0, 4});
  const StretchLog log = first->run({.operations = 100});
  ASSERT_GT(first->surprises(), 0u);
  SimArmOptions options;
  options.arena.os_cpus = {0, 4};
  options.instructions = toy::instructions();
  options.shared_lines = first->shared_lines();
  const auto second = SimArm::set_up(MachineModel{}, arm_of(toy::contended_variant()), quiet(), options);
  ASSERT_TRUE(second);
  EXPECT_EQ((*second)->run({.operations = 100}).chunks, log.chunks);
  EXPECT_EQ((*second)->surprises(), 0u);
}

TEST(SimArm, JitterMovesTheCpusAgainstEachOther) {
  const auto time = [](std::uint64_t seed) {
    const auto arm = set_up(toy::contended_variant(), quiet(), {0, 4});
    return arm->run({.operations = 20, .chunk = 1, .jitter_seed = seed}).chunks;
  };
  EXPECT_EQ(time(1), time(1));
  EXPECT_NE(time(1), time(2));
}

// The same arm on this host's event clock, with a clock that stands still.
std::vector<toy::Event> native_events(const Workload& workload, const std::vector<std::uint64_t>& slices) {
  static std::vector<toy::Event>* log = nullptr;
  static std::uint64_t operations = 0;
  std::vector<toy::Event> events;
  log = &events;
  operations = 0;
  struct Still {
    static std::uint64_t start() { return 0; }
    static std::uint64_t stop() { return 0; }
    static std::uint64_t nanoseconds() { return 0; }
  };
  native::ArmOnCpu arm;
  void* object = nullptr;
  arm.loop.operation = [](void*, void*, unsigned) { ++operations; };
  arm.loop.objects = &object;
  arm.driver = native::run_bare;
  const auto add = [&](native::NativeOperation run, std::uint64_t period) {
    if (period > 0) arm.events.push_back({run, period});
  };
  add([](void*, void*, unsigned) { log->push_back({'d', operations}); }, workload.drain_period);
  add([](void*, void*, unsigned) { log->push_back({'f', operations}); }, workload.flush_period);
  add([](void*, void*, unsigned) { log->push_back({'r', operations}); }, workload.read_period);
  for (const std::uint64_t slice : slices) native::advance(arm, slice, Still{});
  return events;
}

TEST(SimArm, EventsHappenAtTheSameOperationsAsNatively) {
  Workload workload;
  workload.drain_period = 40;
  workload.flush_period = 100;
  workload.read_period = 50;
  const std::vector<std::uint64_t> slices = {7, 256, 100, 1, 399};
  const auto arm = set_up(toy::private_variant(), workload, {0, 4});
  std::vector<toy::Event> simulated;
  for (const std::uint64_t slice : slices) arm->run({.operations = slice, .chunk = 64});
  simulated = static_cast<const toy::State*>(arm->state())->events;
  EXPECT_EQ(simulated, native_events(workload, slices));
  EXPECT_EQ(simulated.size(), 763u / 40 + 763 / 100 + 763 / 50);
  // Every CPU looks into its mailbox each 256 operations.
  for (unsigned cpu = 0; cpu < 2; ++cpu) {
    const auto* own = static_cast<const std::uint64_t*>(const_cast<SimArena&>(arm->arena()).percpu_address(cpu, 64));
    EXPECT_EQ(own[0], 763u);
    EXPECT_EQ(own[1], 763u / 256);
  }
}

TEST(SimArm, EventsAreOutsideTheTimeOfOperations) {
  Workload workload;
  workload.flush_period = 10;
  const auto with = set_up(toy::private_variant(), workload, {0}),
             without = set_up(toy::private_variant(), quiet(), {0});
  EXPECT_NEAR(sum(with->run({.operations = 100}).chunks[0]), sum(without->run({.operations = 100}).chunks[0]), 1000);
}

TEST(SimArm, OffTheClockAnEventHappensOnlyWhenAStretchBeginsWithIt) {
  Workload workload;
  workload.flush_period = 10;
  workload.read_period = 5;
  const auto arm = set_up(toy::private_variant(), workload, {0});
  arm->take_off_the_clock(5);
  arm->run({.operations = 11});
  arm->run({.operations = 5, .event_first = 0});
  using E = toy::Event;
  EXPECT_THAT(static_cast<const toy::State*>(arm->state())->events,
              ::testing::ElementsAre(E{'r', 5}, E{'r', 10}, E{'f', 11}, E{'r', 15}));
}

TEST(SimArm, FastForwardDoesWhatRunDoes) {
  const auto fast = set_up(toy::private_variant(), quiet(), {0, 4}),
             slow = set_up(toy::private_variant(), quiet(), {0, 4});
  EXPECT_EQ(fast->fast_forward(1000), 1000u);
  slow->run({.operations = 1000});
  EXPECT_EQ(fast->digest(), slow->digest());
}

TEST(SimArm, PressureIsTouchedBeforeEachOperation) {
  Workload workload = quiet();
  workload.pressure_kib = 1;
  const auto arm = set_up(toy::private_variant(), workload, {0});
  const StretchLog log = arm->run({.operations = 10});
  std::uint64_t loads = 0, stores = 0;
  for (const Engine::Row& row : log.traffic)
    if (arm->arena().find(row.offset).object == "pressure") loads += row.traffic.loads, stores += row.traffic.stores;
  EXPECT_EQ(loads, 160u);
  EXPECT_EQ(stores, 160u);
}

TEST(SimArm, TheEmptyArmHasTheLoopAndNothingElse) {
  SimArmOptions options;
  options.arena.os_cpus = {0};
  Workload workload = quiet();
  workload.memcgs = 2;
  const auto arm = SimArm::set_up(MachineModel{}, {{"empty", ArmRole::kEmpty, "", {}}, nullptr}, workload, options);
  ASSERT_TRUE(arm);
  const StretchLog log = (*arm)->run({.operations = 1000});
  EXPECT_TRUE(log.traffic.empty());
  const CoreModel core;
  EXPECT_NEAR(sum(log.chunks[0]) * core.ghz / 1e6, loop_instructions(workload) / core.instructions_per_cycle, 0.01);
}

TEST(SimArm, RefusesAVariantWithoutInstructionCounts) {
  SimArmOptions options;
  options.arena.os_cpus = {0};
  options.instructions = toy::instructions();
  const auto arm = SimArm::set_up(MachineModel{}, arm_of(memcg::variant_named("percall7")), quiet(), options);
  ASSERT_FALSE(arm);
  EXPECT_THAT(arm.error().message, HasSubstr("sock-charge"));
}

// A variant of the real family: what it does to its memory is what it does in plain memory.
TEST(SimArm, LeavesTheStateThatAPlainTracedRunLeaves) {
  const auto table = InstructionTable::built_in();
  ASSERT_TRUE(table);
  for (const char* name : {"percall7", "packed6"}) {
    const Variant& variant = memcg::variant_named(name);
    Workload workload;
    workload.flush_period = 100;
    workload.memcgs = 9;
    workload.depth = 3;
    const auto arm = set_up(variant, workload, {5}, true, *table);
    for (const unsigned operations : {1u, 130u, 321u}) arm->run({.operations = operations});
    memcg::Simulation plain(variant, workload, 1);
    for (unsigned i = 1; i <= 452; ++i) {
      plain.run("pair", 0, (i - 1) % 9);
      if (i % 100 == 0) plain.run("flush", 0);
    }
    EXPECT_EQ(arm->digest(), variant.digest(plain.state())) << name;
    EXPECT_EQ(arm->violated_invariant(), "");
    plain.run("charge", 0);
    EXPECT_NE(arm->digest(), variant.digest(plain.state())) << "the digest sees one operation more";
  }
}

}  // namespace
}  // namespace hitmark::simulator
