#include "support/nearest.hpp"

#include <gtest/gtest.h>

namespace hitmark {
namespace {

const std::vector<std::string> kNames = {"compare", "doctor", "layout", "list", "report", "run", "topology"};

TEST(Nearest, PutsASlipFirst) {
  EXPECT_EQ(nearest_names("lsit", kNames).front(), "list");
  EXPECT_EQ(nearest_names("topolgy", kNames), std::vector<std::string>{"topology"});
}

TEST(Nearest, TakesAPrefixForAnAbbreviation) { EXPECT_EQ(nearest_names("rep", kNames).front(), "report"); }

TEST(Nearest, SaysNothingNearWhenNothingIs) {
  EXPECT_TRUE(nearest_names("frobnicate", kNames).empty());
  EXPECT_EQ(did_you_mean("frobnicate", std::vector<std::string>{"a", "b"}), "; known: a, b");
  EXPECT_EQ(did_you_mean("lsit", kNames), "; did you mean list?");
}

}  // namespace
}  // namespace hitmark
