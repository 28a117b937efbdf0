#include "analysis/layout/layout_gaps.hpp"

#include <gtest/gtest.h>

namespace hitmark {
namespace {

Member at(std::uint32_t bit_offset, std::uint32_t bits, std::uint32_t unit = 0) {
  Member member;
  member.bit_offset = bit_offset;
  member.bit_size = bits;
  member.bit_field = unit != 0;
  member.storage_bits = unit != 0 ? unit : bits;
  member.natural_alignment = member.storage_bits / 8;
  return member;
}

TEST(LayoutGaps, FindsHolesAndPadding) {
  const Member members[] = {at(0, 8), at(32, 32), at(64, 8)};
  const Gaps gaps = find_gaps(members, false, 16);
  EXPECT_EQ(gaps.before[0].bytes, 0);
  EXPECT_EQ(gaps.before[1].bytes, 3);
  EXPECT_EQ(gaps.before[2].bytes, 0);
  EXPECT_EQ(gaps.padding, 7);
  EXPECT_EQ(find_gaps(members, true, 16).padding, 0);  // a union has none between its members
}

TEST(LayoutGaps, CountsTheRestOfABitFieldUnitInBits) {
  // unsigned a:4; then a byte-aligned char in the next unit; then unsigned b:1 at the end.
  const Member members[] = {at(0, 4, 32), at(64, 8), at(96, 1, 32)};
  const Gaps gaps = find_gaps(members, false, 16);
  EXPECT_EQ(gaps.before[1].bits, 28);
  EXPECT_EQ(gaps.before[1].bytes, 4);
  EXPECT_EQ(gaps.before[2].bytes, 3);
  EXPECT_EQ(gaps.bit_padding, 31);
  EXPECT_EQ(gaps.padding, 0);
}

TEST(LayoutGaps, MeasuresFromTheStartOfANestedStruct) {
  const Member members[] = {at(256, 8), at(288, 32)};
  const Gaps gaps = find_gaps(members, false, 8, 256);
  EXPECT_EQ(gaps.before[0].bytes, 0);
  EXPECT_EQ(gaps.before[1].bytes, 3);
  EXPECT_EQ(gaps.padding, 0);
}

TEST(LayoutGaps, InfersAnAlignmentOnlyWhereNatureDoesNotExplainTheGap) {
  EXPECT_EQ(inferred_alignment(8, 8, 4), 0U);     // natural
  EXPECT_EQ(inferred_alignment(64, 8, 16), 64U);  // 48 bytes
  EXPECT_EQ(inferred_alignment(64, 8, 50), 64U);  // 14 bytes: 16 would do, but it starts a line
  EXPECT_EQ(inferred_alignment(32, 8, 18), 16U);
  EXPECT_EQ(inferred_alignment(33, 1, 16), 0U);
  EXPECT_EQ(inferred_alignment(16, 4, 16), 0U);
  EXPECT_EQ(inferred_alignment(8, 4, 16), 0U);  // backwards
}

TEST(LayoutGaps, SeesWhatOnlyPackingExplains) {
  const Member packed[] = {at(0, 8), at(8, 32)};
  const Member natural[] = {at(0, 8), at(32, 32)};
  EXPECT_TRUE(has_misaligned_member(packed));
  EXPECT_FALSE(has_misaligned_member(natural));
}

}  // namespace
}  // namespace hitmark
