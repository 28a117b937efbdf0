// Runs in a store of schema 1, read and judged: the file in testdata must stay readable for ever, and the
// tests of `compare` and `report` use it. To write it anew: HITMARK_APPROVE=1 hitmark_analysis_test.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "analysis/comparison.hpp"
#include "analysis/testing_blocks.hpp"
#include "harness/results/result_store.hpp"

namespace hitmark {
namespace {

constexpr const char* kPath = "testdata/runs.sqlite";

// v1 costs `percent` more than the base; "mixed" has a second condition in which it costs less.
// "two" has a second variant that costs more.
void store_run(ResultStore& store, const std::string& run_id, double percent, int invocations, bool mixed = false,
               bool two = false) {
  testing_blocks::Truth truth;
  truth.costs = {100, 100 + percent, 100, 100};
  if (two) truth.costs.insert(truth.costs.begin() + 2, 120);
  truth.overhead = 20;
  truth.invocations = invocations;
  truth.blocks = 4;
  truth.seed = 7;
  RunRecord run = testing_blocks::run_of(truth, true);
  run.run_id = run_id;
  run.started = "2026-01-02T03:04:05Z";
  run.status = "running";
  run.conditions[0] = {"single paired", "single", "single", "node 0", {0}, {{"memcgs", "1"}}, {}};
  run.environment = {{"cpu", "a test's CPU"}, {"kernel", "6.18.1"}};
  run.readings = {
      {"fills", "papi", "count", -1, -1, "", "", {}, Quality::kUnavailable, "no PMU", "use a host with one"}};
  auto blocks = testing_blocks::blocks_of(truth, true);
  blocks[0].discarded = "cpu 0: 1 migration";
  if (mixed) {
    run.conditions.push_back({"same-ccx@home:local paired", "same-ccx@home:local", "same-ccx", "node 0", {0}, {}, {}});
    truth.costs[1] = 100 - percent;
    for (BlockRecord& block : testing_blocks::blocks_of(truth, true)) {
      block.condition = 1;
      blocks.push_back(block);
    }
  }
  ASSERT_TRUE(store.begin_run(run));
  for (const BlockRecord& block : blocks) ASSERT_TRUE(store.append_block(run_id, block));
  run.status = "complete";
  run.wall_seconds = 1.5;
  ASSERT_TRUE(store.finish_run(run));
}

TEST(StoredRuns, AreJudgedAsTheyWereMade) {
  if (std::getenv("HITMARK_APPROVE") != nullptr) {
    std::filesystem::remove(kPath);
    auto fresh = ResultStore::open(kPath, ResultStore::Access::kAppend);
    ASSERT_TRUE(fresh) << fresh.error().message;
    store_run(*fresh, "few", -30, 3);
    store_run(*fresh, "worse", 5, 6);
    store_run(*fresh, "mixed", 5, 6, true);
    store_run(*fresh, "same", 0, 6);
    store_run(*fresh, "two", -30, 6, false, true);
    store_run(*fresh, "better", -30, 6);
  }
  const auto store = ResultStore::open(kPath, ResultStore::Access::kRead);
  ASSERT_TRUE(store) << store.error().message;
  const std::map<std::string, Verdict> expected{{"few", Verdict::kUndecided}, {"worse", Verdict::kWorse},
                                                {"mixed", Verdict::kWorse},   {"same", Verdict::kEquivalent},
                                                {"two", Verdict::kBetter},    {"better", Verdict::kBetter}};
  for (const auto& [run_id, verdict] : expected) {
    const auto comparison = compare_run(
        *store->run(run_id), [&, id = run_id](const auto& use) { return store->for_each_block(id, use); }, {});
    ASSERT_TRUE(comparison);
    const ConditionComparison& condition = comparison->conditions.at(0);
    EXPECT_EQ(condition.contrasts.at(0).verdict, verdict) << run_id << ": " << condition.contrasts[0].why;
    EXPECT_EQ(condition.blocks_discarded, 1);
    EXPECT_NEAR(*condition.empty_cost.value, 20, 1);
  }
  EXPECT_EQ(store->latest_run()->run_id, "better");
}

}  // namespace
}  // namespace hitmark
