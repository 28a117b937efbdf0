#include "analysis/layout/dwarf_reader.hpp"

#include <gmock/gmock.h>

#include "analysis/layout/fixtures.hpp"
#include "analysis/layout/pahole_text.hpp"

namespace hitmark {
namespace {

using testing::AllOf;
using testing::HasSubstr;

StructLayout read(const std::string& file, const std::string& type) {
  const auto reader = DwarfReader::open(testdata(file));
  EXPECT_TRUE(reader) << (reader ? "" : reader.error().message);
  const auto layout = reader->find(type);
  EXPECT_TRUE(layout) << (layout ? "" : layout.error().message);
  return *layout;
}

Error refused(const std::string& file, const std::string& type) {
  const auto reader = DwarfReader::open(testdata(file));
  if (!reader) return reader.error();
  const auto layout = reader->find(type);
  EXPECT_FALSE(layout);
  return layout.error();
}

// The approved text is what pahole 1.24 prints for the same DWARF.
TEST(DwarfReader, PrintsEveryFixtureAsPaholeDoes) {
  std::string text;
  for (const char* type : kFixtureTypes) text += pahole_text(read("layouts_c.elf", type));
  EXPECT_EQ(text, approved("layouts_dwarf.approved.txt"));
}

// DWARF 2 counts bit-fields from the top of their unit, in an object file that is not linked yet.
TEST(DwarfReader, ReadsTheOldBitFieldsOfARelocatableFile) {
  EXPECT_EQ(pahole_text(read("layouts_dwarf2.o", "bits")), pahole_text(read("layouts_c.elf", "bits")));
  EXPECT_EQ(pahole_text(read("layouts_dwarf2.o", "nested")), pahole_text(read("layouts_c.elf", "nested")));
}

TEST(DwarfReader, ShowsCellsAsWhatTheyStandFor) {
  const StructLayout stock = read("layouts_cpp.elf", "struct study::packed6::Variant::Stock");
  ASSERT_EQ(stock.members.size(), 4U);
  EXPECT_EQ(stock.size, 64U);
  EXPECT_EQ(stock.members[1].type, "unsigned char");
  EXPECT_EQ(stock.members[1].suffix, "[6]");
  EXPECT_EQ(stock.members[1].representation, "u8[6]");
  EXPECT_EQ(stock.members[2].representation, "s8[6]");
  EXPECT_EQ(stock.members[3].type, "struct Group *");
  EXPECT_EQ(stock.members[3].bit_offset, 16U * 8);
}

TEST(DwarfReader, ReadsClasses) {
  const std::string text = pahole_text(read("layouts_cpp.elf", "Derived"));
  EXPECT_EQ(text, approved("derived.approved.txt"));
  EXPECT_EQ(pahole_text(read("type_units.elf", "Derived")), text);
}

TEST(DwarfReader, ListsTheCandidatesOfAnAmbiguousName) {
  const Error error = refused("layouts_cpp.elf", "Stock");
  EXPECT_EQ(error.kind, ErrorKind::kUsage);
  EXPECT_THAT(error.message, AllOf(HasSubstr("ambiguous"), HasSubstr("study::packed6::(anonymous namespace)"),
                                   HasSubstr("study::percall7::(anonymous namespace)")));
  // Equal layouts under two names are still two types.
  EXPECT_THAT(refused("layouts_cpp.elf", "Twin").message, HasSubstr("left::Twin (layouts.cpp), right::Twin"));
  EXPECT_EQ(read("layouts_cpp.elf", "right::Twin").size, 4U);
  // One qualified name, two units, two layouts.
  EXPECT_THAT(refused("layouts_cpp.elf", "study::percall7::Variant::Stock").message,
              AllOf(HasSubstr("ambiguous"), HasSubstr("layouts.cpp"), HasSubstr("other.cpp")));
}

TEST(DwarfReader, SaysWhyThereIsNoLayout) {
  EXPECT_EQ(refused("stripped.elf", "simple").kind, ErrorKind::kUnavailable);
  EXPECT_EQ(refused("layouts.btf", "simple").kind, ErrorKind::kInvalid);
  EXPECT_EQ(refused("none", "simple").kind, ErrorKind::kNotFound);
  EXPECT_EQ(refused("layouts_cpp.elf", "Virtual").kind, ErrorKind::kUnsupported);
  const Error unknown = refused("layouts_cpp.elf", "Derivde");
  EXPECT_EQ(unknown.kind, ErrorKind::kUsage);
  EXPECT_THAT(unknown.message, HasSubstr("did you mean Derived"));
  EXPECT_EQ(refused("layouts_c.elf", "").kind, ErrorKind::kUsage);
}

// These tests are built with types (CMakeLists.txt): what the debug information says is what the compiler says.
struct Mirror {
  char first;
  alignas(32) long second;
  unsigned bits : 5;
};
[[gnu::used]] Mirror mirror;

TEST(DwarfReader, ReadsThisProgram) {
  const auto reader = DwarfReader::open();
  if (!reader) GTEST_SKIP() << reader.error().message;
  const auto layout = reader->find("hitmark::Mirror");
  ASSERT_TRUE(layout) << layout.error().message;
  EXPECT_EQ(layout->size, sizeof mirror);
  EXPECT_EQ(layout->members.at(1).bit_offset, offsetof(Mirror, second) * 8);
  EXPECT_EQ(layout->members.at(1).alignment, 32U);
  EXPECT_EQ(layout->members.at(2).bit_size, 5U);
}

// Whatever happens to a file on its way, the answer is a layout or an Error.
TEST(DwarfReader, SurvivesTruncationAndFlippedBytes) {
  const std::string good = approved("layouts_c.elf");
  std::size_t answered = 0;
  const auto tried = [&](const std::string& bytes) {
    const auto reader = DwarfReader::from_bytes(bytes, "a broken file");
    if (!reader) return;
    for (const char* type : {"bits", "nested"})
      if (const auto layout = reader->find(type)) answered += !pahole_text(*layout).empty();
  };
  for (std::size_t size = 0; size < good.size(); size += 61) tried(good.substr(0, size));
  for (std::size_t at = 0; at < good.size(); at += 3) {
    std::string bytes = good;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << at % 8));
    tried(bytes);
  }
  EXPECT_GT(answered, 1000U);
}

}  // namespace
}  // namespace hitmark
