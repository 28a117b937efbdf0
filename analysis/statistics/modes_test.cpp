#include "analysis/statistics/modes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace hitmark {
namespace {

using testing::SizeIs;

std::vector<double> around(const std::vector<double>& centres, int each, double spread, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> values;
  for (int i = 0; i < each; ++i)
    for (const double centre : centres) values.push_back(centre * std::exp(spread * normal(random)));
  return values;
}

TEST(Modes, FindsPlantedOnesAndWhoBelongsToThem) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    const Modes modes = modes_of(around({62, 27, 250}, 40, 0.05, seed));
    ASSERT_THAT(modes.centres, SizeIs(3)) << seed;
    // The median of 40 has a standard error of 1 %; four of them.
    EXPECT_NEAR(std::log(modes.centres[0] / 27), 0, 0.04);
    EXPECT_NEAR(std::log(modes.centres[1] / 62), 0, 0.04);
    EXPECT_NEAR(std::log(modes.centres[2] / 250), 0, 0.04);
    for (std::size_t i = 0; i < modes.of.size(); ++i) EXPECT_EQ(modes.of[i], i % 3 == 0 ? 1 : i % 3 == 1 ? 0 : 2);
  }
}

// One kind of value, however spread or skewed, is one mode: at most 5 of 100 samples of each are split.
TEST(Modes, DoesNotSplitWhatIsOneKind) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(1, 3);
  std::exponential_distribution<double> exponential;
  int split_normal = 0, split_uniform = 0, split_skewed = 0;
  for (int sample = 0; sample < 100; ++sample) {
    std::vector<double> a, b, c;
    for (int i = 0; i < 100; ++i) {
      a.push_back(60 * std::exp(0.3 * normal(random)));
      b.push_back(uniform(random));
      c.push_back(60 * std::exp(0.5 * exponential(random)));
    }
    split_normal += modes_of(a).centres.size() > 1;
    split_uniform += modes_of(b).centres.size() > 1;
    split_skewed += modes_of(c).centres.size() > 1;
  }
  EXPECT_LE(split_normal, 5);
  EXPECT_LE(split_uniform, 5);
  EXPECT_LE(split_skewed, 5);
}

TEST(Modes, FewStrayValuesAreNoMode) {
  auto values = around({27}, 100, 0.05, 9);
  values.push_back(400);
  values.push_back(500);
  EXPECT_THAT(modes_of(values).centres, SizeIs(1));
}

TEST(Modes, OfEqualFewAndNoValues) {
  EXPECT_THAT(modes_of({}).centres, SizeIs(0));
  EXPECT_THAT(modes_of(std::vector<double>{5}).centres, SizeIs(1));
  EXPECT_THAT(modes_of(std::vector<double>(50, 5.0)).centres, SizeIs(1));
  EXPECT_THAT(modes_of(around({10, 20}, 10, 0, 1)).centres, SizeIs(2)) << "no spread at all";
}

}  // namespace
}  // namespace hitmark
