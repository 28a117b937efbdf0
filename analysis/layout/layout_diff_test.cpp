#include "analysis/layout/layout_diff.hpp"

#include <gmock/gmock.h>

#include "analysis/layout/btf_reader.hpp"
#include "analysis/layout/diff_text.hpp"
#include "analysis/layout/dwarf_reader.hpp"
#include "analysis/layout/fixtures.hpp"

namespace hitmark {
namespace {

using testing::HasSubstr;

Member field(const std::string& name, std::uint32_t offset, std::uint32_t size, const std::string& type = "u8") {
  Member member;
  member.name = name;
  member.type = member.representation = type;
  member.bit_offset = offset * 8;
  member.bit_size = member.storage_bits = size * 8;
  return member;
}

StructLayout layout(std::uint32_t size, std::vector<Member> members) {
  StructLayout made;
  made.name = "s";
  made.keyword = "struct";
  made.size = size;
  made.members = std::move(members);
  return made;
}

TEST(LayoutDiff, EqualLayoutsHaveNoDifference) {
  const StructLayout a = layout(16, {field("a", 0, 8), field("b", 8, 8)});
  const LayoutDiff diff = diff_layouts(a, a);
  EXPECT_TRUE(diff.equal());
  EXPECT_TRUE(diff.changed.empty());
  EXPECT_THAT(diff_text(diff), HasSubstr("The layouts are equal."));
}

TEST(LayoutDiff, NamesOfTypesAreNoDifference) {
  StructLayout a = layout(1, {field("a", 0, 1)}), b = a;
  b.members[0].type = "unsigned char";
  const LayoutDiff diff = diff_layouts(a, b);
  EXPECT_TRUE(diff.equal());
  ASSERT_EQ(diff.changed.size(), 1U);
  EXPECT_TRUE(diff.changed[0].respelled);
  EXPECT_THAT(diff_text(diff), HasSubstr("u8 and unsigned char"));
}

TEST(LayoutDiff, NamesEachKindOfDifference) {
  const StructLayout a = layout(128, {field("gone", 0, 4), field("moved", 8, 8), field("resized", 16, 4, "u8[4]"),
                                      field("retyped", 32, 4, "u32"), field("old", 40, 8, "u64")});
  const StructLayout b = layout(192, {field("moved", 64, 8), field("resized", 16, 8, "u8[8]"),
                                      field("retyped", 32, 4, "s32"), field("new", 40, 8, "u64"), field("come", 0, 8)});
  const LayoutDiff diff = diff_layouts(a, b);
  EXPECT_FALSE(diff.equal());
  ASSERT_EQ(diff.only_before.size(), 1U);
  EXPECT_EQ(diff.only_before[0].path, "gone");
  ASSERT_EQ(diff.only_after.size(), 1U);
  EXPECT_EQ(diff.only_after[0].path, "come");
  ASSERT_EQ(diff.changed.size(), 4U);
  EXPECT_TRUE(diff.changed[0].moved && !diff.changed[0].resized);
  EXPECT_TRUE(diff.changed[1].resized && diff.changed[1].retyped && !diff.changed[1].moved);
  EXPECT_TRUE(diff.changed[2].retyped && !diff.changed[2].resized);
  EXPECT_TRUE(diff.changed[3].renamed && !diff.changed[3].moved);
  // "moved" left line 0, where it was with three fields that both have.
  EXPECT_EQ(diff.ceased_to_share.size(), 3U);
  EXPECT_TRUE(diff.came_to_share.empty());
  const std::string text = diff_text(diff);
  for (const char* sentence :
       {"the struct: size from 128 bytes to 192 bytes, lines from 2 to 3", "gone: only on the left",
        "come: only on the right", "moved: moved from 8 to 64 (line 0 -> line 1)",
        "resized: size from 4 bytes to 8 bytes", "retyped: type from u32 to s32", "old: now called new",
        "moved and new ceased to share line 0"})
    EXPECT_THAT(text, HasSubstr(sentence));
}

// Each kind of difference alone makes two layouts unequal.
TEST(LayoutDiff, OneDifferenceIsEnough) {
  const StructLayout a = layout(16, {field("a", 0, 4, "u32"), field("b", 8, 4, "u32")});
  for (const StructLayout& b : {
           layout(24, {field("a", 0, 4, "u32"), field("b", 8, 4, "u32")}),
           layout(16, {field("a", 0, 4, "u32"), field("b", 12, 4, "u32")}),
           layout(16, {field("a", 0, 4, "u32"), field("b", 8, 8, "u32")}),
           layout(16, {field("a", 0, 4, "u32"), field("b", 8, 4, "s32")}),
           layout(16, {field("a", 0, 4, "u32"), field("c", 8, 4, "u32")}),
           layout(16, {field("a", 0, 4, "u32")}),
       }) {
    EXPECT_FALSE(diff_layouts(a, b).equal());
    EXPECT_FALSE(diff_layouts(b, a).equal());
  }
}

TEST(LayoutDiff, FindsPairsThatCameToShareALine) {
  const StructLayout a = layout(128, {field("x", 0, 8), field("wide", 32, 64), field("y", 120, 8)});
  const StructLayout b = layout(128, {field("x", 0, 8), field("wide", 64, 64), field("y", 8, 8)});
  const LayoutDiff diff = diff_layouts(a, b);
  ASSERT_EQ(diff.came_to_share.size(), 1U);
  EXPECT_EQ(diff.came_to_share[0].first + "+" + diff.came_to_share[0].second, "x+y");
  EXPECT_EQ(diff.came_to_share[0].line, 0U);
  EXPECT_EQ(diff.ceased_to_share.size(), 2U);  // wide with x in line 0, wide with y in line 1
}

TEST(LayoutDiff, FlattensAnonymousLevels) {
  const auto reader = BtfReader::open(testdata("layouts.btf"));
  ASSERT_TRUE(reader);
  std::string paths;
  for (const Field& each : fields_of(*reader->find("nested"))) paths += each.path + " ";
  EXPECT_EQ(paths, "id low high whole named.kind named.value pairs list counter after ");
}

TEST(LayoutDiff, PrintsBothSidesWithinAHundredColumns) {
  const auto kernel = BtfReader::open(testdata("layouts.btf"));
  const auto ours = DwarfReader::open(testdata("layouts_cpp.elf"));
  ASSERT_TRUE(kernel && ours);
  const std::string text = diff_text(diff_layouts(*kernel->find("simple"), *ours->find("packed6::Variant::Stock")));
  EXPECT_EQ(text, approved("diff.approved.txt"));
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) EXPECT_LE(text.find('\n', at) - at, 100U);
}

TEST(LayoutDiff, DoesNotCompareMillionsOfPairs) {
  std::vector<Member> many;
  for (std::uint32_t i = 0; i < 50000; ++i) many.push_back(field("f" + std::to_string(i), 0, 8));
  const LayoutDiff diff = diff_layouts(layout(8, many), layout(8, {field("f1", 0, 8)}));
  EXPECT_FALSE(diff.sharing_known);
  EXPECT_EQ(diff.only_before.size(), 49999U);
}

}  // namespace
}  // namespace hitmark
