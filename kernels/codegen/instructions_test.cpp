// What every path executes, one instruction at a time, in C++ and in C: at most one instruction more, and the same
// memory afterwards. HITMARK_CODEGEN_TABLE=1 in the environment prints the counts.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <set>

#include "kernels/codegen/objects.hpp"
#include "kernels/codegen/paths.hpp"
#include "kernels/codegen/references.hpp"
#include "kernels/codegen/without_rseq.hpp"
#include "kernels/memory/gs_base.hpp"
#include "support/instruction_counter.hpp"

namespace hitmark::codegen {
namespace {

[[gnu::noipa]] void nothing(void*, void*, unsigned) {}

struct Prepared {
  Prepared(const Variant& variant, const Path& taken)
      : path(taken), simulation(tested_family(variant).simulate(variant, taken.workload, nullptr)) {
    path.prepare(*simulation);
    object = variant.object(simulation->state(), 0, path.index);
  }
  void call(ReferenceFunction function) {
    set_gs_base(simulation->arena().percpu_address(0, 0));
    function(simulation->state(), object, path.amount);
  }
  // Without the call itself; the memory stays as it is.
  std::uint64_t instructions(ReferenceFunction function,
                             const std::function<void(std::uintptr_t)>& on_instruction = nullptr) {
    static const std::uint64_t overhead[] = {count(nothing, nullptr, false) - 1, count(nothing, nullptr, true) - 1};
    const bool restartable = is_restartable(simulation->variant());
    return count(function, on_instruction, restartable) - overhead[restartable];  // 1: the `ret` of nothing()
  }
  std::uint64_t digest() { return simulation->variant().digest(simulation->state()); }

  const Path& path;
  std::unique_ptr<Simulation> simulation;
  void* object;

 private:
  std::uint64_t count(ReferenceFunction function, const std::function<void(std::uintptr_t)>& on_instruction,
                      bool without_rseq) {
    set_gs_base(simulation->arena().percpu_address(0, 0));
    const auto result = count_instructions(
        [this, function, without_rseq] {
          if (without_rseq) leave_rseq(0);
          function(simulation->state(), object, path.amount);
        },
        on_instruction);
    if (!result) ADD_FAILURE() << result.error().message << "\n" << result.error().hint;
    return result ? *result : 0;
  }
};

class Instructions : public testing::TestWithParam<const Variant*> {
 protected:
  void SetUp() override {
    if (const std::string reason = HITMARK_CODEGEN_SKIP; !reason.empty()) GTEST_SKIP() << reason;
  }
};

TEST_P(Instructions, AtMostOneMoreThanC) {
  const Variant& variant = *GetParam();
  const reference_operations* c = find_reference(variant, false);
  const reference_operations* plain = find_reference(variant, true);
  ASSERT_TRUE(c && plain) << "the variant has no reference C";
  const bool print = std::getenv("HITMARK_CODEGEN_TABLE") != nullptr;
  for (const Path& path : paths_of(variant)) {
    if (!path.has_reference) continue;
    Prepared prepared(variant, path);
    const auto ours = prepared.instructions(operation_named(variant, path.operation).native);
    const auto theirs = prepared.instructions(function_of(*c, path.operation));
    const auto with_plain_accesses = prepared.instructions(function_of(*plain, path.operation));
    EXPECT_LE(ours, theirs + more_than_c(variant)) << path.name;
    if (tested_family(variant).is_hit(path)) {
      EXPECT_LE(ours, with_plain_accesses + tested_family(variant).more_than_plain_c) << path.name;
    }
    if (print)
      std::printf("| %s | %s | %lu | %lu | %lu |\n", registry_key(variant).c_str(), path.name.c_str(), ours, theirs,
                  with_plain_accesses);
  }
}

TEST_P(Instructions, CDoesTheSame) {
  const Variant& variant = *GetParam();
  for (const bool plain : {false, true}) {
    const reference_operations* c = find_reference(variant, plain);
    ASSERT_NE(c, nullptr) << "the variant has no reference C";
    for (const Path& path : paths_of(variant)) {
      if (!path.has_reference) continue;
      Prepared ours(variant, path), theirs(variant, path);
      ASSERT_EQ(ours.digest(), theirs.digest()) << path.name;
      ours.call(operation_named(variant, path.operation).native);
      theirs.call(function_of(*c, path.operation));
      EXPECT_EQ(ours.digest(), theirs.digest()) << path.name << (plain ? ", plain accesses" : "");
    }
  }
}

TEST_P(Instructions, PathsExecuteEveryInstruction) {
  const Variant& variant = *GetParam();
  std::set<std::uintptr_t> executed;
  for (const Path& path : paths_of(variant))
    if (path.has_reference)
      Prepared(variant, path).instructions(operation_named(variant, path.operation).native, [&](std::uintptr_t at) {
        executed.insert(at);
      });

  std::string error;
  const auto functions = native_functions(variant, error);
  ASSERT_EQ(error, "");
  const Operation& first = variant.operations.front();
  const Function* pair = function_named(functions, std::string(first.name));
  ASSERT_NE(pair, nullptr);
  // One object's code lies together, wherever it was linked to.
  const auto moved = reinterpret_cast<std::uintptr_t>(first.native) - pair->offset[0];
  for (const Function& function : functions) {
    if (contains(tested_family(variant).without_reference, function.name)) continue;
    std::size_t missed = 0, allowed = 0;
    std::string list;
    for (std::size_t i = 0; i < function.text.size(); ++i) {
      if (executed.count(function.offset[i] + moved)) continue;
      ++missed;
      list += "\n  #" + std::to_string(i) + " " + function.text[i];
    }
    for (const Unreachable& unreachable : tested_family(variant).unreachable)
      if (function.name == unreachable.function && unreachable.of.holds(variant)) allowed = unreachable.instructions;
    EXPECT_LE(missed, allowed) << "no path of the family executes, of " << function.name << ":" << list;
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Instructions, testing::ValuesIn(every_variant()), test_name);

}  // namespace
}  // namespace hitmark::codegen
