#include "analysis/discard_reasons.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hitmark {
namespace {

using testing::ElementsAre;

TEST(DiscardReasons, ReasonsThatDifferInNumbersBecomeOneAndTheMostFrequentComesFirst) {
  EXPECT_THAT(
      discard_lines({{"cpu 0: 1 migration", 3},
                     {"cpu 0: 2 migrations", 1},
                     {"cpu 0: 37 migrations", 4},
                     {"cpu 3: 5 migrations", 1},
                     {"no number", 1}}),
      ElementsAre("cpu 0 to 3: 2 to 37 migrations (6 blocks)", "cpu 0: 1 migration (3 blocks)", "no number (1 block)"));
}

TEST(DiscardReasons, OddTextsSurvive) {
  EXPECT_TRUE(discard_lines({}).empty());
  const std::string huge(40, '9');
  EXPECT_THAT(discard_lines({{huge, 2}, {"", 1}, {"7", 1}, {"9", 1}}),
              ElementsAre("7 to 9 (2 blocks)", huge + " (2 blocks)", " (1 block)"));
}

}  // namespace
}  // namespace hitmark
