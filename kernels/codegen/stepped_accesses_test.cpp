// What TracedCpu tells of a variant against what the native code does, single-stepped: each instruction's access is
// computed from its text and the registers. That tells a cmpxchg with LOCK from one without, which lackey does not,
// works for restartable sequences, which valgrind has not, and takes less, so every variant of the counters' families
// is in the quick tier. Lackey, which sees the same accesses, checks the computation (trace_equivalence_test.cpp).
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
  EXPECT_EQ(access("movslq 0x4(%rax),%rdx"), "L 4100 4");
  EXPECT_EQ(access("movzbl 0x1(%rax),%edx"), "L 4097 1");
  EXPECT_EQ(access("lock cmpxchg %ecx,(%rax)"), "X 4096 4");
  EXPECT_EQ(access("lea 0x0(%rip),%rax # 25 <add+0x25>"), "none");
  EXPECT_EQ(access("add %rax,%rdx"), "none");
  EXPECT_EQ(access("ret"), "none");
  EXPECT_EQ(access("rorq (%rax)"), "M 4096 0");  // unknown: no access equals it
}

// Of sock-charge lackey alone: its paths are ten times as long, and it has instructions that operand.cpp has not.
std::vector<const Variant*> variants_of_counters() {
  std::vector<const Variant*> chosen = every_variant();
  std::erase_if(chosen, [](const Variant* v) { return v->family == "sock-charge" && !is_restartable(*v); });
  return chosen;
}

constexpr std::size_t kStack = std::size_t{1} << 20;  // below this program's own frames

class SteppedAccesses : public testing::TestWithParam<const Variant*> {};

// Where objects lie; a thread's struct rseq, real or traced, is called "rseq" where the variant has use for one.
std::vector<AddressRange> with_rseq(std::vector<AddressRange> ranges, Simulation& s, bool traced) {
  if (!is_restartable(s.variant())) return ranges;
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

  const TestedFamily& family = tested_family(variant);
  const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const AddressRange stack = {frame - kStack, kStack, "stack"};
  std::size_t compared = 0;
  for (const Path& path : paths_of(variant)) {
    Recorder recorder;
    const auto simulation = family.simulate(variant, path.workload, &recorder);
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
    const auto native = accesses_by_object(accesses, with_rseq(ranges, s, false), stack);
    EXPECT_TRUE(!native.empty() || may_touch_nothing(path, family)) << path.name;

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

INSTANTIATE_TEST_SUITE_P(Every, SteppedAccesses, testing::ValuesIn(variants_of_counters()), test_name);

}  // namespace
}  // namespace hitmark::codegen
