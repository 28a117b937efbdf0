// The runner against a machine that measures nothing and a clock that only the machine moves.
#include "harness/runner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "harness/runner_tally.hpp"

namespace hitmark {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct FakeWorld {
  double now = 0;
  double seconds_per_block = 1, seconds_to_prepare = 0;
  bool deterministic = false;
  int prepared = 0, benches = 0, blocks = 0, checks = 0, counts = 0;
  std::function<std::string(const Trial&)> discard = [](const Trial&) { return ""; };
  std::function<void()> on_block = [] {};
  std::string broken;                                         // a violated invariant
  std::map<std::string, std::set<std::uint64_t>> operations;  // by condition: what slices were made of
};

class FakeBench : public Bench {
 public:
  FakeBench(FakeWorld& world, const Condition& condition)
      : world_(world), name_(condition.record.name), operations_(condition.operations_per_slice) {
    if (operations_ == 0) operations_ = 1000u + static_cast<unsigned>(world_.prepared);  // "calibrated"
    ++world_.benches;
  }
  ~FakeBench() override { --world_.benches; }
  Result<BlockRecord> run(const Trial& trial) override {
    EXPECT_EQ(world_.benches, 1) << "conditions run one after the other";
    world_.now += world_.seconds_per_block;
    ++world_.blocks;
    world_.on_block();
    world_.operations[name_].insert(operations_);
    BlockRecord block;
    block.discarded = world_.discard(trial);
    for (std::size_t i = 0; i < trial.order.size(); ++i)
      block.slices.push_back(
          {.arm = trial.order[i], .position = static_cast<int>(i), .cpu = 0, .operations = operations_, .ticks = 7});
    return block;
  }
  Result<std::vector<Reading>> count(const std::vector<int>& order) override {
    ++world_.counts;
    return std::vector<Reading>{{.event = "e",
                                 .source = "s",
                                 .unit = "count",
                                 .arm = order.front(),
                                 .value = 3,
                                 .quality = Quality::kExact,
                                 .reason = "",
                                 .hint = ""}};
  }
  std::uint64_t operations_per_slice() const override { return operations_; }
  Result<void> check() override {
    ++world_.checks;
    if (world_.broken.empty()) return {};
    return Error{ErrorKind::kInvalid, world_.broken, ""};
  }
  NameValues notes() const override { return {{"home", "verified"}}; }

 private:
  FakeWorld& world_;
  std::string name_;
  std::uint64_t operations_;
};

class FakeMachine : public Machine {
 public:
  explicit FakeMachine(FakeWorld& world) : world_(world) {}
  std::string name() const override { return "fake"; }
  double ticks_per_second() const override { return 1e9; }
  bool deterministic() const override { return world_.deterministic; }
  Result<std::unique_ptr<Bench>> prepare(const Plan&, const Condition& condition) override {
    ++world_.prepared;
    world_.now += world_.seconds_to_prepare;
    return std::unique_ptr<Bench>(std::make_unique<FakeBench>(world_, condition));
  }

 private:
  FakeWorld& world_;
};

class RunnerTest : public ::testing::Test {
 protected:
  RunnerTest() : machine(world) {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    options.store_path = ::testing::TempDir() + "runner_test_" + info->name() + std::to_string(::getpid()) + ".db";
    options.budget_seconds = 1e6;
    options.now = [this] { return world.now; };
    options.stop = &stop;
    plan.family = "fake";
    plan.seed = 5;
    plan.invocations = 3;
    plan.blocks = 4;
    plan.arms = {{{"a", ArmRole::kBaseline, "a", {}}, nullptr}, {{"b", ArmRole::kVariant, "b", {}}, nullptr}};
    for (const char* name : {"x", "y"}) {
      Condition condition;
      condition.record.name = name;
      condition.record.cpus = {0};
      plan.conditions.push_back(condition);
    }
    run = new_run_record(plan, machine, {{"cpu", "fake"}});
  }
  ~RunnerTest() override {
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) std::filesystem::remove(options.store_path + suffix);
  }
  RunRecord executed() {
    auto done = execute(plan, run, machine, options);
    EXPECT_TRUE(done) << done.error().message;
    return done ? *done : RunRecord{};
  }
  std::vector<BlockRecord> stored() {
    std::vector<BlockRecord> blocks;
    const auto store = ResultStore::open(options.store_path, ResultStore::Access::kRead);
    EXPECT_TRUE(store && store->for_each_block(run.run_id, [&](const BlockRecord& b) { blocks.push_back(b); }));
    return blocks;
  }
  RunRecord stored_run() { return *ResultStore::open(options.store_path, ResultStore::Access::kRead)->run(run.run_id); }

  FakeWorld world;
  FakeMachine machine;
  std::atomic<bool> stop{false};
  RunOptions options;
  Plan plan;
  RunRecord run;
};

TEST_F(RunnerTest, RunsEveryBlockOnceAndSaysComplete) {
  EXPECT_EQ(executed().status, "complete");
  std::set<std::tuple<int, int, int>> keys;
  for (const BlockRecord& block : stored()) {
    keys.insert({block.condition, block.invocation, block.block});
    std::vector<int> order;
    for (const SliceRecord& slice : block.slices) order.push_back(slice.arm);
    EXPECT_EQ(order, block_order(plan, block.condition, block.invocation, block.block));
  }
  EXPECT_EQ(keys.size(), 2u * 3 * 4);
  EXPECT_EQ(world.blocks, 24);
  EXPECT_EQ(world.checks, 6) << "invariants of each condition in each invocation";
  EXPECT_EQ(stored_run().status, "complete");
  EXPECT_EQ(stored_run().warnings, std::vector<std::string>{});
}

TEST_F(RunnerTest, AllInvocationsUseTheOperationsThatTheRehearsalFound) {
  executed();
  for (const auto& [condition, operations] : world.operations) EXPECT_EQ(operations.size(), 1u) << condition;
  const RunRecord record = stored_run();
  EXPECT_EQ(record.conditions[0].notes.front(), (std::pair<std::string, std::string>{"home", "verified"}));
  EXPECT_EQ(record.conditions[0].notes.back().first, kOperationsPerSlice);
  EXPECT_EQ(record.conditions[0].notes.back().second, std::to_string(*world.operations["x"].begin()));
}

TEST_F(RunnerTest, ADiscardedBlockIsKeptAndReplaced) {
  world.discard = [](const Trial& trial) { return trial.block % 2 == 0 ? "cpu 0: 1 migration" : ""; };
  const RunRecord done = executed();
  EXPECT_EQ(done.status, "complete");
  std::map<std::pair<int, int>, BlockTally> tallies;
  for (const BlockRecord& block : stored()) {
    ++tallies[{block.condition, block.invocation}].stored;
    tallies[{block.condition, block.invocation}].used += block.discarded.empty();
  }
  for (const auto& [key, tally] : tallies) {
    EXPECT_EQ(tally.used, 4);
    EXPECT_EQ(tally.stored, 8);
  }
  ASSERT_EQ(done.warnings.size(), 1u);
  EXPECT_THAT(done.warnings[0], HasSubstr("24 of 48 blocks were disturbed and discarded"));
  EXPECT_THAT(done.warnings[0], HasSubstr("cpu 0: 1 migration"));
}

TEST_F(RunnerTest, ReplacementsEndAtTwiceThePlannedBlocks) {
  world.discard = [](const Trial&) { return "disturbed"; };
  const RunRecord done = executed();
  EXPECT_EQ(world.blocks, 2 * 24);
  EXPECT_THAT(done.warnings, ElementsAre(HasSubstr("48 of 48 blocks"), HasSubstr("0 of 24 planned blocks")));
}

TEST_F(RunnerTest, CtrlCEndsAfterTheRunningBlockAndResumingDoesTheRest) {
  world.on_block = [this] { stop = world.blocks == 7; };
  EXPECT_EQ(executed().status, "interrupted");
  EXPECT_EQ(stored().size(), 7u);
  EXPECT_EQ(stored_run().status, "interrupted");

  stop = false;
  world.on_block = [] {};
  const int prepared = world.prepared;
  run = stored_run();
  EXPECT_EQ(executed().status, "complete");
  EXPECT_EQ(stored().size(), 24u);
  EXPECT_EQ(world.blocks, 24) << "no block was run twice";
  EXPECT_LT(world.prepared - prepared, 6 + 2) << "a resumed run is not rehearsed again";
}

TEST_F(RunnerTest, AKilledRunKeepsItsStatusAndIsResumedFromItsBlocks) {
  // As kill -9 leaves it: begun, five blocks, nobody to say how it ended.
  {
    auto store = ResultStore::open(options.store_path, ResultStore::Access::kAppend);
    ASSERT_TRUE(store && store->begin_run(run));
  }
  options.budget_seconds = 5;
  plan.conditions[0].operations_per_slice = plan.conditions[1].operations_per_slice = 10;
  ASSERT_TRUE(run_invocation(plan, run, 0, machine, options));
  EXPECT_EQ(stored_run().status, "running");
  const std::size_t before = stored().size();
  EXPECT_GT(before, 1u);

  options.budget_seconds = 1e6;
  EXPECT_EQ(executed().status, "complete");
  EXPECT_EQ(stored().size(), 24u);
  EXPECT_EQ(world.blocks, 24);
}

TEST_F(RunnerTest, StoppedBeforeTheFirstBlockStoresNothing) {
  stop = true;
  EXPECT_EQ(executed().status, "interrupted");
  EXPECT_EQ(world.blocks, 0);
  EXPECT_FALSE(ResultStore::open(options.store_path, ResultStore::Access::kRead)->run(run.run_id));
}

TEST_F(RunnerTest, TheBudgetIsPassedByOneBlockAtTheMost) {
  for (const double budget : {0.5, 1.0, 3.7, 10.2, 23.9}) {
    world = {};
    run.run_id = "budget" + std::to_string(budget);
    options.budget_seconds = budget;
    const RunRecord done = executed();
    EXPECT_LE(world.now, budget + world.seconds_per_block) << budget;
    EXPECT_EQ(done.status, "complete");
    EXPECT_EQ(done.warnings.size(), budget < 11 ? 1u : 0u) << "less than half of the blocks is worth a warning";
    if (!done.warnings.empty()) {
      EXPECT_THAT(done.warnings[0], HasSubstr("of 24 planned blocks were measured within the budget"));
    }
    EXPECT_DOUBLE_EQ(done.wall_seconds, world.now);
  }
}

TEST_F(RunnerTest, AShortBudgetIsSharedByInvocationsAndConditions) {
  options.budget_seconds = 12;  // for 24 blocks of one second
  executed();
  std::map<std::pair<int, int>, int> blocks;
  for (const BlockRecord& block : stored()) ++blocks[{block.condition, block.invocation}];
  ASSERT_EQ(blocks.size(), 6u) << "each condition in each invocation has some";
  for (const auto& [key, count] : blocks) EXPECT_EQ(count, 2);
}

TEST_F(RunnerTest, CountsInEveryEighthBlockWhenAskedTo) {
  executed();
  EXPECT_EQ(world.counts, 0);
  plan.blocks = 9;
  plan.counting = {"s", {"e"}};
  run = new_run_record(plan, machine, {});
  executed();
  EXPECT_EQ(world.counts, 2 * 3 * 2) << "blocks 0 and 8 of each condition and invocation";
  int readings = 0;
  for (const BlockRecord& block : stored()) {
    EXPECT_EQ(block.readings.size(), block.block % 8 == 0 ? 1u : 0u);
    readings += static_cast<int>(block.readings.size());
  }
  EXPECT_EQ(readings, world.counts);
}

TEST_F(RunnerTest, ABrokenInvariantFailsTheRunButKeepsItsBlocks) {
  world.broken = "usage is negative";
  const auto done = execute(plan, run, machine, options);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "usage is negative");
  EXPECT_EQ(stored().size(), 4u);
  EXPECT_EQ(stored_run().status, "interrupted");
}

TEST_F(RunnerTest, ARunWithoutABlockIsNotComplete) {
  options.budget_seconds = 0;
  EXPECT_EQ(executed().status, "interrupted");
  EXPECT_EQ(stored_run().status, "interrupted");
  options.budget_seconds = 1e6;
  EXPECT_EQ(executed().status, "complete");
}

TEST_F(RunnerTest, AResumedRunWarnsOfItsShortfallOnce) {
  options.budget_seconds = 5;
  run = executed();
  ASSERT_THAT(run.warnings, ElementsAre(HasSubstr("planned blocks")));
  const RunRecord again = executed();
  EXPECT_THAT(again.warnings, ElementsAre(HasSubstr("planned blocks"))) << "once, with the latest figures";
  EXPECT_NE(again.warnings, run.warnings);
  run = again;
  options.budget_seconds = 1e6;
  EXPECT_THAT(executed().warnings, ::testing::IsEmpty());
}

TEST_F(RunnerTest, EachInvocationIsLaunchedWithItsShareOfTheBudget) {
  options.budget_seconds = 30;
  std::vector<std::pair<int, double>> launched;
  options.launch = [&](const RunRecord& record, int invocation, double seconds) -> Result<void> {
    EXPECT_EQ(record.run_id, run.run_id);
    launched.emplace_back(invocation, seconds);
    world.now += 8;  // less than its share: the rest is for the others
    return {};
  };
  executed();
  EXPECT_EQ(launched, (std::vector<std::pair<int, double>>{{0, 10.0}, {1, 11.0}, {2, 14.0}}));
}

TEST_F(RunnerTest, AFailedLaunchEndsTheRunAsInterrupted) {
  options.launch = [](const RunRecord&, int, double) -> Result<void> {
    return Error{ErrorKind::kUnavailable, "the process was killed", ""};
  };
  const auto done = execute(plan, run, machine, options);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "the process was killed");
  EXPECT_EQ(stored_run().status, "interrupted");
}

TEST_F(RunnerTest, ProgressCountsBlocksAndEstimatesWhatIsLeft) {
  std::vector<Progress> seen;
  options.on_progress = [&](const Progress& progress) { seen.push_back(progress); };
  executed();
  ASSERT_EQ(seen.size(), 24u);
  EXPECT_EQ(seen.back().blocks_done, 24);
  EXPECT_EQ(seen.back().blocks_planned, 24);
  EXPECT_EQ(seen[0].seconds_left, 23);
  EXPECT_EQ(seen[1].seconds_left, 22) << "one second per block";
}

TEST_F(RunnerTest, ConditionsTakeTurnsInADifferentOrderPerInvocation) {
  plan.invocations = 8;
  run = new_run_record(plan, machine, {});
  std::vector<std::string> order;
  options.on_progress = [&](const Progress& progress) {
    if (order.empty() || order.back() != progress.now) order.push_back(progress.now);
  };
  executed();
  EXPECT_LT(order.size(), 16u) << "some invocation began with the condition that ended the one before";
  EXPECT_GT(order.size(), 8u);
}

TEST_F(RunnerTest, ADeterministicMachineRunsEveryBlockHereWhateverTheClockSays) {
  world.deterministic = true;
  options.budget_seconds = 1;
  int launched = 0;
  options.launch = [&](const RunRecord&, int, double) {
    ++launched;
    return Result<void>();
  };
  executed();
  EXPECT_EQ(world.blocks, 24) << "24 s, and a budget of 1 s";
  EXPECT_EQ(launched, 0) << "its processes would all be alike";
}

TEST_F(RunnerTest, TwoNewRunsHaveDifferentIds) {
  EXPECT_NE(new_run_record(plan, machine, {}).run_id, new_run_record(plan, machine, {}).run_id);
  EXPECT_EQ(run.started.size(), std::string("2026-01-02T03:04:05Z").size());
  EXPECT_EQ(run.machine, "fake");
  EXPECT_EQ(run.arms.size(), 2u);
}

}  // namespace
}  // namespace hitmark
