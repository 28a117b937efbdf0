// One p of 0.01 among many is what chance brings.
#include "analysis/contrast_correction.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hitmark {
namespace {

using testing::HasSubstr;

Contrast found(double p, int invocations = 8) {
  Contrast contrast;
  contrast.ratio = {1.05, 1.02, 1.08};
  contrast.deviation = 0.02;
  contrast.p_value = p;
  contrast.sign_flip_p = p / 2;
  contrast.verdict = Verdict::kWorse;
  contrast.invocations = invocations;
  return contrast;
}

RunComparison of(std::vector<Contrast> contrasts) {
  RunComparison comparison;
  for (Contrast& contrast : contrasts) {
    comparison.conditions.emplace_back();
    comparison.conditions.back().contrasts.push_back(std::move(contrast));
  }
  correct_for_all_contrasts(comparison);
  return comparison;
}

TEST(ContrastCorrection, TakesBackWhatDoesNotSurviveTheOtherContrasts) {
  std::vector<Contrast> ten(10, found(0.5));
  for (Contrast& contrast : ten) contrast.verdict = Verdict::kUndecided;
  ten[3] = found(0.01);
  const RunComparison comparison = of(ten);
  const Contrast& contrast = comparison.conditions[3].contrasts[0];
  EXPECT_EQ(contrast.verdict, Verdict::kUndecided);
  EXPECT_NEAR(*contrast.adjusted_p_value, 0.1, 1e-12);
  EXPECT_THAT(contrast.why, HasSubstr("p is 0.01, but 0.1 after Holm's correction for the 10 contrasts of this run"));
  EXPECT_THAT(contrast.why, HasSubstr("more invocation"));
  EXPECT_EQ(comparison.conditions[0].contrasts[0].adjusted_p_value, 1.0);
}

TEST(ContrastCorrection, LeavesWhatSurvives) {
  const RunComparison alone = of({found(0.01)});
  EXPECT_EQ(alone.conditions[0].contrasts[0].verdict, Verdict::kWorse);
  EXPECT_EQ(alone.conditions[0].contrasts[0].adjusted_p_value, 0.01);
  std::vector<Contrast> ten(10, found(0.5));
  ten[9] = found(0.004);
  EXPECT_EQ(of(ten).conditions[9].contrasts[0].verdict, Verdict::kWorse);
}

TEST(ContrastCorrection, WhatIsTakenBackMayStillBeEquivalent) {
  Contrast small = found(0.2);
  small.ratio = {1.005, 1.002, 1.008};
  const RunComparison comparison = of({small, found(0.9)});
  EXPECT_EQ(comparison.conditions[0].contrasts[0].verdict, Verdict::kEquivalent);
  EXPECT_THAT(comparison.conditions[0].contrasts[0].why, HasSubstr("within 1.0 %"));
}

TEST(ContrastCorrection, ContrastsWithoutAPValueDoNotCount) {
  Contrast none = found(0.04);
  none.p_value.reset(), none.sign_flip_p.reset();
  none.verdict = Verdict::kUndecided;
  const RunComparison comparison = of({none, found(0.04), none});
  EXPECT_EQ(comparison.conditions[1].contrasts[0].adjusted_p_value, 0.04);
  EXPECT_FALSE(comparison.conditions[0].contrasts[0].adjusted_p_value);
  EXPECT_EQ(comparison.conditions[0].contrasts[0].p_method, PMethod::kNone);
}

// Eight arrangements below what the correction asks for: nine invocations for one contrast, more for many.
TEST(ContrastCorrection, SignFlipsWhereThereAreEnoughOfThem) {
  const auto method = [](int invocations, std::size_t contrasts) {
    return of(std::vector<Contrast>(contrasts, found(0.01, invocations))).conditions[0].contrasts[0].p_method;
  };
  EXPECT_EQ(method(8, 1), PMethod::kStudent);
  EXPECT_EQ(method(9, 1), PMethod::kSignFlip);
  EXPECT_EQ(method(9, 33), PMethod::kStudent);
  EXPECT_EQ(method(14, 33), PMethod::kSignFlip);
  EXPECT_EQ(of({found(0.01, 9)}).conditions[0].contrasts[0].p_value, 0.005);
}

}  // namespace
}  // namespace hitmark
