#include "analysis/statistics/permutation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "analysis/statistics/interval.hpp"

namespace hitmark {
namespace {

// Darwin's maize, crossed minus self-fertilised height in eighths of an inch. Fisher, The Design of Experiments
// (1935), section 21: of the 2^15 arrangements 863 have a total as large, so 1,726 in both directions.
TEST(SignFlip, OfDarwinsMaizeIsFishersCount) {
  const std::vector<double> maize{49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48};
  EXPECT_EQ(sign_flip_p(maize), 1726 / 32768.0);
}

TEST(SignFlip, OfAgreeingSignsIsTheLeastThereIs) {
  for (int n = 1; n <= kExactSignFlips; ++n) {
    EXPECT_EQ(sign_flip_p(std::vector<double>(static_cast<std::size_t>(n), 0.1)), std::ldexp(1.0, 1 - n));
    EXPECT_EQ(least_sign_flip_p(n), std::ldexp(1.0, 1 - n));
  }
  EXPECT_EQ(sign_flip_p(std::vector<double>(40, 0.1)), 1e-4) << "never 0";
  EXPECT_EQ(least_sign_flip_p(40), 1e-4);
}

TEST(SignFlip, OfNothingIsOne) {
  EXPECT_EQ(sign_flip_p({}), 1);
  EXPECT_EQ(sign_flip_p(std::vector<double>(8, 0.0)), 1);
  EXPECT_EQ(sign_flip_p(std::vector<double>(30, 0.0)), 1);
  EXPECT_EQ(sign_flip_p(std::vector<double>{1, -1}), 1);
}

// Above sixteen values arrangements are drawn: near the exact p of the same values, which t is near to as well.
TEST(SignFlip, DrawnArrangementsAgreeWithStudentsT) {
  std::mt19937_64 random(8);
  std::normal_distribution<double> normal(0.5, 1);
  for (int sample = 0; sample < 20; ++sample) {
    std::vector<double> values(24);
    for (double& value : values) value = normal(random);
    const double p = sign_flip_p(values), student = *student_interval(values).p_value;
    EXPECT_NEAR(p, student, 0.02 + 0.25 * student);
    EXPECT_EQ(p, sign_flip_p(values));
  }
}

}  // namespace
}  // namespace hitmark
