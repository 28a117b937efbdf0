#include "analysis/layout/type_request.hpp"

#include <gmock/gmock.h>

namespace hitmark {
namespace {

using testing::ElementsAre;

TEST(TypeRequest, TakesTheKeywordOff) {
  EXPECT_EQ(parse_type_request("struct sock").keyword, "struct");
  EXPECT_EQ(parse_type_request("struct sock").name, "sock");
  EXPECT_EQ(parse_type_request("union  u ").keyword, "union");
  EXPECT_EQ(parse_type_request("class ::a::B").name, "a::B");
  EXPECT_EQ(parse_type_request("structure").keyword, "");
  EXPECT_EQ(parse_type_request("struct").name, "struct");
  EXPECT_EQ(parse_type_request("  ").name, "");
}

TEST(TypeRequest, SplitsQualifiedNamesOutsideBrackets) {
  EXPECT_THAT(name_components("a::(anonymous namespace)::b<c::d, e>::f"),
              ElementsAre("a", "(anonymous namespace)", "b<c::d, e>", "f"));
  EXPECT_THAT(name_components("x"), ElementsAre("x"));
  EXPECT_THAT(name_components("a>::b"), ElementsAre("a>", "b"));
}

TEST(TypeRequest, MatchesTheEndOfAName) {
  const std::string_view name = "hitmark::memcg::(anonymous namespace)::Packed6::Stock";
  for (const char* wanted : {"Stock", "Packed6::Stock", "memcg::Packed6::Stock",
                             "(anonymous namespace)::Packed6::Stock", "hitmark::memcg::Packed6::Stock"})
    EXPECT_TRUE(ends_with_components(name, wanted)) << wanted;
  for (const char* wanted : {"tock", "Packed7::Stock", "memcg::Stock", "x::hitmark::memcg::Packed6::Stock", ""})
    EXPECT_FALSE(ends_with_components(name, wanted)) << wanted;
}

}  // namespace
}  // namespace hitmark
