// A million readings compared in under 2 seconds and 500 MB. Time is looked at in the long tier alone; the quick one
// checks that a larger run is judged like a smaller one. HITMARK_SCALE_STORE=FILE writes the run to a store, for
// support/verify/statistics.sh to time `hitmark report` on.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "analysis/simulations/simulated_run.hpp"
#include "analysis/simulations/simulation.hpp"
#include "harness/results/result_store.hpp"

namespace hitmark::simulations {
namespace {

constexpr int kSlicesOfABlock = 10;  // five arms

SimulatedRun run_with(int slices, int invocations) {
  return {Noise::kNormal, {slices / kSlicesOfABlock / invocations, 0.002, 0.01}, {0.03, 0}, invocations, false};
}

// Every slice twice, as mirrored positions are.
BlockFeed mirrored(const std::vector<BlockRecord>& blocks) {
  return [&blocks](const std::function<void(const BlockRecord&)>& use) -> Result<void> {
    for (BlockRecord block : blocks) {
      const std::size_t half = block.slices.size();
      for (std::size_t i = half; i-- > 0;) block.slices.push_back(block.slices[i]);
      for (std::size_t i = 0; i < block.slices.size(); ++i) block.slices[i].position = static_cast<int>(i);
      use(block);
    }
    return {};
  };
}

double cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_utime.tv_sec) + static_cast<double>(used.ru_utime.tv_usec) * 1e-6;
}

TEST(Scale, AMillionReadingsAreComparedInUnderTwoSeconds) {
  const int slices = many(20'000, 1'000'000);
  for (const int invocations : {5, 20}) {
    const SimulatedRun simulated = run_with(slices, invocations);
    std::mt19937_64 random(kSession + static_cast<unsigned>(invocations));
    const auto blocks = blocks_of(simulated, random);
    const double before = cpu_seconds();
    const auto comparison = compare_run(record_of(simulated), mirrored(blocks), {});
    const double seconds = cpu_seconds() - before;
    ASSERT_TRUE(comparison);
    const ConditionComparison& condition = comparison->conditions.at(0);
    EXPECT_EQ(condition.blocks_used * kSlicesOfABlock, slices);
    EXPECT_EQ(condition.contrasts.at(0).verdict, Verdict::kWorse);
    EXPECT_EQ(condition.contrasts.at(1).verdict, Verdict::kEquivalent);
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    std::printf("%d readings of %d invocations: %.2f s of CPU time, %ld MB in all, the simulation's own included\n",
                slices, invocations, seconds, used.ru_maxrss / 1024);
    if (!all_of_them()) continue;
    EXPECT_LT(seconds, 2);
    EXPECT_LT(used.ru_maxrss / 1024, 500);
  }
}

TEST(Scale, WritesAStoreWhenAsked) {
  const char* path = std::getenv("HITMARK_SCALE_STORE");
  if (path == nullptr) GTEST_SKIP() << "HITMARK_SCALE_STORE=FILE writes one";
  std::filesystem::remove(path);
  auto store = ResultStore::open(path, ResultStore::Access::kAppend);
  ASSERT_TRUE(store) << store.error().message;
  const SimulatedRun simulated = run_with(1'000'000, 10);
  RunRecord run = record_of(simulated);
  run.started = "2026-01-02T03:04:05Z";
  run.status = "running";
  ASSERT_TRUE(store->begin_run(run));
  std::mt19937_64 random(kSession);
  const auto blocks = blocks_of(simulated, random);
  int stored = 0;
  ASSERT_TRUE(mirrored(blocks)(
      [&](const BlockRecord& block) { stored += store->append_block(run.run_id, block).has_value(); }));
  EXPECT_EQ(stored, 100'000);
  run.status = "complete";
  ASSERT_TRUE(store->finish_run(run));
}

}  // namespace
}  // namespace hitmark::simulations
