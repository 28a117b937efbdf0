#include "harness/simulator/instructions/instruction_table.hpp"

#include <gtest/gtest.h>

namespace hitmark::simulator {
namespace {

OperationCounts some_counts() {
  return OperationCounts({{.accesses = 10, .signature = 1, .instructions = 40},
                          {.accesses = 10, .signature = 2, .instructions = 60},
                          {.accesses = 20, .signature = 1, .instructions = 90, .self = {70, 20}}},
                         {"charge", "try_charge"});
}

TEST(InstructionTable, MeasuredPathsAreExact) {
  const OperationCounts counts = some_counts();
  EXPECT_EQ(counts.look_up(10, 1).instructions, 40);
  EXPECT_TRUE(counts.look_up(10, 1).exact);
  EXPECT_EQ(counts.look_up(10, 2).instructions, 60);
  EXPECT_EQ(counts.look_up(20, 1).instructions, 90);
  ASSERT_NE(counts.find(20, 1), nullptr);
  EXPECT_EQ(counts.find(20, 1)->self, (std::vector<std::uint32_t>{70, 20}));
  EXPECT_EQ(counts.find(20, 2), nullptr);
}

TEST(InstructionTable, OthersAreInterpolatedOverTheirAccesses) {
  const OperationCounts counts = some_counts();
  const auto between = counts.look_up(15, 7);
  EXPECT_FALSE(between.exact);
  EXPECT_DOUBLE_EQ(between.instructions, 70);  // half way from the mean of 40 and 60 to 90
  EXPECT_DOUBLE_EQ(counts.look_up(10, 7).instructions, 50);
  EXPECT_DOUBLE_EQ(counts.look_up(40, 7).instructions, 180);  // in proportion to the last
  EXPECT_DOUBLE_EQ(counts.look_up(5, 7).instructions, 25);    // and to the first
}

TEST(InstructionTable, NothingMeasuredIsNothingExact) {
  EXPECT_FALSE(OperationCounts().look_up(3, 4).exact);
  EXPECT_EQ(OperationCounts().find(3, 4), nullptr);
}

TEST(InstructionTable, ManyPathsAreAllFound) {
  std::vector<InstructionPath> paths;
  for (std::uint32_t i = 0; i < 1000; ++i)  // signatures that collide in a small table
    paths.push_back({.accesses = i, .signature = std::uint64_t{i} << 32, .instructions = 3.0 * i});
  const OperationCounts counts(paths, {});
  for (std::uint32_t i = 0; i < 1000; ++i) {
    EXPECT_TRUE(counts.look_up(i, std::uint64_t{i} << 32).exact);
    EXPECT_EQ(counts.look_up(i, std::uint64_t{i} << 32).instructions, 3.0 * i);
  }
}

TEST(InstructionTable, SignatureDependsOnKindSizeAndOrder) {
  const auto two = [](unsigned k1, unsigned s1, unsigned k2, unsigned s2) {
    return access_signature(access_signature(kSignatureStart, k1, s1), k2, s2);
  };
  EXPECT_NE(two(0, 8, 1, 1), two(1, 1, 0, 8));
  EXPECT_NE(two(0, 8, 1, 1), two(0, 8, 1, 2));
  EXPECT_NE(two(0, 8, 1, 1), two(0, 8, 2, 1));
}

TEST(InstructionTable, ParsesWhatTheReadmeDescribes) {
  const auto table = InstructionTable::parse(
      R"({"format": 1, "families": {"f": {"v": {"pair": {"functions": ["a"], "paths": [[3,"ff",12,[5]],[4,"1",9]]}}}}})",
      "test");
  ASSERT_TRUE(table) << table.error().message;
  const auto counts = table->of("f", "v", "pair");
  ASSERT_TRUE(counts);
  EXPECT_EQ((*counts)->look_up(3, 255).instructions, 12);
  EXPECT_EQ((*counts)->functions(), std::vector<std::string>{"a"});
  const auto missing = table->of("f", "v", "charge");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("charge of f/v"), std::string::npos) << missing.error().message;
}

TEST(InstructionTable, TheCommittedDataKnowsEveryOperation) {
  const auto table = InstructionTable::built_in();
  ASSERT_TRUE(table) << table.error().message;
  for (const char* operation : {"pair", "charge", "uncharge", "work", "flush", "drain", "read"}) {
    const auto counts = table->of("sock-charge", "percall7", operation);
    ASSERT_TRUE(counts) << counts.error().message;
    for (const InstructionPath& path : (*counts)->paths()) {
      EXPECT_TRUE((*counts)->look_up(path.accesses, path.signature).exact);
      EXPECT_GE(path.instructions, path.accesses);  // no instruction makes two
    }
  }
}

TEST(InstructionTable, BadFilesAreErrors) {
  const auto with_paths = [](const std::string& paths) {
    return R"({"format": 1, "families": {"f": {"v": {"pair": {"functions": ["a"], "paths": )" + paths + "}}}}}";
  };
  ASSERT_TRUE(InstructionTable::parse(with_paths(R"([[3,"ff",12,[5]]])"), "test"));
  for (const std::string& text :
       {std::string("{"), std::string("[]"), std::string(R"({"format": 2, "families": {}})"),
        std::string(R"({"format": 1})"), std::string(R"({"format": 1, "families": {"f": 3}})"),
        std::string(R"({"format": 1, "families": {"f": {"v": []}}})"),
        std::string(R"({"format": 1, "families": {"f": {"v": {"pair": {}}}}})"), with_paths("[]"), with_paths("[3]"),
        with_paths(R"([[3,"ff"]])"), with_paths(R"([[3,"xyz",12]])"), with_paths(R"([[3,"11223344556677889",12]])"),
        with_paths(R"([[-3,"ff",12]])"), with_paths(R"([[3,"ff",12,[1,2]]])"), with_paths(R"([[3,"ff",1e300]])"),
        with_paths(R"([[3,"ff",12,["x"]]])")}) {
    const auto table = InstructionTable::parse(text, "name-of-file");
    ASSERT_FALSE(table) << text;
    EXPECT_NE(table.error().message.find("name-of-file"), std::string::npos);
  }
}

}  // namespace
}  // namespace hitmark::simulator
