#include "analysis/until_decided.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hitmark {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::Lt;

RunComparison judged(std::vector<Verdict> verdicts) {
  RunComparison comparison;
  comparison.headline = "v1";
  for (const Verdict verdict : verdicts) {
    ConditionComparison condition;
    condition.contrasts.resize(2);
    condition.contrasts[0].arm = "v1", condition.contrasts[0].verdict = verdict;
    condition.contrasts[1].arm = "v2";
    comparison.conditions.push_back(condition);
  }
  return comparison;
}

TEST(StoppingPlan, GrowsByHalvesUpToTheMost) {
  const StoppingPlan plan = stopping_plan(5, 40);
  EXPECT_THAT(plan.invocations, ElementsAre(5, 7, 10, 15, 22, 33, 40));
  EXPECT_EQ(plan.levels.size(), plan.invocations.size());
  EXPECT_THAT(plan.levels, Each(Lt(0.03)));
  const StoppingPlan once = stopping_plan(8, 8);
  EXPECT_THAT(once.invocations, ElementsAre(8));
  EXPECT_NEAR(once.levels[0], 0.05, 1e-9);
}

TEST(GoOn, UntilEveryConditionOfTheHeadlineIsDecided) {
  const StoppingPlan plan = stopping_plan(5, 40);
  EXPECT_TRUE(go_on(plan, 0, judged({Verdict::kUndecided})));
  EXPECT_TRUE(go_on(plan, 0, judged({Verdict::kBetter, Verdict::kUndecided})));
  EXPECT_FALSE(go_on(plan, 0, judged({Verdict::kBetter, Verdict::kEquivalent}))) << "v2's verdicts do not matter";
  EXPECT_TRUE(go_on(plan, 5, judged({Verdict::kUndecided})));
  EXPECT_FALSE(go_on(plan, 6, judged({Verdict::kUndecided}))) << "the last look";
  EXPECT_TRUE(go_on(plan, 0, judged({}))) << "nothing was measured yet";
}

}  // namespace
}  // namespace hitmark
