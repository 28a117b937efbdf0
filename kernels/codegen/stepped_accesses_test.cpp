// What TracedCpu tells of restartable sequences against what the native code does. Valgrind, and with it lackey, has no
// rseq; so the code is single-stepped and each instruction's access computed from its text and the registers. The other
// variants of the same family, which lackey checks too, are the test of that computation.
#include <gtest/gtest.h>

#include "kernels/codegen/objects.hpp"
#include "kernels/codegen/operand.hpp"
#include "kernels/codegen/traced_path.hpp"
#include "kernels/codegen/without_rseq.hpp"
#include "kernels/memory/gs_base.hpp"
#include "kernels/percpu_counter/layouts.hpp"
#include "support/instruction_counter.hpp"

namespace hitmark::codegen {
namespace {

TEST(Operand, AccessOfAnInstruction) {
  user_regs_struct r{};
  r.rax = 0x1000;
  r.rdi = 0x20;
  r.gs_base = 0x500000;
  r.fs_base = 0x700000;
  const auto access = [&](std::string_view text) {
    const auto found = access_of(text, r);
    return found
               ? std::string(1, found->kind) + " " + std::to_string(found->address) + " " + std::to_string(found->size)
               : std::string("none");
  };
  EXPECT_EQ(access("mov (%rax),%rdx"), "L 4096 8");
  EXPECT_EQ(access("mov %edx,0x10(%rax)"), "S 4112 4");
  EXPECT_EQ(access("lock add %rdx,-0x8(%rax,%rdi,8)"), "X 4344 8");
  EXPECT_EQ(access("add (%rax,%rdi,1),%r8"), "L 4128 8");
  EXPECT_EQ(access("add %rdx,%gs:(%rdi)"), "M 5242912 8");
  EXPECT_EQ(access("mov %gs:0x40,%r8d"), "L 5242944 4");
  EXPECT_EQ(access("addl $0x1,%gs:0xc(%rdi)"), "M 5242924 4");
  EXPECT_EQ(access("cmp %fs:0x4(%rdi),%eax"), "L 7340068 4");
  EXPECT_EQ(access("cmpxchg %ecx,%gs:(%rdi)"), "M 5242912 4");
  EXPECT_EQ(access("xchg %eax,(%rax)"), "X 4096 4");
  EXPECT_EQ(access("lea 0x0(%rip),%rax # 25 <add+0x25>"), "none");
  EXPECT_EQ(access("add %rax,%rdx"), "none");
  EXPECT_EQ(access("ret"), "none");
  EXPECT_EQ(access("rorq (%rax)"), "M 4096 0");  // unknown: no access equals it
}

class SteppedAccesses : public testing::TestWithParam<const Variant*> {};

// Where objects lie; a thread's struct rseq, real or traced, is called "rseq".
std::vector<AddressRange> with_rseq(std::vector<AddressRange> ranges, Simulation& s, bool traced) {
  const auto in_arena = reinterpret_cast<std::uintptr_t>(s.arena().percpu_address(0, kStaticPercpu)) +
                        offsetof(percpu_counter::CpuNumbers, rseq);
  // The last range that holds an address is the one it is named by.
  ranges.push_back({traced ? in_arena : rseq_address(), sizeof(percpu_counter::RseqArea), std::string("rseq")});
  return ranges;
}

TEST_P(SteppedAccesses, TracedAccessesAreTheNativeOnes) {
  if (const std::string reason = HITMARK_CODEGEN_SKIP; !reason.empty()) GTEST_SKIP() << reason;
  const Variant& variant = *GetParam();
  std::string error;
  const auto functions = native_functions(variant, error);
  ASSERT_EQ(error, "");
  const Operation& first = variant.operations.front();
  const Function* linked = function_named(functions, std::string(first.name));
  ASSERT_NE(linked, nullptr);
  const auto moved = reinterpret_cast<std::uintptr_t>(first.native) - linked->offset[0];
  std::map<std::uintptr_t, std::string_view> text;
  for (const Function& function : functions)
    for (std::size_t i = 0; i < function.text.size(); ++i) text[function.offset[i] + moved] = function.text[i];

  std::size_t compared = 0;
  for (const Path& path : paths_of(variant)) {
    Recorder recorder;
    const auto simulation = tested_family(variant).simulate(variant, path.workload, &recorder);
    Simulation& s = *simulation;
    path.prepare(s);
    const auto percpu = reinterpret_cast<std::uintptr_t>(s.arena().percpu_address(0, 0));
    const auto ranges = ranges_of(s, percpu, reinterpret_cast<std::uintptr_t>(s.state()));
    void* const object = variant.object(s.state(), 0, path.index);

    std::vector<LackeyAccess> accesses;  // natively first: it happens in a copy of this process
    set_gs_base(s.arena().percpu_address(0, 0));
    const auto stepped = step_instructions(
        [&] {
          leave_rseq(0);
          operation_named(variant, path.operation).native(s.state(), object, path.amount);
        },
        [&](const user_regs_struct& registers) {
          const auto found = text.find(registers.rip);
          if (found == text.end()) return;
          if (const auto access = access_of(found->second, registers)) accesses.push_back(*access);
        });
    ASSERT_TRUE(stepped) << stepped.error().message << "\n" << stepped.error().hint;
    const auto native = accesses_by_object(accesses, with_rseq(ranges, s, false), {0, 0, "stack"});

    recorder.recording = true;
    s.run(path.operation, 0, path.index, path.amount);
    std::vector<std::string> traced;
    for (const Access& access : recorder.accesses)
      traced.push_back(access_text(letter(access.kind), access.address, access.size, with_rseq(ranges, s, true)));
    EXPECT_TRUE(traced == native) << path.name << " (left traced, right native): " << difference(traced, native);
    compared += native.size();
  }
  EXPECT_GT(compared, 20u);
}

INSTANTIATE_TEST_SUITE_P(Every, SteppedAccesses, testing::ValuesIn(variants_of("percpu-counter")), test_name);

TEST(Restartable, EveryVariantIsStepped) {
  for (const Variant* variant : every_variant()) {
    if (is_restartable(*variant)) {
      EXPECT_EQ(variant->family, "percpu-counter") << registry_key(*variant);
    }
  }
}

}  // namespace
}  // namespace hitmark::codegen
