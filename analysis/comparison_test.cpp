// Planted differences are found, absent ones are not, and nothing that is missing becomes a number.
#include "analysis/comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/testing_blocks.hpp"

namespace hitmark {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing_blocks::blocks_of;
using testing_blocks::feed;
using testing_blocks::run_of;
using testing_blocks::Truth;

ConditionComparison compared(const Truth& truth, bool empty = false, const std::vector<ChangeStep>& steps = {}) {
  const auto blocks = blocks_of(truth, empty);
  auto comparison = compare_run(run_of(truth, empty), feed(blocks), steps);
  EXPECT_TRUE(comparison);
  return comparison->conditions.at(0);
}

Truth planted(double percent) {
  Truth truth;
  truth.costs = {100, 100 + percent, 100, 100};
  return truth;
}

TEST(Comparison, FindsPlantedDifferencesOfThreePercent) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Truth slower = planted(3), faster = planted(-3);
    slower.seed = faster.seed = seed;
    const Contrast worse = compared(slower).contrasts.at(0), better = compared(faster).contrasts.at(0);
    EXPECT_EQ(worse.verdict, Verdict::kWorse) << seed << ": " << worse.why;
    EXPECT_EQ(better.verdict, Verdict::kBetter) << seed << ": " << better.why;
    EXPECT_NEAR(*worse.ratio.value, 1.03, 0.006);
    EXPECT_LT(*worse.ratio.low, *worse.ratio.value);
    EXPECT_GT(*worse.ratio.high, *worse.ratio.value);
    EXPECT_LT(*worse.p_value, 1e-3);
    EXPECT_EQ(worse.invocations, 8);
  }
}

TEST(Comparison, GivesTheExactRatioWithoutNoise) {
  Truth truth = planted(50);
  truth.arm_noise = truth.block_noise = truth.slice_noise = 0;
  const auto condition = compared(truth);
  const Contrast& contrast = condition.contrasts.at(0);
  EXPECT_NEAR(*contrast.ratio.value, 1.5, 1e-12);
  EXPECT_NEAR(*contrast.ratio.low, 1.5, 1e-12);
  EXPECT_NEAR(*contrast.baseline_cost.value, 100, 1e-9);
  EXPECT_NEAR(*contrast.arm_cost.value, 150, 1e-9);
  EXPECT_NEAR(*condition.noise_floor, 0, 1e-12);
  EXPECT_THAT(contrast.differing_aspects, ElementsAre("slots"));
}

// A simulated machine repeats exactly, so its noise floor is 0; what it is right to is another matter.
TEST(Comparison, ClaimsNoModelledDifferenceWithinTheMargin) {
  const auto verdict = [](double percent, const char* machine) {
    Truth truth = planted(percent);
    truth.arm_noise = truth.block_noise = truth.slice_noise = 0;
    RunRecord run = run_of(truth);
    run.machine = machine;
    const auto blocks = blocks_of(truth, false);
    return compare_run(run, feed(blocks), {})->conditions.at(0).contrasts.at(0).verdict;
  };
  EXPECT_EQ(verdict(-0.4, "native"), Verdict::kBetter);
  EXPECT_EQ(verdict(-0.4, "rome-2s"), Verdict::kEquivalent);
  EXPECT_EQ(verdict(0.9, "rome-2s"), Verdict::kEquivalent);
  EXPECT_EQ(verdict(1.1, "rome-2s"), Verdict::kWorse);
}

// Processes that agree to the last bit say nothing of what each simulated too little of.
TEST(Comparison, ClaimsNothingWithinTheImprecisionOfSlices) {
  const auto contrast = [](double percent, double errors_per_slice, double share) {
    Truth truth = planted(percent);
    truth.arm_noise = truth.block_noise = truth.slice_noise = 0;
    RunRecord run = run_of(truth);
    run.machine = "rome-2s";
    auto blocks = blocks_of(truth, false);
    for (BlockRecord& block : blocks)
      for (int arm = 0; arm < 2; ++arm)
        for (const auto& [event, value] :
             {std::pair{"slices.imprecise", share}, {"slices.error", share * errors_per_slice}})
          block.readings.push_back(
              {event, "simulator", "slices", -1, arm, "", "", 2 * value, Quality::kModelled, "", ""});
    return compare_run(run, feed(blocks), {})->conditions.at(0).contrasts.at(0);
  };
  EXPECT_EQ(contrast(-4, 0.01, 1).verdict, Verdict::kBetter) << "2.8 % is what two arms of 1 % each are known to";
  EXPECT_EQ(contrast(-2.5, 0.01, 0).verdict, Verdict::kBetter);
  EXPECT_EQ(contrast(-2.5, 0.01, 1).verdict, Verdict::kUndecided);
  EXPECT_EQ(contrast(2.5, 0.01, 1).verdict, Verdict::kUndecided);
  EXPECT_EQ(contrast(3, 0.01, 1).verdict, Verdict::kWorse);
  EXPECT_THAT(contrast(2.5, 0.01, 1).why, AllOf(HasSubstr("would be worse"), HasSubstr("known only to 2.9 %")));
  EXPECT_EQ(contrast(0.2, 0.01, 1).verdict, Verdict::kUndecided) << "nor is it known to be equal";
  EXPECT_EQ(contrast(0.2, 0.01, 0.1).verdict, Verdict::kEquivalent) << "one slice in ten";
  EXPECT_EQ(contrast(-1.3, 0, 1).verdict, Verdict::kUndecided) << "stored without errors: at least what was aimed at";
}

// A/A: over 400 runs of equal arms the verdict is never better or worse more often than the nominal 5 %; the
// nulls push it far below.
TEST(Comparison, IdenticalArmsAreNeitherBetterNorWorse) {
  int alarms = 0, equivalent = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    Truth truth = planted(0);
    truth.seed = seed;
    truth.blocks = 4;
    const Verdict verdict = compared(truth).contrasts.at(0).verdict;
    alarms += verdict == Verdict::kBetter || verdict == Verdict::kWorse;
    equivalent += verdict == Verdict::kEquivalent;
  }
  EXPECT_LE(alarms, 4);
  EXPECT_GE(equivalent, 390);
}

TEST(Comparison, IntervalsCoverTheTruth) {
  int covered = 0;
  constexpr int kRuns = 2000;
  for (unsigned seed = 1; seed <= kRuns; ++seed) {
    Truth truth = planted(5);
    truth.seed = seed;
    truth.blocks = 3;
    truth.invocations = 6;
    const Estimate ratio = compared(truth).contrasts.at(0).ratio;
    covered += *ratio.low <= 1.05 && 1.05 <= *ratio.high;
  }
  // Binomial, sd 0.49 %; 4 sd.
  EXPECT_NEAR(covered / double{kRuns}, 0.95, 4 * std::sqrt(0.95 * 0.05 / kRuns));
}

// A generous floor must not call noise equal, nor may it be called a difference.
TEST(Comparison, ADifferenceWithinTheLargerNullIsUndecided) {
  Truth truth = planted(3);
  truth.costs[3] = 104;  // null:copy: code at another address costs 4 % more
  const auto condition = compared(truth);
  EXPECT_NEAR(*condition.noise_floor, std::log(1.04), 0.006);
  EXPECT_NEAR(*condition.null_copy.value, 1.04, 0.006);
  EXPECT_NEAR(*condition.null_same.value, 1.00, 0.006);
  EXPECT_EQ(condition.contrasts.at(0).verdict, Verdict::kUndecided);
  EXPECT_THAT(condition.contrasts.at(0).why, testing::ContainsRegex("not clearly beyond the noise floor .[34]\\."));
  EXPECT_THAT(condition.contrasts.at(0).why, HasSubstr("where code and data came to lie may explain it"));
  truth.costs = {100, 97, 96, 100};
  EXPECT_EQ(compared(truth).contrasts.at(0).verdict, Verdict::kUndecided) << "either null, either side";
  truth.costs = {100, 100, 96, 100};
  EXPECT_EQ(compared(truth).contrasts.at(0).verdict, Verdict::kEquivalent) << "within 1 % is equal on any host";
}

TEST(Comparison, TheMarginIsTheUsers) {
  const Truth truth = planted(1.5);
  Truth wide = truth;
  wide.costs[3] = 104;
  const auto verdict = [&](const Truth& which, double margin) {
    const auto noisy = blocks_of(which);
    return compare_run(run_of(which), feed(noisy), {}, {CostBasis::kNet, margin})->conditions[0].contrasts[0].verdict;
  };
  EXPECT_EQ(verdict(wide, 0.01), Verdict::kUndecided);
  EXPECT_EQ(verdict(wide, 0.03), Verdict::kEquivalent);
  EXPECT_EQ(verdict(truth, 0.03), Verdict::kWorse) << "what is beyond the floor is found, however small";
}

TEST(Comparison, FewerThanFiveInvocationsDecideNothing) {
  Truth truth = planted(50);
  for (const int invocations : {1, 4}) {
    truth.invocations = invocations;
    const auto condition = compared(truth);
    const Contrast& contrast = condition.contrasts.at(0);
    EXPECT_EQ(contrast.verdict, Verdict::kUndecided);
    EXPECT_THAT(contrast.why, HasSubstr("an interval needs 5"));
    EXPECT_NEAR(*contrast.ratio.value, 1.5, 0.02);
    EXPECT_FALSE(contrast.ratio.low || contrast.ratio.high || contrast.p_value);
    EXPECT_FALSE(condition.noise_floor);
  }
}

TEST(Comparison, SaysHowManyMoreInvocationsWouldDecide) {
  Truth truth = planted(1.5);
  truth.arm_noise = 0.01;
  const Contrast contrast = compared(truth).contrasts.at(0);
  EXPECT_EQ(contrast.verdict, Verdict::kUndecided);
  EXPECT_THAT(contrast.why, testing::ContainsRegex("about [0-9]+ more invocation|not even"));
}

TEST(Comparison, GivesPValuesAndAnEffectSize) {
  Truth truth = planted(3);
  truth.invocations = 10;
  const Contrast ten = compared(truth).contrasts.at(0);
  EXPECT_EQ(ten.p_method, PMethod::kSignFlip);
  EXPECT_EQ(*ten.p_value, 2 / 1024.0) << "all ten agree";
  EXPECT_EQ(ten.adjusted_p_value, ten.p_value) << "the only contrast";
  EXPECT_GT(*ten.effect_size, 3);
  EXPECT_NEAR(*ten.deviation, 0.002 * std::sqrt(2), 0.0015);
  truth.invocations = 5;
  const Contrast five = compared(truth).contrasts.at(0);
  EXPECT_EQ(five.p_method, PMethod::kStudent) << "five signs cannot give a p below 0.06";
  EXPECT_EQ(*five.sign_flip_p, 1 / 16.0);
  EXPECT_EQ(five.verdict, Verdict::kWorse);
}

TEST(Comparison, HoldsAllContrastsOfTheRunToOneLevel) {
  Truth truth;
  truth.costs.assign(24, 100);
  truth.costs[1] = 101.2;
  truth.arm_noise = 0.0035;
  truth.invocations = 6;
  int alone = 0, among_many = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    truth.seed = seed;
    const Contrast contrast = compared(truth).contrasts.at(0);
    alone += *contrast.p_value <= 0.05;
    among_many += *contrast.adjusted_p_value <= 0.05;
    EXPECT_TRUE(contrast.verdict != Verdict::kWorse || *contrast.adjusted_p_value <= 0.05);
  }
  EXPECT_GT(alone, 30);
  EXPECT_LT(among_many, alone / 2);
}

TEST(Comparison, SubtractsTheEmptyLoop) {
  Truth truth = planted(50);
  truth.overhead = 200;
  truth.arm_noise = truth.block_noise = truth.slice_noise = 0;
  const auto condition = compared(truth, true);
  const Contrast& contrast = condition.contrasts.at(0);
  EXPECT_NEAR(*contrast.ratio.value, 1.5, 1e-9);
  EXPECT_NEAR(*contrast.raw_ratio.value, 350.0 / 300, 1e-9);
  EXPECT_NEAR(*contrast.arm_cost.value, 150, 1e-9);
  EXPECT_NEAR(*contrast.raw_arm_cost.value, 350, 1e-9);
  EXPECT_NEAR(*condition.empty_cost.value, 200, 1e-9);
  const auto blocks = blocks_of(truth, true);
  const auto raw = compare_run(run_of(truth, true), feed(blocks), {}, {CostBasis::kRaw});
  EXPECT_NEAR(*raw->conditions[0].contrasts[0].ratio.value, 350.0 / 300, 1e-9);
}

TEST(Comparison, ConditionsWithoutTheEmptyArmAreNotSubtractedFrom) {
  Truth truth;
  truth.costs = {100, 150, 100, 100};
  const auto blocks = blocks_of(truth, false);  // the run has the arm, this condition no slice of it
  const auto comparison = compare_run(run_of(truth, true), feed(blocks), {});
  const ConditionComparison& condition = comparison->conditions[0];
  EXPECT_FALSE(condition.empty_cost.value);
  EXPECT_NEAR(*condition.contrasts[0].ratio.value, 1.5, 0.01);
  EXPECT_EQ(condition.contrasts[0].ratio.value, condition.contrasts[0].raw_ratio.value);
}

TEST(Comparison, ACostThatIsNotAboveTheEmptyLoopIsUndecided) {
  Truth truth;
  truth.costs = {0.001, 0.002, 0.001, 0.001};
  truth.overhead = 100;
  const auto condition = compared(truth, true);
  const Contrast& contrast = condition.contrasts.at(0);
  EXPECT_EQ(contrast.verdict, Verdict::kUndecided);
  EXPECT_THAT(contrast.why, HasSubstr("not clearly above zero"));
  EXPECT_TRUE(contrast.raw_ratio.value);
  EXPECT_FALSE(contrast.ratio.value) << "it would be read beside costs that may be zero";
  EXPECT_FALSE(contrast.p_value);
  EXPECT_TRUE(contrast.arm_cost.value);
  const auto shares = compared(truth, true, {{"base", "v1", "first"}});
  EXPECT_TRUE(shares.shares.empty());
  EXPECT_THAT(shares.shares_note, HasSubstr("not clearly above zero"));
}

TEST(Comparison, ARatioOfCostsThatMayBeZeroIsNotGiven) {
  Truth truth;
  truth.costs = {2, 1, 2, 2};
  truth.overhead = 10;
  truth.arm_noise = truth.block_noise = truth.slice_noise = 0;
  auto blocks = blocks_of(truth, true);
  for (BlockRecord& block : blocks)
    if (block.invocation == 0)
      for (SliceRecord& slice : block.slices) slice.ticks *= 100;
  const auto comparison = compare_run(run_of(truth, true), feed(blocks), {{"base", "v1", "first"}});
  ASSERT_TRUE(comparison);
  const ConditionComparison& condition = comparison->conditions.at(0);
  const Contrast& contrast = condition.contrasts.at(0);
  EXPECT_LE(*contrast.arm_cost.low, 0);
  EXPECT_FALSE(contrast.ratio.value) << *contrast.ratio.value;
  EXPECT_FALSE(contrast.p_value);
  EXPECT_NEAR(*contrast.raw_ratio.value, 11 / 12.0, 1e-6);
  EXPECT_THAT(contrast.why, HasSubstr("only the change with the loop is known"));
  EXPECT_TRUE(condition.shares.empty());
}

TEST(Comparison, SharesOfTheChangesAddUp) {
  Truth truth;
  truth.costs = {100, 98, 90, 80, 100, 100};
  const std::vector<ChangeStep> steps{{"base", "v1", "first"}, {"v1", "v2", "second"}, {"v2", "v3", "third"}};
  const auto condition = compared(truth, false, steps);
  ASSERT_EQ(condition.shares.size(), 3u) << condition.shares_note;
  double sum = 0, product = 1;
  for (const ChangeShare& share : condition.shares) sum += share.share, product *= *share.ratio.value;
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_NEAR(product, *condition.contrasts.at(2).ratio.value, 1e-12);
  EXPECT_NEAR(condition.shares[2].share, std::log(80 / 90.0) / std::log(0.8), 0.05);
  EXPECT_EQ(condition.shares[1].change, "second");
}

TEST(Comparison, SharesNeedADifferenceAndEveryArm) {
  const std::vector<ChangeStep> steps{{"base", "v1", "first"}};
  EXPECT_THAT(compared(planted(0), false, steps).shares_note, HasSubstr("not beyond the noise floor"));
  Truth few = planted(5);
  few.invocations = 3;
  EXPECT_THAT(compared(few, false, steps).shares_note,
              AllOf(HasSubstr("an interval needs 5"), Not(HasSubstr("noise floor"))));
  const std::vector<ChangeStep> longer{{"base", "v1", "first"}, {"v1", "v9", "second"}};
  const auto condition = compared(planted(5), false, longer);
  EXPECT_TRUE(condition.shares.empty());
  EXPECT_THAT(condition.shares_note, HasSubstr("lacks the arm v9"));
  const std::vector<ChangeStep> broken{{"base", "v1", "first"}, {"base", "v1", "second"}};
  const std::vector<BlockRecord> none;
  EXPECT_FALSE(compare_run(run_of(planted(0)), feed(none), broken));
}

TEST(Comparison, TheHeadlineIsTheEndOfTheChain) {
  Truth truth;
  truth.costs = {100, 98, 90, 100, 100};
  const std::vector<BlockRecord> none;
  EXPECT_EQ(compare_run(run_of(truth), feed(none), {{"base", "v2", "x"}})->headline, "v2");
  EXPECT_EQ(compare_run(run_of(truth), feed(none), {})->headline, "v1");
}

TEST(Comparison, EveryCpuWeighsTheSame) {
  Truth truth = planted(0);
  truth.cpus = {4, 7};
  truth.arm_noise = truth.block_noise = truth.slice_noise = 0;
  auto blocks = blocks_of(truth);
  for (BlockRecord& block : blocks)
    for (SliceRecord& slice : block.slices)
      if (slice.cpu == 7) slice.operations /= 2;  // 200 ticks per operation
  const auto condition = compare_run(run_of(truth), feed(blocks), {})->conditions.at(0);
  EXPECT_NEAR(*condition.contrasts.at(0).baseline_cost.value, 150, 1e-9);
  ASSERT_EQ(condition.cpu_costs.size(), 8u);
  EXPECT_NEAR(condition.cpu_costs[1].ticks, 200, 1e-9);
  EXPECT_EQ(condition.cpu_costs[1].cpu, 7);
}

TEST(Comparison, DiscardedBlocksAreCountedAndNotUsed) {
  const Truth truth = planted(0);
  auto blocks = blocks_of(truth);
  for (std::size_t i = 0; i < blocks.size(); i += 4) {
    blocks[i].discarded = "cpu 0: 2 migrations";
    for (SliceRecord& slice : blocks[i].slices) slice.ticks *= slice.arm == 1 ? 100 : 1;
  }
  blocks[1].slices.clear();
  const auto condition = compare_run(run_of(truth), feed(blocks), {})->conditions.at(0);
  EXPECT_EQ(condition.blocks_discarded, 25);
  EXPECT_EQ(condition.blocks_used, 71);
  EXPECT_THAT(condition.discard_reasons, ElementsAre("cpu 0: 2 migrations (24 blocks)",
                                                     "the baseline did no operation on one of the CPUs (1 block)"));
  EXPECT_NEAR(*condition.contrasts.at(0).ratio.value, 1, 0.01);
}

void expect_no_number(const ConditionComparison& condition) {
  for (const Contrast& contrast : condition.contrasts) {
    EXPECT_EQ(contrast.verdict, Verdict::kUndecided);
    EXPECT_FALSE(contrast.why.empty());
    for (const Estimate& estimate : {contrast.ratio, contrast.arm_cost})
      EXPECT_FALSE(estimate.value || estimate.low || estimate.high);
  }
}

TEST(Comparison, WithoutUsableBlocksThereIsNoNumber) {
  const Truth truth = planted(0);
  const std::vector<BlockRecord> none;
  expect_no_number(compare_run(run_of(truth), feed(none), {})->conditions.at(0));
  auto blocks = blocks_of(truth);
  for (BlockRecord& block : blocks) block.discarded = "why not";
  expect_no_number(compare_run(run_of(truth), feed(blocks), {})->conditions.at(0));
  blocks = blocks_of(truth);
  for (BlockRecord& block : blocks)
    for (SliceRecord& slice : block.slices) slice.operations = slice.arm == 1 ? 0 : slice.operations;
  expect_no_number(compare_run(run_of(truth), feed(blocks), {})->conditions.at(0));
}

TEST(Comparison, ExtremeNumbersGiveNoInfinity) {
  for (const std::uint64_t ticks : {std::uint64_t{0}, ~std::uint64_t{0}})
    for (const std::uint64_t operations : {std::uint64_t{1}, ~std::uint64_t{0}}) {
      const Truth truth = planted(0);
      auto blocks = blocks_of(truth);
      for (BlockRecord& block : blocks)
        for (SliceRecord& slice : block.slices)
          if (slice.arm == 1) slice.ticks = ticks, slice.operations = operations;
      const auto condition = compare_run(run_of(truth), feed(blocks), {})->conditions.at(0);
      const Contrast& contrast = condition.contrasts.at(0);
      for (const Estimate& e : {contrast.ratio, contrast.raw_ratio, contrast.arm_cost, contrast.baseline_cost})
        for (const auto& value : {e.value, e.low, e.high}) EXPECT_TRUE(!value || std::isfinite(*value));
      if (ticks == 0) {
        EXPECT_EQ(contrast.verdict, Verdict::kUndecided);
        EXPECT_FALSE(contrast.ratio.value);
      }
    }
}

TEST(Comparison, StrayIndicesAreErrorsNotCrashes) {
  const Truth truth = planted(0);
  auto blocks = blocks_of(truth);
  blocks[3].slices[0].arm = 99;
  blocks[4].slices[0].arm = -1;
  EXPECT_EQ(compare_run(run_of(truth), feed(blocks), {})->conditions.at(0).blocks_discarded, 2);
  blocks[5].condition = 7;
  EXPECT_THAT(compare_run(run_of(truth), feed(blocks), {}).error().message, HasSubstr("block of condition 7"));
  RunRecord empty;
  EXPECT_FALSE(compare_run(empty, feed(blocks), {}));
}

TEST(Comparison, ReadingsAreSummedAndSayWhatIsMissing) {
  const Truth truth = planted(0);
  auto blocks = blocks_of(truth);
  const Reading counted{"page-faults", "papi", "count", -1, -1, "", "", 2.0, Quality::kExact, "", ""};
  Reading absent = counted, never = counted;
  absent.value.reset(), absent.quality = Quality::kUnavailable, absent.reason = "no room";
  never = absent, never.event = "fills", never.hint = "sysctl x";
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i].readings = {i == 0 ? absent : counted, never};
  const auto readings = compare_run(run_of(truth), feed(blocks), {})->conditions.at(0).readings;
  ASSERT_EQ(readings.size(), 2u);
  EXPECT_EQ(readings[0].event, "fills");
  EXPECT_FALSE(readings[0].value);
  EXPECT_EQ(readings[0].quality, Quality::kUnavailable);
  EXPECT_EQ(readings[0].hint, "sysctl x");
  EXPECT_EQ(readings[1].value, 190.0);
  EXPECT_EQ(readings[1].reason, "counted in 95 of 96 blocks: no room");
}

TEST(Comparison, PhasesAreSummarised) {
  const Truth truth = planted(0);
  auto blocks = blocks_of(truth);
  for (BlockRecord& block : blocks)
    for (SliceRecord& slice : block.slices)
      if (slice.arm == 1 && block.block < 3) slice.phase = 1;
  EXPECT_THAT(compare_run(run_of(truth), feed(blocks), {})->conditions.at(0).phases,
              ElementsAre("base, null:same, null:copy: saturated 100 % of slices",
                          "v1: accumulating 25 %, saturated 75 % of slices"));
}

TEST(SameChange, RefusesWhatElseDiffers) {
  Contrast contrast;
  contrast.arm = "packed6", contrast.baseline = "percall7";
  contrast.differing_aspects = {"slots", "statistics", "inlining"};
  EXPECT_TRUE(check_same_change(contrast, {"inlining", "statistics", "slots", "more"}));
  const auto refused = check_same_change(contrast, {"slots"});
  EXPECT_EQ(refused.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(refused.error().message, HasSubstr("also in statistics, inlining"));
  EXPECT_FALSE(check_same_change(contrast, {}));
}

}  // namespace
}  // namespace hitmark
