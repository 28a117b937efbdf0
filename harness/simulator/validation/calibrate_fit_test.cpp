#include "harness/simulator/validation/calibrate_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hitmark::simulator {
namespace {

Result<Fit> fit(double target, double (*cost)(double lines), unsigned most = 4096) {
  return fit_pressure(target, most, [cost](unsigned lines) -> Result<double> { return cost(lines); });
}

TEST(CalibrateFit, FindsThePressureOfARisingCost) {
  const auto found = fit(88, [](double lines) { return 40 + 0.1 * lines; });
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->reached) << found->reason;
  EXPECT_TRUE(found->monotone);
  EXPECT_NEAR(found->cycles, 88, 0.88);
  EXPECT_NEAR(found->lines, 480, 9);
  EXPECT_LE(found->points.size(), 20u);
}

TEST(CalibrateFit, TakesTheNearerSideOfAJump) {
  const auto found = fit(88, [](double lines) { return lines < 300 ? 50.0 : 90.0; });
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->reached);
  EXPECT_GE(found->lines, 300u);
}

TEST(CalibrateFit, RefusesATargetThatNoPressureReaches) {
  const auto found = fit(88, [](double lines) { return 40 + 20 * lines / (lines + 100); });
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->reached);
  EXPECT_NE(found->reason.find("no pressure makes it 88.0 cycles"), std::string::npos) << found->reason;
  EXPECT_NE(found->reason.find("256 KiB"), std::string::npos) << found->reason;
}

TEST(CalibrateFit, RefusesATargetBelowTheCostWithoutPressure) {
  const auto found = fit(88, [](double lines) { return 120 + lines; });
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->reached);
  EXPECT_NE(found->reason.find("without any pressure"), std::string::npos) << found->reason;
}

TEST(CalibrateFit, RefusesATargetThatTheCostJumpsPast) {
  const auto found = fit(88, [](double lines) { return lines < 300 ? 50.0 : 130.0; });
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->reached);
  EXPECT_NE(found->reason.find("jumps past"), std::string::npos) << found->reason;
}

TEST(CalibrateFit, SaysWhenTheCostDoesNotRise) {
  const auto found = fit(88, [](double lines) { return 60 + 30 * std::sin(lines / 150) + 0.005 * lines; });
  ASSERT_TRUE(found);
  EXPECT_TRUE(fit(300, [](double lines) { return 60 + 30 * std::sin(lines / 150) + 0.005 * lines; })->monotone ==
              false);
}

TEST(CalibrateFit, PassesAnErrorOn) {
  const auto found = fit_pressure(88, 100, [](unsigned lines) -> Result<double> {
    if (lines > 0) return Error{ErrorKind::kUnavailable, "no room", ""};
    return 1.0;
  });
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message, "no room");
}

}  // namespace
}  // namespace hitmark::simulator
