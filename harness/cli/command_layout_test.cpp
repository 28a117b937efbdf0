// End to end: exit codes and both streams of `hitmark layout`, on the fixtures of analysis/layout.
#include <gmock/gmock.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string>

#include "harness/cli/testing_program.hpp"
#include "support/file.hpp"

namespace hitmark {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string kData = "../../analysis/layout/testdata/";

struct Outcome {
  int status;
  std::string out, err;
};

Outcome layout(const std::string& arguments) {
  const std::string errors = testing::TempDir() + "layout_stderr" + std::to_string(::getpid());
  const std::string command = std::string("'") + HITMARK_PROGRAM + "' layout " + arguments + " 2>'" + errors + "'";
  const auto [status, out] = testing_program::shell(command);
  return {status, out, *read_file(errors)};
}

TEST(CommandLayout, ShowsAStructInEverySpelling) {
  const std::string from = " --btf " + kData + "layouts.btf";
  const Outcome plain = layout("simple" + from);
  EXPECT_EQ(plain.status, 0);
  EXPECT_EQ(plain.err, "");
  EXPECT_THAT(plain.out, StartsWith("struct simple {\n"));
  for (const char* spelling : {"show simple", "struct simple", "show struct simple", "'struct simple'"})
    EXPECT_EQ(layout(spelling + from).out, plain.out) << spelling;
}

TEST(CommandLayout, PrintsJson) {
  const auto json = nlohmann::json::parse(layout("simple --json --elf " + kData + "layouts_c.elf").out);
  EXPECT_EQ(json["size"], 96);
  EXPECT_EQ(json["members"][1]["representation"], "u8[7]");
  const std::string other = "simple --btf " + kData + "layouts.btf --format json";
  EXPECT_EQ(nlohmann::json::parse(layout(other).out)["lines"], 2);
}

TEST(CommandLayout, DiffExitsByTheAnswer) {
  const std::string left = "diff simple --btf " + kData + "layouts.btf ";
  const Outcome equal = layout(left + "--with-elf " + kData + "layouts_c.elf");
  EXPECT_EQ(equal.status, 0) << equal.out;
  EXPECT_THAT(equal.out, HasSubstr("The layouts are equal."));
  const std::string other = "--with-elf " + kData + "layouts_cpp.elf --with-type packed6::Variant::Stock";
  const Outcome different = layout(left + other);
  EXPECT_EQ(different.status, 1);
  EXPECT_THAT(different.out, HasSubstr("nr_sock: only on the right"));
  const auto json = nlohmann::json::parse(layout(left + other + " --json").out);
  EXPECT_EQ(json["equal"], false);
  EXPECT_EQ(json["only_after"][0]["path"], "nr_sock");
}

TEST(CommandLayout, MistakesOfUsageExitWithTwo) {
  const std::string from = " --btf " + kData + "layouts.btf";
  const Outcome slip = layout("simpel" + from);
  EXPECT_EQ(slip.status, 2);
  EXPECT_EQ(slip.out, "");
  EXPECT_THAT(slip.err, HasSubstr("did you mean simple"));
  for (const char* word : {"check", "what-if", "search"}) {
    const Outcome reserved = layout(std::string(word) + " x --flag");
    EXPECT_EQ(reserved.status, 2);
    EXPECT_THAT(reserved.err, HasSubstr("not in this version"));
  }
  EXPECT_EQ(layout("").status, 2);
  EXPECT_EQ(layout("simple --btf a --elf b").status, 2);
  EXPECT_EQ(layout("simple --format yaml").status, 2);
  EXPECT_EQ(layout("diff --with-elf " + kData + "layouts_c.elf").status, 2);
}

TEST(CommandLayout, MissingInputExitsWithThree) {
  for (const char* source : {"--btf none", "--btf .", "--elf none", "--elf /dev/null"}) {
    const Outcome missing = layout(std::string("simple ") + source);
    EXPECT_EQ(missing.status, 3) << source;
    EXPECT_THAT(missing.err, StartsWith("hitmark: ")) << source;
  }
  const Outcome stripped = layout("simple --elf " + kData + "stripped.elf");
  EXPECT_EQ(stripped.status, 3);
  EXPECT_THAT(stripped.err, HasSubstr("no debug information"));
}

TEST(CommandLayout, ReadsTheRunningKernelWithoutNoise) {
  const Outcome kernel = layout("list_head");
  if (kernel.status == 3) GTEST_SKIP() << kernel.err;
  EXPECT_EQ(kernel.status, 0);
  EXPECT_EQ(kernel.err, "");
  EXPECT_THAT(kernel.out, HasSubstr("/* size: 16, cachelines: 1, members: 2 */"));
}

}  // namespace
}  // namespace hitmark
