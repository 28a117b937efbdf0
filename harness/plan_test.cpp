#include "harness/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/runner.hpp"
#include "harness/workload_text.hpp"
#include "support/seeds.hpp"
#include "topology/hwloc_reader.hpp"

namespace hitmark {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

void nothing(void*, void*, unsigned) {}
constexpr Operation kOperations[] = {{"pair", "", nothing, nullptr}};
constexpr Trait kSevenSlots[] = {{"slots", "7"}};

Variant variant(std::string_view name) {
  Variant made{};
  made.family = "planned";
  made.name = name;
  made.traits = kSevenSlots;
  made.operations = kOperations;
  return made;
}
const Registered<Variant> old_way(variant("old-way")), new_way(variant("new-way")), odd_way(variant("odd-way"));
const Registered<VariantCopy> copy_of_old(VariantCopy{variant("old-way")});
constexpr std::string_view kDefaultArms[] = {"old-way", "new-way"};
const Registered<Family> family(Family{"planned", "", "old-way", "new-way", kDefaultArms, {}, {}});

// A family to which some parameters mean nothing.
Variant choosy(std::string_view name) {
  Variant made = variant(name);
  made.family = "choosy";
  return made;
}
const Registered<Variant> choosy_old(choosy("old-way")), choosy_new(choosy("new-way"));
constexpr std::string_view kRefused[] = {"mode", "refill", "depth"};
const Registered<Family> choosy_family(Family{"choosy", "", "old-way", "new-way", kDefaultArms, {}, kRefused});

Topology machine(const char* synthetic = "pack:1 l3:2 core:2 pu:1") {
  auto topology = read_synthetic_topology(synthetic);
  EXPECT_TRUE(topology) << synthetic;
  return *topology;
}

Plan planned(RunRequest request, const Topology& topology = machine()) {
  request.family = "planned";
  auto plan = make_plan(request, topology);
  EXPECT_TRUE(plan) << plan.error().message;
  return plan ? *plan : Plan{};
}

Error refused(RunRequest request, const Topology& topology = machine()) {
  if (request.family.empty()) request.family = "planned";
  auto plan = make_plan(request, topology);
  EXPECT_FALSE(plan);
  return plan ? Error{} : plan.error();
}

TEST(Refused, IsNotVariedAndTakesOnlyItsDefault) {
  const auto plan = make_plan({.family = "choosy", .placements = {"single"}}, machine());
  ASSERT_TRUE(plan) << plan.error().message;
  std::vector<std::string> names;
  for (const Condition& condition : plan->conditions) names.push_back(condition.record.name);
  EXPECT_THAT(names, ElementsAre("single", "single pressure=64"));
  EXPECT_TRUE(make_plan({.family = "choosy", .settings = {{"depth", "2"}, {"mode", "paired"}}}, machine()));
  const Error error = refused({.family = "choosy", .settings = {{"depth", "3"}}});
  EXPECT_EQ(error.kind, ErrorKind::kUsage);
  EXPECT_THAT(error.message, HasSubstr("'depth' means nothing to choosy: only depth=2"));
  EXPECT_THAT(refused({.family = "choosy", .settings = {{"mode", "split"}}}).message, HasSubstr("only mode=paired"));
}

std::vector<std::string> arm_names(const Plan& plan) {
  std::vector<std::string> names;
  for (const Arm& arm : plan.arms) names.push_back(arm.record.name);
  return names;
}

std::vector<std::string> condition_names(const Plan& plan) {
  std::vector<std::string> names;
  for (const Condition& condition : plan.conditions) names.push_back(condition.record.name);
  return names;
}

TEST(Plan, DefaultArmsAreTheFamilysAndTheTwoNulls) {
  const Plan plan = planned({});
  EXPECT_THAT(arm_names(plan), ElementsAre("old-way", "new-way", "null:same", "null:copy", "empty"));
  EXPECT_EQ(plan.arms[0].record.role, ArmRole::kBaseline);
  EXPECT_EQ(plan.arms[2].variant, plan.arms[0].variant);
  EXPECT_NE(plan.arms[3].variant, plan.arms[0].variant);
  EXPECT_EQ(plan.arms[3].record.variant, "old-way");
  EXPECT_THAT(plan.arms[1].record.traits, ElementsAre(std::pair<std::string, std::string>("slots", "7")));
  EXPECT_EQ(plan.invocations, 5);
}

TEST(Plan, TheBaselineComesFirstAndOnlyOnce) {
  EXPECT_THAT(arm_names(planned({.variants = {"new-way", "old-way", "new-way"}})),
              ElementsAre("old-way", "new-way", "null:same", "null:copy", "empty"));
  EXPECT_THAT(arm_names(planned({.variants = {"all"}})),
              ElementsAre("old-way", "new-way", "odd-way", "null:same", "null:copy", "empty"));
}

TEST(Plan, ABaselineAloneIsNothingToCompare) {
  const Error error = refused({.variants = {"old-way"}, .baseline = "old-way"});
  EXPECT_EQ(error.kind, ErrorKind::kUsage);
  EXPECT_THAT(error.message, HasSubstr("no variant beside the baseline old-way"));
  EXPECT_THAT(error.hint, HasSubstr("another variant"));
}

TEST(Plan, APlacementThatIsNamedTwiceIsRunOnce) {
  EXPECT_EQ(condition_names(planned({.placements = {"single", "single"}})),
            condition_names(planned({.placements = {"single"}})));
}

TEST(Plan, ADeterministicMachineHasOneBlockPerInvocationAndNoPlacementOfCodeToMeasure) {
  for (const double budget : {0.001, 1000.0}) {
    const Plan plan = planned({.budget_seconds = budget, .deterministic = true});
    EXPECT_EQ(plan.blocks, 1);
    EXPECT_THAT(plan.warnings, ElementsAre());
    EXPECT_THAT(arm_names(plan), ElementsAre("old-way", "new-way", "null:same", "empty"));
  }
}

TEST(Plan, WithoutACopyThePlanSaysThatOneNullIsMissing) {
  const Plan plan = planned({.baseline = "new-way"});
  EXPECT_THAT(arm_names(plan), ElementsAre("new-way", "old-way", "null:same", "empty"));
  EXPECT_THAT(plan.warnings, ElementsAre(HasSubstr("no copy of new-way")));
}

TEST(Plan, TheEmptyArmComesWithDriversThatWorkBetweenOperations) {
  EXPECT_THAT(arm_names(planned({.settings = {{"pressure", "16"}}})), Contains("empty"));
  EXPECT_THAT(arm_names(planned({.settings = {{"memcgs", "1"}, {"memcgs", "8"}}})), Contains("empty"));
  EXPECT_THAT(arm_names(planned({.settings = {{"memcgs", "1"}}})), ::testing::Not(Contains("empty")));
}

TEST(Plan, DefaultConditionsCrossPlacementsModesAndRefillRulesAndSweepL1Once) {
  const Topology topology = machine();
  const Plan plan = planned({}, topology);
  std::size_t expected = 0;
  for (const std::string& name : available_placements(topology))
    expected += resolve_placement(topology, name)->cpus.size() >= 2 ? 7 : 4;
  EXPECT_EQ(plan.conditions.size(), expected);
  const auto names = condition_names(plan);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  EXPECT_THAT(names, Contains("single paired refill=drain"));
  EXPECT_THAT(names, Contains("single paired refill=watermark:32"));
  EXPECT_THAT(names, Contains("single paired refill=drain pressure=64"));
  EXPECT_THAT(condition_names(planned({.settings = {{"depth", "3"}}}, topology)),
              ::testing::Each(::testing::Not(HasSubstr("pressure"))));
  EXPECT_THAT(names, Contains("same-ccx split refill=watermark:0"));
  EXPECT_THAT(names, ::testing::Not(Contains(HasSubstr("single split"))));
}

TEST(Plan, SettingsFixTheirParameterAndRepeatedOnesAreCrossed) {
  const Plan plan = planned(
      {.placements = {"single"},
       .settings = {{"refill", "watermark:64"}, {"depth", "3"}, {"memcgs", "1"}, {"memcgs", "7"}, {"memcgs", "7"}}});
  EXPECT_THAT(condition_names(plan), ElementsAre("single paired refill=watermark:64 depth=3 memcgs=1",
                                                 "single paired refill=watermark:64 depth=3 memcgs=7"));
  EXPECT_EQ(plan.conditions[1].workload.memcgs, 7u);
  EXPECT_EQ(plan.conditions[1].workload.refill.low, 64u);
  EXPECT_EQ(plan.conditions[1].record.workload, to_name_values(plan.conditions[1].workload));
  EXPECT_EQ(plan.conditions[1].record.cpus, plan.conditions[1].placement.cpus);
}

TEST(Plan, GroupsComeFromThePlacement) {
  const Plan plan = planned({.placements = {"groups:2x2"}, .settings = {{"mode", "split"}, {"refill", "drain"}}});
  ASSERT_EQ(plan.conditions.size(), 1u);
  EXPECT_EQ(plan.conditions[0].workload.groups, 2u);
  EXPECT_THAT(refused({.settings = {{"groups", "2"}}}).message, HasSubstr("part of the placement"));
}

TEST(Plan, SplitNeedsPairsOfCpus) {
  EXPECT_THAT(refused({.placements = {"single"}, .settings = {{"mode", "split"}}}).message,
              HasSubstr("single has no pairs of CPUs"));
  const Plan plan = planned({.settings = {{"mode", "split"}, {"refill", "drain"}}});
  for (const Condition& condition : plan.conditions) EXPECT_EQ(condition.placement.cpus.size() % 2, 0u);
  EXPECT_THAT(refused({.settings = {{"mode", "split"}}}, machine("pack:1 core:1 pu:1")).message,
              HasSubstr("no placement of this machine"));
}

TEST(Plan, NamesWhatWasMistyped) {
  EXPECT_THAT(refused({.family = "plannd"}).message, HasSubstr("did you mean planned"));
  EXPECT_THAT(refused({.variants = {"new-wai"}}).message, HasSubstr("did you mean new-way"));
  EXPECT_THAT(refused({.baseline = "old-wai"}).message, HasSubstr("did you mean old-way"));
  EXPECT_THAT(refused({.settings = {{"dept", "1"}}}).message, HasSubstr("did you mean depth"));
  EXPECT_THAT(refused({.settings = {{"home.x", "9"}}}).message, HasSubstr("no such node"));
  EXPECT_EQ(refused({.budget_seconds = 0}).kind, ErrorKind::kUsage);
  EXPECT_EQ(refused({.invocations = -1}).kind, ErrorKind::kUsage);
}

TEST(Plan, BlocksFillTheBudgetAndDoNotPassIt) {
  for (const double budget : {10.0, 60.0, 600.0}) {
    const Plan plan = planned({.budget_seconds = budget});
    EXPECT_LE(expected_seconds(plan), budget);
    EXPECT_GE(expected_seconds(plan), 0.7 * budget) << budget;
    EXPECT_THAT(plan.warnings, ElementsAre());
  }
  EXPECT_GT(planned({.budget_seconds = 60}).blocks, planned({.budget_seconds = 20}).blocks);
}

TEST(Plan, SaysWhenTheBudgetIsShort) {
  const Plan plan = planned({.budget_seconds = 0.5});
  EXPECT_EQ(plan.blocks, 1);
  EXPECT_THAT(plan.warnings, ElementsAre(HasSubstr("the budget of 1 s is short")));
}

TEST(Plan, TheSameRequestGivesTheSamePlan) {
  const RunRequest request{.settings = {{"memcgs", "2"}, {"memcgs", "4"}}, .seed = 9};
  const Plan a = planned(request), b = planned(request);
  EXPECT_EQ(condition_names(a), condition_names(b));
  EXPECT_EQ(arm_names(a), arm_names(b));
  EXPECT_EQ(a.blocks, b.blocks);
  for (int block = 0; block < 20; ++block) EXPECT_EQ(block_order(a, 1, 2, block), block_order(b, 1, 2, block));
}

TEST(BlockOrder, IsAPermutationAndItsMirrorImage) {
  const Plan plan = planned({.variants = {"all"}, .settings = {{"pressure", "16"}}});
  for (int block = 0; block < 50; ++block) {
    const std::vector<int> order = block_order(plan, 0, 0, block);
    ASSERT_EQ(order.size(), 2 * plan.arms.size());
    EXPECT_TRUE(std::equal(order.begin(), order.end(), order.rbegin()));
    std::set<int> half(order.begin(), order.begin() + static_cast<int>(plan.arms.size()));
    EXPECT_EQ(half.size(), plan.arms.size());
    EXPECT_EQ(*half.rbegin(), static_cast<int>(plan.arms.size()) - 1);
  }
}

TEST(BlockOrder, PutsEveryArmEverywhereEquallyOften) {
  const Plan plan = planned({});
  std::map<std::pair<std::size_t, int>, int> seen;
  constexpr int kBlocks = 4000;
  for (int block = 0; block < kBlocks; ++block) {
    const auto order = block_order(plan, 0, 0, block);
    for (std::size_t position = 0; position < order.size() / 2; ++position) ++seen[{position, order[position]}];
  }
  EXPECT_EQ(seen.size(), 16u);
  for (const auto& [key, count] : seen) EXPECT_NEAR(count, kBlocks / 4, 150);  // 5 sigma
}

TEST(BlockOrder, HasTheEmptyArmOnlyWhereTheDriverWorksBetweenOperations) {
  const Plan plan = planned({});
  const int empty = static_cast<int>(plan.arms.size()) - 1;
  ASSERT_EQ(plan.arms[static_cast<std::size_t>(empty)].record.role, ArmRole::kEmpty);
  for (std::size_t i = 0; i < plan.conditions.size(); ++i)
    EXPECT_EQ(::testing::Value(block_order(plan, static_cast<int>(i), 0, 0), Contains(empty)),
              plan.conditions[i].workload.pressure_kib > 0)
        << plan.conditions[i].record.name;
}

TEST(BlockOrder, DependsOnSeedConditionInvocationAndBlock) {
  Plan plan = planned({.variants = {"all"}});
  const auto orders = [&](int condition, int invocation) {
    std::vector<std::vector<int>> all;
    for (int block = 0; block < 10; ++block) all.push_back(block_order(plan, condition, invocation, block));
    return all;
  };
  const auto first = orders(0, 0);
  EXPECT_NE(first, orders(1, 0));
  EXPECT_NE(first, orders(0, 1));
  EXPECT_NE(orders(1, 0), orders(0, 1));
  plan.seed = 2;
  EXPECT_NE(first, orders(0, 0));
  EXPECT_GT((std::set<std::vector<int>>(first.begin(), first.end()).size()), 5u);
}

TEST(Seeds, AreTheSameOnEveryPlatform) {
  // The first outputs of SplitMix64 from 1234567, as published with its reference implementation.
  SplitMix64 random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317u);
  EXPECT_EQ(random.next(), 3203168211198807973u);
  EXPECT_EQ(random.next(), 9817491932198370423u);
}

class PlanFromRecordTest : public ::testing::Test {
 protected:
  PlanFromRecordTest() {
    plan = planned(
        {.placements = {"single", "same-ccx"}, .settings = {{"memcgs", "3"}, {"flush-period", "77"}}, .seed = 12});
    run.run_id = "r";
    run.family = plan.family;
    run.seed = plan.seed;
    run.invocations = plan.invocations;
    run.blocks = plan.blocks;
    for (const Arm& arm : plan.arms) run.arms.push_back(arm.record);
    for (const Condition& condition : plan.conditions) run.conditions.push_back(condition.record);
  }
  Plan plan;
  RunRecord run;
};

TEST_F(PlanFromRecordTest, GivesThePlanAgain) {
  run.conditions[1].notes.emplace_back(std::string(kOperationsPerSlice), "4321");
  const auto again = plan_from_record(run, machine());
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(arm_names(*again), arm_names(plan));
  EXPECT_EQ(condition_names(*again), condition_names(plan));
  for (std::size_t i = 0; i < plan.arms.size(); ++i) EXPECT_EQ(again->arms[i].variant, plan.arms[i].variant) << i;
  for (std::size_t i = 0; i < plan.conditions.size(); ++i) {
    EXPECT_EQ(to_name_values(again->conditions[i].workload), to_name_values(plan.conditions[i].workload));
    EXPECT_EQ(again->conditions[i].placement.home_node, plan.conditions[i].placement.home_node);
  }
  EXPECT_EQ(again->conditions[0].operations_per_slice, 0u);
  EXPECT_EQ(again->conditions[1].operations_per_slice, 4321u);
  EXPECT_EQ(block_order(*again, 1, 1, 1), block_order(plan, 1, 1, 1));
}

TEST_F(PlanFromRecordTest, KeepsWhatIsToBeCounted) {
  EXPECT_EQ(plan_from_record(run, machine())->counting.source, "");
  const CountRequest counting{"papi", {"page-faults", "a::b:c=1"}};
  run.environment = {{"cpu", "x"}, {std::string(kCounting), to_text(counting)}};
  const auto again = plan_from_record(run, machine());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->counting.source, counting.source);
  EXPECT_EQ(again->counting.events, counting.events);
}

TEST_F(PlanFromRecordTest, RefusesAVariantThatThisBuildLacks) {
  run.arms[1].variant = "lost-way";
  const auto again = plan_from_record(run, machine());
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().message, HasSubstr("planned/lost-way"));
}

TEST_F(PlanFromRecordTest, RefusesOtherCpusThanBefore) {
  run.conditions.back().cpus = {6, 7};
  const auto again = plan_from_record(run, machine());
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().message, HasSubstr("other CPUs"));
}

}  // namespace
}  // namespace hitmark
