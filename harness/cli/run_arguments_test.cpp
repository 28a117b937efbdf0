#include "harness/cli/run_arguments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hitmark::cli {
namespace {

using ::testing::ElementsAre;

TEST(RunArguments, CommasPartPlacementsButNotListsOfCpus) {
  EXPECT_THAT(split_placements({}), ElementsAre());
  EXPECT_THAT(split_placements({"single,same-ccx@home:local"}), ElementsAre("single", "same-ccx@home:local"));
  EXPECT_THAT(split_placements({"single,0-3,8,10-14:2,spread:4"}), ElementsAre("single", "0-3,8,10-14:2", "spread:4"));
  EXPECT_THAT(split_placements({"S0:0,2@S1:0,2,single"}), ElementsAre("S0:0,2@S1:0,2", "single"));
  EXPECT_THAT(split_placements({"0,1", "2,3"}), ElementsAre("0,1", "2,3"));
  EXPECT_THAT(split_placements({"spread:4,0,1"}), ElementsAre("spread:4", "0,1"));
}

TEST(RunArguments, Durations) {
  EXPECT_EQ(*parse_duration("20s"), 20);
  EXPECT_EQ(*parse_duration("1.5m"), 90);
  EXPECT_EQ(*parse_duration("2h"), 7200);
  EXPECT_EQ(*parse_duration("90"), 90);
  for (const char* wrong : {"", "s", "-1s", "0s", "0", "1 s", "1d", "nan", "inf", "1e9", "0x10"})
    EXPECT_FALSE(parse_duration(wrong)) << wrong;
}

TEST(RunArguments, Settings) {
  EXPECT_THAT(*split_settings({"a=b", "c=d=e", "f="}),
              ElementsAre(std::pair("a", "b"), std::pair("c", "d=e"), std::pair("f", "")));
  EXPECT_FALSE(split_settings({"a"}));
  EXPECT_FALSE(split_settings({"=a"}));
}

}  // namespace
}  // namespace hitmark::cli
