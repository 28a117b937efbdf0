#include "analysis/statistics/holm.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hitmark {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

// R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") prints 0.03 0.06 0.06 0.02.
TEST(Holm, IsWhatRPrints) {
  const auto near = [](double p) { return DoubleNear(p, 1e-12); };
  EXPECT_THAT(holm_adjusted(std::vector<double>{0.01, 0.04, 0.03, 0.005}),
              ElementsAre(near(0.03), near(0.06), near(0.06), near(0.02)));
  EXPECT_THAT(holm_adjusted(std::vector<double>{0.9, 0.8}), ElementsAre(1.0, 1.0));
  EXPECT_THAT(holm_adjusted(std::vector<double>{0.04}), ElementsAre(0.04));
  EXPECT_TRUE(holm_adjusted({}).empty());
}

TEST(Holm, TiesAreTreatedAlike) {
  const auto adjusted = holm_adjusted(std::vector<double>{0.01, 0.01, 0.01});
  EXPECT_EQ(adjusted[0], adjusted[1]);
  EXPECT_EQ(adjusted[1], adjusted[2]);
}

}  // namespace
}  // namespace hitmark
