#include "analysis/layout/btf_reader.hpp"

#include <gmock/gmock.h>

#include <cstring>

#include "analysis/layout/fixtures.hpp"
#include "analysis/layout/pahole_text.hpp"

namespace hitmark {
namespace {

using testing::HasSubstr;

StructLayout read(const std::string& file, const std::string& type) {
  const auto reader = BtfReader::open(testdata(file));
  EXPECT_TRUE(reader) << (reader ? "" : reader.error().message);
  const auto layout = reader->find(type);
  EXPECT_TRUE(layout) << (layout ? "" : layout.error().message);
  return *layout;
}

// The approved text is what pahole 1.24 prints for the same BTF.
TEST(BtfReader, PrintsEveryFixtureAsPaholeDoes) {
  std::string text;
  for (const char* type : kFixtureTypes) text += pahole_text(read("layouts.btf", type));
  EXPECT_EQ(text, approved("layouts_btf.approved.txt"));
}

TEST(BtfReader, FindsTheSectionOfAnElfFile) {
  EXPECT_EQ(pahole_text(read("btf_section.elf", "bits")), pahole_text(read("layouts.btf", "bits")));
}

TEST(BtfReader, TakesKeywordsAndTypedefs) {
  EXPECT_EQ(read("layouts.btf", "struct simple").size, 96U);
  EXPECT_EQ(read("layouts.btf", " union  choice ").keyword, "union");
  const StructLayout counter = read("layouts.btf", "counter_t");
  EXPECT_TRUE(counter.is_typedef);
  EXPECT_EQ(counter.name, "counter_t");
  EXPECT_EQ(counter.members.at(0).name, "counter");
  const auto reader = BtfReader::open(testdata("layouts.btf"));
  EXPECT_FALSE(reader->find("union simple"));
  EXPECT_FALSE(reader->find("struct choice"));
  EXPECT_FALSE(reader->find("struct counter_t"));
}

TEST(BtfReader, SaysWhatAMemberIs) {
  const StructLayout bits = read("layouts.btf", "bits");
  EXPECT_EQ(bits.members.at(2).representation, "u32:16");
  EXPECT_EQ(bits.members.at(2).bit_offset, 16U);
  EXPECT_EQ(bits.members.at(2).storage_bits, 32U);
  const StructLayout simple = read("layouts.btf", "simple");
  EXPECT_EQ(simple.members.at(1).representation, "u8[7]");
  EXPECT_EQ(simple.members.at(2).representation, "ptr[7]");
  EXPECT_EQ(simple.members.at(3).representation, "struct(16)");
  EXPECT_EQ(simple.alignment, 0U);  // BTF says none
  EXPECT_EQ(read("layouts.btf", "pointers").members.at(2).type, "const char *const *");
}

TEST(BtfReader, NamesTheNearestTypesForASlip) {
  const auto reader = BtfReader::open(testdata("layouts.btf"));
  const auto layout = reader->find("simpel");
  ASSERT_FALSE(layout);
  EXPECT_EQ(layout.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(layout.error().message, HasSubstr("did you mean simple"));
  for (const std::string& typed : {std::string(), std::string("struct "), std::string(100000, 'x')}) {
    const auto unknown = reader->find(typed);
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().kind, ErrorKind::kUsage);
    EXPECT_LT(unknown.error().message.size(), 300U);
  }
}

TEST(BtfReader, RefusesWhatIsNoBtf) {
  EXPECT_EQ(BtfReader::open("testdata").error().kind, ErrorKind::kInvalid);
  EXPECT_EQ(BtfReader::open("testdata/none").error().kind, ErrorKind::kNotFound);
  EXPECT_THAT(BtfReader::open(testdata("layouts_c.elf")).error().message, HasSubstr("has no .BTF section"));
  EXPECT_THAT(BtfReader::open(testdata("layouts.c")).error().message, HasSubstr("neither raw BTF nor an ELF"));
}

// Whatever happens to a file on its way, the answer is a layout or an Error.
TEST(BtfReader, SurvivesTruncationAndFlippedBytes) {
  const std::string good = approved("layouts.btf");
  std::size_t refused = 0, answered = 0;
  const auto tried = [&](const std::string& bytes) {
    const auto reader = BtfReader::from_bytes(bytes, "a broken file");
    if (!reader) return void(++refused);
    for (const char* type : kFixtureTypes)
      if (const auto layout = reader->find(type)) answered += !pahole_text(*layout).empty();
  };
  for (std::size_t size = 0; size < good.size(); size += 7) tried(good.substr(0, size));
  EXPECT_GT(refused, 100U);
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bytes = good;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << at % 8));
    tried(bytes);
  }
  EXPECT_GT(answered, 10000U);
}

// struct s { struct s inner; }: endless by value.
TEST(BtfReader, RefusesAStructThatContainsItself) {
  struct {
    std::uint16_t magic = 0xeb9f;
    std::uint8_t version = 1, flags = 0;
    std::uint32_t header = 24, type_offset = 0, type_length = 24, string_offset = 24, string_length = 9;
    std::uint32_t struct_name = 1, struct_info = 4U << 24 | 1, struct_size = 8;
    std::uint32_t member_name = 3, member_type = 1, member_offset = 0;
    char strings[12] = "\0s\0inner";
  } raw;
  const std::string bytes(reinterpret_cast<const char*>(&raw), 24 + 24 + 9);
  const auto reader = BtfReader::from_bytes(bytes, "a loop");
  ASSERT_TRUE(reader) << reader.error().message;
  const auto layout = reader->find("s");
  ASSERT_FALSE(layout);
  EXPECT_THAT(layout.error().message, HasSubstr("broken"));
}

TEST(BtfReader, ReadsTheRunningKernel) {
  const auto reader = BtfReader::open();
  if (!reader) GTEST_SKIP() << "the kernel's BTF is unreadable here: " << reader.error().message;
  const auto list_head = reader->find("list_head");
  ASSERT_TRUE(list_head) << list_head.error().message;
  EXPECT_EQ(list_head->size, 16U);
  EXPECT_EQ(list_head->members.at(1).type, "struct list_head *");
  EXPECT_THAT(list_head->source, HasSubstr("running kernel"));
  // A good part of its structs can be read and printed, and none is larger than its members reach.
  auto names = reader->names();
  ASSERT_GT(names.size(), 1000U);
  for (std::size_t i = 0; i < names.size(); i += 25) {
    const auto layout = reader->find(names[i]);
    ASSERT_TRUE(layout) << layout.error().message;
    for (const Member& member : layout->members)
      EXPECT_LE(member.bit_offset + member.bit_size, layout->size * 8) << names[i] << "." << member.name;
    EXPECT_THAT(pahole_text(*layout), HasSubstr(names[i] + " {\n"));
  }
}

}  // namespace
}  // namespace hitmark
