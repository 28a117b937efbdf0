// Against R's documentation of power.t.test, whose default, like ours, counts the right sign alone.
#include "analysis/statistics/power.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "analysis/statistics/interval.hpp"

namespace hitmark {
namespace {

// power.t.test(n = 20, delta = 1, sd = 1): power = 0.8689528; power.t.test(power = .90, delta = 1): n = 22.02110.
TEST(Power, IsWhatRPrints) {
  EXPECT_NEAR(power_of({1, 20}, 1), 0.8689528, 1e-6);
  EXPECT_EQ(runs_needed({1}, 1, 0.9), 23);
  EXPECT_LT(power_of({1, 22}, 1), 0.9);
  EXPECT_GE(power_of({1, 23}, 1), 0.9);
}

TEST(Power, DetectableEffectIsItsInverse) {
  for (const bool paired : {false, true})
    for (const int n : {2, 3, 5, 20, 200})
      for (const double power : {0.5, 0.8, 0.95}) {
        const PowerDesign design{0.02, n, paired};
        const double effect = detectable_effect(design, power);
        EXPECT_NEAR(power_of(design, effect), power, 1e-6) << n;
        EXPECT_NEAR(power_of(design, -effect), power, 1e-6) << n;
        EXPECT_NEAR(detectable_effect({0.04, n, paired}, power), 2 * effect, 1e-6);
      }
}

TEST(Power, OfNoEffectIsHalfTheLevelAndOfAHugeOneIsOne) {
  EXPECT_NEAR(power_of({1, 5}, 0), 0.025, 1e-12);
  EXPECT_NEAR(power_of({1, 5}, 1e-9), 0.025, 1e-6);
  EXPECT_EQ(power_of({1e-9, 5}, 1), 1);
  EXPECT_FALSE(runs_needed({1}, 1e-9, 0.8, 1000));
  EXPECT_EQ(runs_needed({1e-6}, 1, 0.8), 2);
}

// What is computed is what happens: 4,000 pairs of averages of 3, and as many of 8 differences.
TEST(Power, IsWhatASimulationFinds) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  constexpr int kRuns = 4000;
  int found = 0, wrong = 0, beyond = 0, paired_found = 0;
  const PowerDesign three{1, 3}, eight{1, 8, true};
  for (int run = 0; run < kRuns; ++run) {
    double a[3], b[3], mean_a = 0, mean_b = 0, squares = 0;
    for (double& x : a) x = normal(random), mean_a += x / 3;
    for (double& x : b) x = 2 + normal(random), mean_b += x / 3;
    for (const double x : a) squares += (x - mean_a) * (x - mean_a);
    for (const double x : b) squares += (x - mean_b) * (x - mean_b);
    const double t = (mean_b - mean_a) / std::sqrt(squares / 4 * 2 / 3);
    found += t > student_quantile(0.975, 4);
    wrong += mean_b < mean_a;
    beyond += std::abs(mean_b - mean_a - 2) > null_difference(three);
    std::vector<double> differences(8);
    for (double& x : differences) x = 1 + normal(random);
    paired_found += *student_interval(differences).low > 0;
  }
  const auto near = [&](int count, double chance) {
    EXPECT_NEAR(count / double{kRuns}, chance, 4 * std::sqrt(chance * (1 - chance) / kRuns));
  };
  near(found, power_of(three, 2));
  near(wrong, wrong_order(three, 2));
  near(beyond, 0.05);
  near(paired_found, power_of(eight, 1));
}

}  // namespace
}  // namespace hitmark
