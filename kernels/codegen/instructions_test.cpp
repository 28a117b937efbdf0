// What every path executes, one instruction at a time, in C++ and in C: at most one instruction more, and the same
// memory afterwards. HITMARK_CODEGEN_TABLE=1 in the environment prints the counts.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <set>

#include "kernels/codegen/objects.hpp"
#include "kernels/codegen/paths.hpp"
#include "kernels/codegen/references.hpp"
#include "kernels/memory/gs_base.hpp"
#include "support/instruction_counter.hpp"

namespace hitmark::codegen {
namespace {

using memcg::Simulation;

[[gnu::noipa]] void nothing(void*, void*, unsigned) {}

struct Prepared {
  Prepared(const Variant& variant, const Path& taken) : path(taken), simulation(variant, taken.workload, kCpus) {
    path.prepare(simulation);
    object = variant.object(simulation.state(), 0, path.index);
  }
  void call(ReferenceFunction function) {
    set_gs_base(simulation.arena().percpu_address(0, 0));
    function(simulation.state(), object, path.amount);
  }
  // Without the call itself; the memory stays as it is.
  std::uint64_t instructions(ReferenceFunction function,
                             const std::function<void(std::uintptr_t)>& on_instruction = nullptr) {
    static const std::uint64_t overhead = count(nothing, nullptr) - 1;  // 1: the `ret` of nothing()
    return count(function, on_instruction) - overhead;
  }
  std::uint64_t digest() { return memcg::digest(simulation.globals()); }

  const Path& path;
  Simulation simulation;
  void* object;

 private:
  std::uint64_t count(ReferenceFunction function, const std::function<void(std::uintptr_t)>& on_instruction) {
    set_gs_base(simulation.arena().percpu_address(0, 0));
    const auto result =
        count_instructions([this, function] { function(simulation.state(), object, path.amount); }, on_instruction);
    if (!result) ADD_FAILURE() << result.error().message << "\n" << result.error().hint;
    return result ? *result : 0;
  }
};

// Of a hit: css_rstat_updated, which only updates per call execute, compares with two words in memory and adds a
// third, and gcc uses no volatile access as an operand (README.md). The walks of V4b and V5 have one more such sum.
constexpr std::uint64_t kMoreThanPlainC = 4;

class Instructions : public testing::TestWithParam<const Variant*> {
 protected:
  void SetUp() override {
    if (const std::string reason = HITMARK_CODEGEN_SKIP; !reason.empty()) GTEST_SKIP() << reason;
  }
};

TEST_P(Instructions, AtMostOneMoreThanC) {
  const Variant& variant = *GetParam();
  const reference_operations* c = find_reference(variant.name, false);
  const reference_operations* plain = find_reference(variant.name, true);
  ASSERT_TRUE(c && plain) << "the variant has no reference C";
  const bool print = std::getenv("HITMARK_CODEGEN_TABLE") != nullptr;
  for (const Path& path : paths_of(variant)) {
    if (!path.has_reference) continue;
    Prepared prepared(variant, path);
    const auto ours = prepared.instructions(memcg::operation_named(variant, path.operation).native);
    const auto theirs = prepared.instructions(function_of(*c, path.operation));
    const auto with_plain_accesses = prepared.instructions(function_of(*plain, path.operation));
    EXPECT_LE(ours, theirs + 1) << path.name;
    const bool hit = path.name.find("hit in slot") != path.name.npos || path.name.find("into slot") != path.name.npos;
    if (hit) {
      EXPECT_LE(ours, with_plain_accesses + kMoreThanPlainC) << path.name;
    }
    if (print)
      std::printf("| %s | %s | %lu | %lu | %lu |\n", std::string(variant.name).c_str(), path.name.c_str(), ours, theirs,
                  with_plain_accesses);
  }
}

TEST_P(Instructions, CDoesTheSame) {
  const Variant& variant = *GetParam();
  for (const bool plain : {false, true}) {
    const reference_operations* c = find_reference(variant.name, plain);
    ASSERT_NE(c, nullptr) << "the variant has no reference C";
    for (const Path& path : paths_of(variant)) {
      if (!path.has_reference) continue;
      Prepared ours(variant, path), theirs(variant, path);
      ASSERT_EQ(ours.digest(), theirs.digest()) << path.name;
      ours.call(memcg::operation_named(variant, path.operation).native);
      theirs.call(function_of(*c, path.operation));
      EXPECT_EQ(ours.digest(), theirs.digest()) << path.name << (plain ? ", plain accesses" : "");
    }
  }
}

// What no path can execute on one CPU without interrupts, in instructions.
struct Unreachable {
  const char* function;
  std::size_t instructions;
  const char* reason;
  const char* update_rule = "";  // of variants whose trait begins so
};
const Unreachable kUnreachable[] = {
    {"page_counter_try_charge", 1, "the counter is never null"},
    {"try_charge", 8, "inlined variants: only an interrupt fills the stock between the two scans"},
    {"cgroup_rstat_updated", 11, "another CPU's flusher has the CPU's tree locked; the css is never null"},
    {"mod_memcg_state", 1, "the walk begins at something", "V4"},
    {"mod_memcg_state", 1, "the walk begins at something", "V5:"},
    {"refill_pages", 3, "inlined variants: only an interrupt fills it so that the rest of a batch overflows it"},
};

TEST_P(Instructions, PathsExecuteEveryInstruction) {
  const Variant& variant = *GetParam();
  std::set<std::uintptr_t> executed;
  for (const Path& path : paths_of(variant))
    if (path.has_reference)
      Prepared(variant, path)
          .instructions(memcg::operation_named(variant, path.operation).native,
                        [&](std::uintptr_t at) { executed.insert(at); });

  std::string error;
  const auto functions = native_functions(variant, error);
  ASSERT_EQ(error, "");
  const Function* pair = function_named(functions, "pair");
  ASSERT_NE(pair, nullptr);
  // One object's code lies together, wherever it was linked to.
  const auto moved = reinterpret_cast<std::uintptr_t>(memcg::operation_named(variant, "pair").native) - pair->offset[0];
  for (const Function& function : functions) {
    if (contains(kWithoutReference, function.name)) continue;
    std::size_t missed = 0, allowed = 0;
    std::string list;
    for (std::size_t i = 0; i < function.text.size(); ++i) {
      if (executed.count(function.offset[i] + moved)) continue;
      ++missed;
      list += "\n  #" + std::to_string(i) + " " + function.text[i];
    }
    for (const Unreachable& unreachable : kUnreachable)
      if (function.name == unreachable.function &&
          memcg::trait(variant, "update-rule").starts_with(unreachable.update_rule))
        allowed = unreachable.instructions;
    EXPECT_LE(missed, allowed) << "no path of paths.cpp executes, of " << function.name << ":" << list;
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Instructions, testing::ValuesIn(memcg::sock_charge_variants()), test_name);

}  // namespace
}  // namespace hitmark::codegen
