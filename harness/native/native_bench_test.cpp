#include "harness/native/native_bench.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <map>

#include "harness/native/toy_variant.hpp"

namespace hitmark::native {
namespace {

using ::testing::HasSubstr;

std::vector<int> allowed_cpus() {
  cpu_set_t set;
  std::vector<int> cpus;
  if (::sched_getaffinity(0, sizeof set, &set) == 0)
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  return cpus;
}

int where_it_should_be() { return ::sched_getcpu(); }
std::uint64_t never() { return 0; }
std::optional<std::uint64_t> not_said() { return std::nullopt; }
// On a shared host the real probe may rightly discard any block, so tests use one that sees no disturbance.
constexpr PinProbe kCalm{where_it_should_be, never, not_said};

struct Setting {
  int cpus = 2;
  Workload workload = {};
  PinProbe probe = kCalm;
  std::uint64_t operations = 500;
};

class NativeBenchTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (allowed_cpus().size() < 2) GTEST_SKIP() << "needs two CPUs";
  }
  Result<std::unique_ptr<NativeBench>> create(const Setting& setting) {
    plan = {};
    plan.counting = counting;
    plan.arms = {{{"toy", ArmRole::kBaseline, "toy", {}}, &toy::variant()},
                 {{"null:same", ArmRole::kNullSame, "toy", {}}, &toy::variant()},
                 {{"empty", ArmRole::kEmpty, "", {}}, nullptr}};
    Condition condition;
    condition.record.name = "test";
    condition.placement.cpus = allowed_cpus();
    condition.placement.cpus.resize(static_cast<std::size_t>(setting.cpus));
    condition.workload = setting.workload;
    condition.operations_per_slice = setting.operations;
    NativeBenchOptions options;
    options.arena.cpu_nodes.assign(static_cast<std::size_t>(setting.cpus), kAnyNode);
    options.arena.homes = setting.workload.homes;
    options.arena.must_bind = false;
    options.ticks_per_second = 1e9;
    options.probe = setting.probe;
    return NativeBench::create(plan, condition, options);
  }
  void use(const Setting& setting) {
    auto created = create(setting);
    ASSERT_TRUE(created) << created.error().message;
    bench = std::move(*created);
  }
  BlockRecord run(std::vector<int> order = {0, 2, 1, 1, 2, 0}) {
    auto block = bench->run({.invocation = 3, .block = 4, .order = std::move(order)});
    EXPECT_TRUE(block);
    return block ? *block : BlockRecord{};
  }
  toy::State& state(int arm) { return *static_cast<toy::State*>(bench->arm(arm).on(0).loop.state); }

  CountRequest counting;
  Plan plan;
  std::unique_ptr<NativeBench> bench;
};

TEST_F(NativeBenchTest, ABlockHasOneSlicePerPositionAndCpu) {
  use({});
  const BlockRecord block = run();
  EXPECT_EQ(block.invocation, 3);
  EXPECT_EQ(block.block, 4);
  EXPECT_EQ(block.discarded, "");
  ASSERT_EQ(block.slices.size(), 12u);
  const int order[] = {0, 2, 1, 1, 2, 0};
  for (std::size_t i = 0; i < block.slices.size(); ++i) {
    const SliceRecord& slice = block.slices[i];
    EXPECT_EQ(slice.position, static_cast<int>(i / 2));
    EXPECT_EQ(slice.arm, order[i / 2]);
    EXPECT_EQ(slice.cpu, allowed_cpus()[i % 2]);
    EXPECT_EQ(slice.operations, 500u);
    EXPECT_GT(slice.ticks, 0u);
    EXPECT_GT(slice.nanoseconds, 0u);
  }
  EXPECT_TRUE(bench->check());
}

TEST_F(NativeBenchTest, EachArmHasAStateOfItsOwnAndDoesTheSameNumberOfOperations) {
  use({});
  run();
  run();
  EXPECT_NE(&state(0), &state(1));
  for (unsigned cpu = 0; cpu < 2; ++cpu) {
    const std::uint64_t done = toy::counts_of(state(0), cpu).operations;
    EXPECT_EQ(done, 500 + 4 * (500u + 126u));  // warm-up, then per slice the re-warming and the slice
    EXPECT_EQ(toy::counts_of(state(1), cpu).operations, done);
    EXPECT_EQ(bench->arm(0).on(cpu).operations, done);
    EXPECT_EQ(bench->arm(2).on(cpu).operations, done);
  }
}

TEST_F(NativeBenchTest, BothArmsSeeTheSameEventsAtTheSameOperation) {
  Workload workload = {};
  workload.flush_period = 300;
  workload.read_period = 70;
  workload.drain_period = 1000;
  use({.workload = workload});
  // Unequal orders: the arms' clocks differ while the blocks run, and agree in what happened at each reading.
  run({0, 1, 2, 2, 1, 0});
  run({1, 1, 0, 2, 2, 0});
  ASSERT_GT(state(0).events.size(), 20u);
  EXPECT_EQ(state(0).events, state(1).events);
  for (const toy::Event& event : state(0).events)
    EXPECT_EQ(event.at % (event.what == 'f' ? 300 : event.what == 'r' ? 70 : 1000), 0u) << event.what << event.at;
  EXPECT_GE(toy::counts_of(state(0), 1).work, bench->arm(0).on(1).operations / kOperationsPerPoll);
}

TEST_F(NativeBenchTest, TheEventClockOfASliceIsItsFirstOperation) {
  use({});
  const BlockRecord block = run({0, 1, 1, 0});
  EXPECT_EQ(block.slices[0].event_clock, 500u + 126u);
  EXPECT_EQ(block.slices[6].event_clock, 500u + 2 * 126u + 500u);
}

TEST_F(NativeBenchTest, ThePhaseAtTheEndOfASliceIsThatOfItsArm) {
  Workload workload = {};
  workload.flush_period = 1300;  // the toy's phase changes with its first event, in each arm's second slice
  use({.workload = workload});
  const BlockRecord block = run({0, 1, 2, 2, 1, 0});
  const std::map<int, int> expected = {{0, 1}, {1, 1}, {2, 0}, {3, 0}, {4, 2}, {5, 2}};
  for (const SliceRecord& slice : block.slices) EXPECT_EQ(slice.phase, expected.at(slice.position)) << slice.position;
}

TEST_F(NativeBenchTest, WhenSplitUnchargesNeverRunAhead) {
  Workload workload = {};
  workload.split = true;
  workload.pages = 3;
  use({.workload = workload, .operations = 2000});
  for (int i = 0; i < 5; ++i) run();
  for (int arm = 0; arm < 2; ++arm) {
    EXPECT_EQ(state(arm).fewest_in_flight, 0);
    const auto charged = toy::counts_of(state(arm), 0).operations, uncharged = toy::counts_of(state(arm), 1).operations;
    EXPECT_EQ(charged - uncharged, 2000u + 501u) << "the reserve alone stays";
    EXPECT_EQ(*state(arm).pages_in_flight, 3 * 2501);
  }
}

TEST_F(NativeBenchTest, RefusesALimitThatASplitWorkloadWouldHit) {
  Workload workload = {};
  workload.split = true;
  workload.limit_pages = 100;
  const auto refused = create({.workload = workload});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(refused.error().message, HasSubstr("limit-pages=100"));
}

TEST_F(NativeBenchTest, CalibratesWhenTheConditionDoesNotSay) {
  use({.operations = 0});
  EXPECT_GE(bench->operations_per_slice(), 1u);
  // The calibration ran on an arm of its own: all arms begin alike.
  EXPECT_EQ(bench->arm(0).on(0).operations, bench->operations_per_slice());
  EXPECT_EQ(bench->arm(1).on(0).operations, bench->operations_per_slice());
}

TEST_F(NativeBenchTest, CyclesThroughMemcgsUnderPressure) {
  Workload workload = {};
  workload.memcgs = 5;
  workload.pressure_kib = 4;
  use({.workload = workload, .operations = 101});
  const BlockRecord block = run();
  EXPECT_EQ(block.slices.size(), 12u);
  EXPECT_EQ(bench->notes().front(), (std::pair<std::string, std::string>{"driver", "pressure"}));
}

TEST_F(NativeBenchTest, DiscardsABlockWhoseThreadStrayed) {
  use({.probe = {[] { return 12345; }, never, not_said}});
  EXPECT_THAT(run().discarded, HasSubstr("found on cpu 12345"));
}

TEST_F(NativeBenchTest, DiscardsABlockThatWasInterrupted) {
  use({.probe = {where_it_should_be,
                 [] {
                   thread_local std::uint64_t n = 0;
                   return n++;
                 },
                 not_said}});
  EXPECT_EQ(run().discarded, "cpu " + std::to_string(allowed_cpus()[0]) + ": 6 involuntary context switches; cpu " +
                                 std::to_string(allowed_cpus()[1]) + ": 6 involuntary context switches");
}

TEST_F(NativeBenchTest, DiscardsABlockWithMigrations) {
  use({.probe = {where_it_should_be, never, []() -> std::optional<std::uint64_t> {
                   thread_local std::uint64_t n = 0;
                   return n++;
                 }}});
  EXPECT_THAT(run().discarded, HasSubstr(": 1 migration"));
}

TEST_F(NativeBenchTest, ABrokenInvariantIsAnErrorThatNamesTheArm) {
  use({});
  EXPECT_TRUE(bench->check());
  state(1).broken = true;
  const auto checked = bench->check();
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, HasSubstr("arm null:same"));
  EXPECT_THAT(checked.error().message, HasSubstr("the toy is broken"));
}

TEST_F(NativeBenchTest, AHomeForAnObjectThatNobodyHasIsRefused) {
  Workload workload = {};
  workload.homes["page"] = 0;
  const auto refused = create({.workload = workload});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("did you mean pages"));
}

TEST(Homes, AreFoundByNameBeforeBaseName) {
  const std::map<std::string, int> homes = {{"vmstats", 1}, {"vmstats[g0.l1]", 2}};
  EXPECT_EQ(*find_home(homes, "vmstats[g0.l0]"), 1);
  EXPECT_EQ(*find_home(homes, "vmstats[g0.l1]"), 2);
  EXPECT_EQ(find_home(homes, "memcg[g0.l1]"), nullptr);
}

TEST_F(NativeBenchTest, ACpuThatCannotBeHadIsNamed) {
  const auto team = ThreadTeam::start({allowed_cpus()[0], 4000});
  ASSERT_FALSE(team);
  EXPECT_THAT(team.error().message, HasSubstr("CPU 4000"));
}

// A source whose only event counts the operations between start and stop, by the toy's own per-CPU count.
class FakeSession : public CounterSession {
 public:
  Result<void> attach(int) override { return {}; }
  void start() noexcept override { begin_ = toy::this_cpu().operations; }
  void stop() noexcept override { count_ = toy::this_cpu().operations - begin_; }
  std::vector<Reading> collect() override {
    return {{.event = "operations",
             .source = "fake",
             .unit = "count",
             .value = static_cast<double>(count_),
             .quality = Quality::kExact,
             .reason = "",
             .hint = ""},
            {.event = "misses", .source = "fake", .unit = "count", .value = {}, .reason = "no PMU", .hint = "buy one"}};
  }

 private:
  std::uint64_t begin_ = 0, count_ = 0;
};
const Registered<CounterSource> fake_source(CounterSource{
    "fake", "", nullptr,
    [](std::span<const std::string>) -> Result<std::unique_ptr<CounterSession>> {
      return std::unique_ptr<CounterSession>(std::make_unique<FakeSession>());
    },
    nullptr});

TEST_F(NativeBenchTest, CountsInSlicesOfTheirOwnByArmAndCpu) {
  counting = {"fake", {"operations", "misses"}};
  use({});
  const auto readings = bench->count({0, 1, 1, 0});
  ASSERT_TRUE(readings) << readings.error().message;
  ASSERT_EQ(readings->size(), 2u * 4 * 2);
  for (const Reading& reading : *readings) {
    if (reading.event == "operations") {
      EXPECT_EQ(reading.value, 500.0) << "the slice alone, without re-warming";
      EXPECT_THAT(reading.reason, HasSubstr("slices of 500 operations"));
    } else {
      EXPECT_FALSE(reading.value);
      EXPECT_EQ(reading.reason, "no PMU");
    }
    EXPECT_TRUE(reading.arm == 0 || reading.arm == 1);
    EXPECT_THAT(allowed_cpus(), ::testing::Contains(reading.cpu));
  }
  EXPECT_TRUE(run().readings.empty()) << "timed slices count nothing";
}

TEST_F(NativeBenchTest, WithoutARequestNothingIsCounted) {
  use({});
  EXPECT_TRUE(bench->count({0, 1})->empty());
  counting = {"lost", {"x"}};
  EXPECT_THAT(create({}).error().message, HasSubstr("no counter backend 'lost'"));
}

TEST(HostPinProbe, KnowsThisThread) {
  const PinProbe& probe = host_pin_probe();
  EXPECT_GE(probe.cpu(), 0);
  const auto before = probe.involuntary_switches();
  EXPECT_GE(probe.involuntary_switches(), before);
  EXPECT_EQ(PinEvidence{.pinned_to = 3}.violation(), "");
  EXPECT_EQ((PinEvidence{.pinned_to = 3, .strayed_to = 1, .involuntary_switches = 1, .migrations = 2}.violation()),
            "cpu 3: found on cpu 1, 2 migrations, 1 involuntary context switch");
}

}  // namespace
}  // namespace hitmark::native
