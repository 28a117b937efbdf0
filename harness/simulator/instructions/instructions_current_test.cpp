// That instructions.json is what this compiler's code executes, and that it says enough. README.md: how to write it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>

#include "harness/simulator/instructions/measured_paths.hpp"
#include "kernels/codegen/objects.hpp"

namespace hitmark::simulator {
namespace {

// The functions of the variant's object file, at the addresses where this program has them.
FunctionMap functions_of(const Variant& variant) {
  std::string error;
  const auto functions = codegen::native_functions(variant, error);
  EXPECT_EQ(error, "");
  const Operation& first = variant.operations.front();
  const codegen::Function* found = codegen::function_named(functions, std::string(first.name));
  EXPECT_TRUE(found) << first.name;
  if (!found) return {};
  const auto moved = reinterpret_cast<std::uintptr_t>(first.native) - found->offset[0];
  FunctionMap map;
  std::map<std::uintptr_t, std::size_t> by_address;
  for (const codegen::Function& function : functions) {
    if (codegen::contains(codegen::tested_family(variant).without_reference, function.name)) continue;
    for (const std::uintptr_t offset : function.offset) by_address[offset + moved] = map.names.size();
    map.names.push_back(function.name);
  }
  map.at = [by_address](std::uintptr_t instruction) {
    const auto at = by_address.find(instruction);
    return at == by_address.end() ? SIZE_MAX : at->second;
  };
  return map;
}

bool of_the_headline(const Variant& variant) { return variant.name == "percall7" || variant.name == "packed6"; }

std::string function_names(const FunctionMap& functions) {
  std::string text;
  for (const std::string& name : functions.names) text += (text.empty() ? "\"" : ", \"") + name + "\"";
  return "\"functions\": [" + text + "], ";
}

std::string text_of(const MeasuredPath& path) {
  char start[80];
  std::snprintf(start, sizeof start, "[%u,\"%lx\",%.0f", path.accesses, path.signature, path.instructions);
  std::string text = start;
  for (std::size_t i = 0; i < path.self.size(); ++i) text += (i ? "," : ",[") + std::to_string(path.self[i]);
  return text + (path.self.empty() ? "]" : "]]");
}

// The part of instructions.json that is about a variant.
std::string text_of(const Variant& variant, const FunctionMap& functions,
                    const std::vector<MeasuredOperation>& operations) {
  std::string text = "  \"" + std::string(variant.name) + "\": {";
  const char* next_operation = "";
  for (const MeasuredOperation& operation : operations) {
    text += next_operation + std::string("\n   \"") + operation.name + "\": {";
    next_operation = ",";
    if (!operation.paths.front().self.empty()) text += function_names(functions);
    text += "\"paths\": [";
    for (std::size_t i = 0; i < operation.paths.size(); ++i)
      text += (i ? ",\n    " : "\n    ") + text_of(operation.paths[i]);
    text += "]}";
  }
  return text + "}";
}

class InstructionsCurrent : public testing::TestWithParam<const Variant*> {
 protected:
  void SetUp() override {
    if (const std::string reason = HITMARK_CODEGEN_SKIP; !reason.empty()) GTEST_SKIP() << reason;
  }
};

// A path is known by its accesses: the same accesses must mean nearly the same instructions. They need not be the
// same: a branch on a value that was loaded before (a new peak, a limit) may change nothing that is accessed.
void expect_that_signatures_tell_paths_apart(const MeasuredOperation& operation) {
  double taken = 0, wrong = 0;
  for (const MeasuredPath& path : operation.paths) {
    const double apart = std::abs(path.instructions - path.instructions_of_another) / path.instructions;
    EXPECT_LE(apart, 0.05) << operation.name << ", signature " << path.signature;
    taken += static_cast<double>(path.taken);
    wrong += static_cast<double>(path.taken) * apart;
  }
  EXPECT_LE(wrong / taken, 0.001) << operation.name;
}

// Steady workloads find their paths in the table, so what they cost is not interpolated.
void expect_that_nearly_every_path_is_measured(const MeasuredOperation& operation) {
  std::uint64_t exact = 0;
  for (const MeasuredPath& path : operation.paths) exact += path.taken;
  EXPECT_GE(static_cast<double>(exact), 0.99 * static_cast<double>(operation.taken)) << operation.name;
}

TEST_P(InstructionsCurrent, FileIsWhatIsExecuted) {
  const Variant& variant = *GetParam();
  const FunctionMap functions = functions_of(variant);
  const auto operations = measure_paths(variant, functions, of_the_headline(variant));
  ASSERT_TRUE(operations) << operations.error().message << "\n" << operations.error().hint;
  for (const MeasuredOperation& operation : *operations) {
    expect_that_signatures_tell_paths_apart(operation);
    if (std::ranges::find(variant.operations, operation.name, &Operation::name) != variant.operations.end())
      expect_that_nearly_every_path_is_measured(operation);
  }

  std::ifstream in("instructions.json");
  const std::string committed(std::istreambuf_iterator<char>(in), {});
  const std::string now = text_of(variant, functions, *operations);
  const std::size_t family = committed.find("\"" + std::string(variant.family) + "\": {");
  ASSERT_NE(family, committed.npos) << "instructions.json has nothing on the family";
  const std::size_t start = committed.find(now.substr(0, now.find('{') + 1), family);
  ASSERT_NE(start, committed.npos) << "instructions.json has nothing on the variant";
  const auto there = committed.begin() + static_cast<std::ptrdiff_t>(start);
  const auto [at, other] = std::mismatch(now.begin(), now.end(), there, committed.end());
  EXPECT_TRUE(at == now.end()) << "instructions.json is out of date; executed "
                               << std::string(at, now.end()).substr(0, 60) << "\nwhere it says "
                               << std::string(other, committed.end()).substr(0, 60)
                               << "\nWrite it anew (README.md) and look at what changed";
}

// Not a test: with HITMARK_WRITE_INSTRUCTIONS=FILE in the environment it writes the file.
TEST(InstructionsFile, IsWrittenOnRequest) {
  const char* file = std::getenv("HITMARK_WRITE_INSTRUCTIONS");
  if (!file) GTEST_SKIP() << "HITMARK_WRITE_INSTRUCTIONS is not set";
  ASSERT_STREQ(HITMARK_CODEGEN_SKIP, "");
  std::string text =
      "{\"format\": 1,\n \"compiler\": \"g++ 12\",\n"
      " \"path\": \"[accesses, signature, instructions, [self instructions by function]]\",\n"
      " \"families\": {";
  std::string next_family;
  for (const Family& family : Registry<Family>::instance().all()) {
    text += next_family + "\"" + std::string(family.name) + "\": {";
    next_family = "},\n ";
    const char* next = "\n";
    for (const Variant* variant : variants_of(family.name)) {
      const FunctionMap functions = functions_of(*variant);
      const auto operations = measure_paths(*variant, functions, false);
      ASSERT_TRUE(operations) << operations.error().message;
      text += next + text_of(*variant, functions, *operations);
      next = ",\n";
    }
  }
  std::ofstream(file) << text << "}}}\n";
}

TEST(InstructionsFile, KnowsEveryOperationOfEveryVariant) {
  const auto table = InstructionTable::built_in();
  ASSERT_TRUE(table) << table.error().message;
  for (const Variant* variant : every_variant())
    for (const auto& list : {variant->operations, variant->events})
      for (const Operation& operation : list) {
        const auto counts = table->of(variant->family, variant->name, operation.name);
        EXPECT_TRUE(counts) << (counts ? "" : counts.error().message);
      }
}

INSTANTIATE_TEST_SUITE_P(Every, InstructionsCurrent, testing::ValuesIn(codegen::variants_to_step()),
                         codegen::test_name);

}  // namespace
}  // namespace hitmark::simulator
