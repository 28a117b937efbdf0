// A/A: identical arms called better or worse must not exceed 5 % significantly, whatever the noise.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "analysis/simulations/simulated_run.hpp"
#include "analysis/simulations/simulation.hpp"

namespace hitmark::simulations {
namespace {

TEST(Simulations, BoundsAreThoseOfTheExactBinomial) {
  EXPECT_EQ(most_alarms(2000), 116);
  EXPECT_EQ(most_alarms(160), 13);
  EXPECT_EQ(most_alarms(160, 0.01), 4);
  EXPECT_EQ(counts_within(10'000, 0.95, 0.95, 0.025).fewest, 9457);
}

struct Alarms {
  int runs = 0, by_verdict = 0, by_p = 0;
};

Alarms alarms_of(const SimulatedRun& simulated, int runs, unsigned series) {
  Alarms alarms{runs, 0, 0};
  for (int run = 0; run < runs; ++run) {
    std::mt19937_64 random(kSession + 100'000u * series + static_cast<unsigned>(run));
    const Contrast contrast = judged(simulated, random).contrasts.at(0);
    alarms.by_verdict += is_alarm(contrast.verdict);
    alarms.by_p += *contrast.p_value <= 0.05;
  }
  return alarms;
}

class FalseAlarms : public testing::TestWithParam<Noise> {};

// The test alone (nulls that are exact), with a process's shift that dominates, and without any.
TEST_P(FalseAlarms, AreNoMoreThanFivePercent) {
  const int runs = many(200, 2000);
  unsigned series = 10 * static_cast<unsigned>(GetParam());
  for (const int invocations : {5, 10, 20})
    for (const double between : {0.0, 0.02}) {
      const SimulatedRun simulated{GetParam(), {8, between, 0.01}, {0}, invocations};
      const Alarms alarms = alarms_of(simulated, runs, ++series);
      std::printf("%-14s %2d invocations, between %.3f: %3d alarms of %d, %3d by p alone\n",
                  std::string(testing_noise::name_of(GetParam())).c_str(), invocations, between, alarms.by_verdict,
                  runs, alarms.by_p);
      EXPECT_LE(alarms.by_verdict, most_alarms(runs)) << invocations << " " << between;
      EXPECT_LE(alarms.by_p, most_alarms(runs)) << invocations << " " << between;
    }
}

// As users run it, with nulls that are as noisy as the arms: the guard leaves next to nothing.
TEST_P(FalseAlarms, WithTheNoiseFloorAreRare) {
  const int runs = many(200, 2000);
  SimulatedRun simulated{GetParam(), {8, 0.002, 0.01}, {0}, 8, false};
  const Alarms alarms = alarms_of(simulated, runs, 60 + static_cast<unsigned>(GetParam()));
  std::printf("%-14s  8 invocations, with the floor: %d alarms of %d\n",
              std::string(testing_noise::name_of(GetParam())).c_str(), alarms.by_verdict, runs);
  EXPECT_LE(alarms.by_verdict, most_alarms(runs, 0.01));
}

INSTANTIATE_TEST_SUITE_P(Noises, FalseAlarms, testing::ValuesIn(testing_noise::kAllNoise), [](const auto& parameter) {
  std::string name(testing_noise::name_of(parameter.param));
  std::erase(name, '-');
  return name;
});

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
