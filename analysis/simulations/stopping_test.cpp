// A run that is looked at again and again until it is decided still alarms at no more than 5 %.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "analysis/simulations/simulated_run.hpp"
#include "analysis/simulations/simulation.hpp"
#include "analysis/until_decided.hpp"

namespace hitmark::simulations {
namespace {

struct Outcome {
  Verdict verdict = Verdict::kUndecided;
  int invocations = 0;
};

Outcome run_until_decided(SimulatedRun simulated, const StoppingPlan& plan, double margin, std::mt19937_64& random) {
  simulated.invocations = plan.invocations.back();
  const auto all = blocks_of(simulated, random);
  for (std::size_t look = 0;; ++look) {
    const int so_far = plan.invocations[look];
    const auto feed = [&](const std::function<void(const BlockRecord&)>& use) -> Result<void> {
      for (const BlockRecord& block : all)
        if (block.invocation < so_far) use(block);
      return {};
    };
    const auto judged_now = compare_run(record_of(simulated), feed, {}, {CostBasis::kNet, margin, plan.levels[look]});
    if (!go_on(plan, look, *judged_now)) return {judged_now->conditions[0].contrasts[0].verdict, so_far};
  }
}

int alarms_of(Noise noise, const StoppingPlan& plan, int runs, unsigned series) {
  int alarms = 0;
  for (int run = 0; run < runs; ++run) {
    std::mt19937_64 random(kSession + 100'000u * series + static_cast<unsigned>(run));
    // A margin that nothing lies within: nothing but an alarm ends a run early.
    const SimulatedRun simulated{noise, {4, 0.005, 0.01}, {0}, 0};
    alarms += is_alarm(run_until_decided(simulated, plan, 1e-9, random).verdict);
  }
  std::printf("%-14s %zu looks: %d alarms of %d\n", std::string(testing_noise::name_of(noise)).c_str(),
              plan.invocations.size(), alarms, runs);
  return alarms;
}

// The quick one ends before the bootstrap, which takes its time.
StoppingPlan plan_to_test() { return stopping_plan(5, many(16, 30)); }

class UntilDecided : public testing::TestWithParam<Noise> {};

TEST_P(UntilDecided, KeepsTheErrorRate) {
  const int runs = many(200, 2000);
  EXPECT_LE(alarms_of(GetParam(), plan_to_test(), runs, 400 + static_cast<unsigned>(GetParam())), most_alarms(runs));
}

INSTANTIATE_TEST_SUITE_P(Noises, UntilDecided, testing::ValuesIn(testing_noise::kAllNoise), [](const auto& parameter) {
  std::string name(testing_noise::name_of(parameter.param));
  std::erase(name, '-');
  return name;
});

// The mutant: the whole 5 % at every look.
TEST(UntilDecidedMutants, LooksAtTheFullLevelAlarmTooOften) {
  StoppingPlan plan = plan_to_test();
  plan.levels.assign(plan.levels.size(), 0.05);
  const int runs = many(200, 2000);
  EXPECT_GT(alarms_of(Noise::kNormal, plan, runs, 410), most_alarms(runs));
}

TEST(UntilDecided, EndsEarlyWhereTheAnswerIsClear) {
  const StoppingPlan plan = stopping_plan(5, 30);
  const int runs = many(50, 1000);
  int found = 0, invocations = 0, equivalent = 0;
  for (int run = 0; run < runs; ++run) {
    std::mt19937_64 random(kSession + 42'000'000u + static_cast<unsigned>(run));
    const Outcome three = run_until_decided({Noise::kNormal, {4, 0.005, 0.01}, {0.03}, 0}, plan, 0.01, random);
    found += three.verdict == Verdict::kWorse;
    invocations += three.invocations;
    equivalent += run_until_decided({Noise::kNormal, {4, 0.005, 0.01}, {0}, 0}, plan, 0.01, random).verdict ==
                  Verdict::kEquivalent;
  }
  std::printf("+3 %%: found in %d of %d, after %.1f invocations of 30; A/A: equivalent in %d\n", found, runs,
              double(invocations) / runs, equivalent);
  EXPECT_GE(found, 0.98 * runs);
  EXPECT_LE(invocations, 10 * runs);
  EXPECT_GE(equivalent, 0.9 * runs);
}

}  // namespace
}  // namespace hitmark::simulations
