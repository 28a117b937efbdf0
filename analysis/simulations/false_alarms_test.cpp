// A/A: identical arms called better or worse must not exceed 5 % significantly, whatever the noise.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "analysis/simulations/simulated_run.hpp"
#include "analysis/simulations/simulation.hpp"

namespace hitmark::simulations {
namespace {

struct Design {
  int invocations;
  double between;
};
// With a process's shift that dominates, and without any.
constexpr Design kDesigns[] = {{5, 0}, {5, 0.02}, {10, 0}, {10, 0.02}, {20, 0}, {20, 0.02}};

class FalseAlarms : public testing::TestWithParam<Noise> {};

// The test alone (nulls that are exact). The runs of a noise take the designs in turn.
TEST_P(FalseAlarms, AreNoMoreThanFivePercent) {
  const int runs = many(200, 2000);
  int alarms = 0, by_p = 0;
  for (int run = 0; run < runs; ++run) {
    std::mt19937_64 random(kSession + 100'000u * static_cast<unsigned>(GetParam()) + static_cast<unsigned>(run));
    const Design& design = kDesigns[run % 6];
    const Contrast contrast =
        judged({GetParam(), {8, design.between, 0.01}, {0}, design.invocations}, random).contrasts.at(0);
    alarms += is_alarm(contrast.verdict);
    by_p += *contrast.p_value <= 0.05;
  }
  std::printf("%-14s: %d alarms of %d, %d by p alone\n", std::string(testing_noise::name_of(GetParam())).c_str(),
              alarms, runs, by_p);
  EXPECT_LE(alarms, most_alarms(runs));
  EXPECT_LE(by_p, most_alarms(runs, 0.05, 0.005));
}

// As users run it, with nulls that are as noisy as the arms: the guard leaves next to nothing.
TEST_P(FalseAlarms, WithTheNoiseFloorAreRare) {
  const int runs = many(200, 2000);
  int alarms = 0;
  for (int run = 0; run < runs; ++run) {
    std::mt19937_64 random(kSession + 100'000u * (60 + static_cast<unsigned>(GetParam())) + static_cast<unsigned>(run));
    alarms += is_alarm(judged({GetParam(), {8, 0.002, 0.01}, {0}, 8, false}, random).contrasts.at(0).verdict);
  }
  std::printf("%-14s  8 invocations, with the floor: %d alarms of %d\n",
              std::string(testing_noise::name_of(GetParam())).c_str(), alarms, runs);
  EXPECT_LE(alarms, most_alarms(runs, 0.01));
}

INSTANTIATE_TEST_SUITE_P(Noises, FalseAlarms, testing::ValuesIn(testing_noise::kAllNoise), [](const auto& parameter) {
  std::string name(testing_noise::name_of(parameter.param));
  std::erase(name, '-');
  return name;
});

// Code at another place costs 1 % more, or less; an arm that differs by just as much may be nothing else.
TEST(FalseAlarmsOfPlacement, OfWhatTheNullsDoAsWellAreNoMoreThanFivePercent) {
  const int runs = many(200, 2000);
  for (const double copy : {0.01, -0.01}) {
    int alarms = 0;
    for (int run = 0; run < runs; ++run) {
      std::mt19937_64 random(kSession + (copy < 0 ? 8'000'000u : 8'500'000u) + static_cast<unsigned>(run));
      alarms +=
          is_alarm(judged({Noise::kNormal, {4, 0.002, 0.01}, {0.01}, 20, false, copy}, random).contrasts.at(0).verdict);
    }
    std::printf("+1 %% beside a copy that costs %+.0f %%: %d alarms of %d\n", 100 * copy, alarms, runs);
    EXPECT_LE(alarms, most_alarms(runs));
  }
}

// Ten identical variants in one table: any alarm among them counts. Without Holm's correction the same bound fails.
TEST(FalseAlarmsOfATable, AreNoMoreThanFivePercentOfTables) {
  const int runs = many(200, 2000);
  int with_holm = 0, without = 0;
  for (int run = 0; run < runs; ++run) {
    std::mt19937_64 random(kSession + 9'000'000u + static_cast<unsigned>(run));
    SimulatedRun simulated;
    simulated.effects.assign(10, 0);
    simulated.process.blocks = 4;
    bool alarm = false, alarm_without = false;
    for (const Contrast& contrast : judged(simulated, random).contrasts) {
      alarm |= is_alarm(contrast.verdict);
      alarm_without |= *contrast.p_value <= 0.05;
    }
    with_holm += alarm, without += alarm_without;
  }
  std::printf("tables of 10 contrasts: %d alarms of %d, without Holm %d\n", with_holm, runs, without);
  EXPECT_LE(with_holm, most_alarms(runs));
  EXPECT_GT(without, most_alarms(runs));
}

}  // namespace
}  // namespace hitmark::simulations
