// What is there is found, with the right sign, as often as the noncentral t distribution says.
#include "analysis/statistics/power.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <regex>
#include <string>

#include "analysis/simulations/simulated_run.hpp"
#include "analysis/simulations/simulation.hpp"

namespace hitmark::simulations {
namespace {

struct Found {
  int right = 0, wrong = 0;
};

Found found(const SimulatedRun& simulated, int runs, unsigned series) {
  Found count;
  for (int run = 0; run < runs; ++run) {
    std::mt19937_64 random(kSession + 100'000u * series + static_cast<unsigned>(run));
    const Verdict verdict = judged(simulated, random).contrasts.at(0).verdict;
    count.right += verdict == Verdict::kWorse;
    count.wrong += verdict == Verdict::kBetter;
  }
  return count;
}

// Processes that shift an arm by 0.2 %, blocks that vary by 1 %: a quiet host.
TEST(PlantedEffects, AreFoundAndNeverWithTheWrongSign) {
  const int runs = many(200, 2000);
  unsigned series = 500;
  struct Case {
    double percent;
    int invocations;
    double at_least;  // with the noise floor of nulls that are as noisy
  };
  for (const Case& planted :
       {Case{3, 5, 0.99}, Case{3, 10, 0.99}, Case{1, 5, 0}, Case{1, 10, 0.9}, Case{0.5, 10, 0}, Case{0.5, 20, 0}}) {
    SimulatedRun simulated{Noise::kNormal, {40, 0.002, 0.01}, {std::log1p(planted.percent / 100)}, planted.invocations};
    const Found alone = found(simulated, runs, ++series);
    simulated.exact_nulls = false;
    const Found guarded = found(simulated, runs, ++series);
    std::printf("+%.1f %%, %2d invocations: found %5.1f %% of %d, without the floor %5.1f %%; wrong sign %d, %d\n",
                planted.percent, planted.invocations, 100.0 * guarded.right / runs, runs, 100.0 * alone.right / runs,
                guarded.wrong, alone.wrong);
    EXPECT_GE(guarded.right, planted.at_least * runs);
    EXPECT_EQ(guarded.wrong, 0);
    EXPECT_LE(alone.wrong, 0.025 * runs);
  }
}

TEST(PlantedEffects, AreFoundAsOftenAsPowerSays) {
  const int runs = many(500, 10'000);
  for (const double between : {0.004, 0.008}) {
    // 5 invocations: Student's p, as in the formula. The blocks' noise is next to nothing.
    const Found count = found({Noise::kNormal, {1, between, 1e-6}, {0.01}, 5}, runs, between < 0.005 ? 520 : 521);
    const double power = power_of({between * std::sqrt(2), 5, true}, 0.01);
    std::printf("power by the formula %.3f, simulated %.3f\n", power, double(count.right) / runs);
    EXPECT_NEAR(count.right / double(runs), power, 4 * std::sqrt(power * (1 - power) / runs));
  }
}

// "about N more invocations would decide" is about right: with so many more, no less than a third of new runs are
// decided; in the session, two thirds were.
TEST(Undecided, SaysHowManyMoreWouldDecide) {
  const int runs = many(100, 1000);
  int undecided = 0, decided = 0;
  const std::regex about("about ([0-9]+) more");
  for (int run = 0; run < runs; ++run) {
    std::mt19937_64 random(kSession + 53'000'000u + static_cast<unsigned>(run));
    SimulatedRun simulated{Noise::kNormal, {4, 0.005, 0.01}, {0.012}, 8, false};
    const Contrast first = judged(simulated, random).contrasts.at(0);
    std::smatch more;
    if (first.verdict != Verdict::kUndecided || !std::regex_search(first.why, more, about)) continue;
    ++undecided;
    simulated.invocations += std::min(200, std::stoi(more[1]));
    decided += judged(simulated, random).contrasts.at(0).verdict != Verdict::kUndecided;
  }
  std::printf("of %d undecided runs %d are decided by a new run with as many more as was said\n", undecided, decided);
  EXPECT_GE(undecided, runs / 4);
  EXPECT_GE(decided, undecided / 3);
}

// Two arms that differ by the margin itself must not be called equivalent in more than one of twenty runs.
TEST(Equivalence, IsRarelySaidOfWhatDiffersByTheMargin) {
  const int runs = many(200, 2000);
  int equivalent = 0;
  for (int run = 0; run < runs; ++run) {
    std::mt19937_64 random(kSession + 54'000'000u + static_cast<unsigned>(run));
    equivalent +=
        judged({Noise::kNormal, {4, 0.002, 0.01}, {std::log1p(0.01)}, 10, false}, random).contrasts.at(0).verdict ==
        Verdict::kEquivalent;
  }
  std::printf("a true difference of 1 %%: %d of %d equivalent\n", equivalent, runs);
  EXPECT_LE(equivalent, most_alarms(runs));
}

}  // namespace
}  // namespace hitmark::simulations
