#include "kernels/codegen/disassembly.hpp"

#include <gtest/gtest.h>

namespace hitmark::codegen {
namespace {

TEST(Disassembly, NamesAreBare) {
  EXPECT_EQ(bare_name("bool a::(anonymous namespace)::try_charge<a::P, a::C<b> >(a::C<b>, int)"), "try_charge");
  EXPECT_EQ(bare_name("a::(anonymous namespace)::Native<a::(anonymous namespace)::P>::pair(void*, void*)"), "pair");
  EXPECT_EQ(bare_name("mod_memcg_state"), "mod_memcg_state");
}

TEST(Disassembly, EqualCodeIsEqualTextWhereverItLies) {
  const auto here = parse_disassembly(
      "0000000000000040 <f>:\n"
      "      40:\ttest   %edi,%edi\n"
      "      42:\tje     50 <f+0x10>\n"
      "      44:\tcall   100 <g>\n"
      "      49:\tjmp    40 <f>\n"
      "      4b:\tnopl   0x0(%rax,%rax,1)\n"
      "      50:\tjmp    200 <h>\n"
      "      55:\tdata16 cs nopw 0x0(%rax,%rax,1)\n"
      "      60:\txchg   %ax,%ax\n");
  const auto there = parse_disassembly(
      "0000000000001000 <void n::(anonymous namespace)::f<n::Cpu>(int)>:\n"
      "    1000:\ttest %edi,%edi\n"
      "    1002:\tje     100b <void n::(anonymous namespace)::f<n::Cpu>(int)+0xb>\n"
      "    1004:\tcall   9000 <void n::(anonymous namespace)::g<n::Cpu>()>\n"
      "    1009:\tjmp    1000 <void n::(anonymous namespace)::f<n::Cpu>(int)>\n"
      "    100b:\tjmp    8000 <n::h(int)>\n");
  ASSERT_EQ(here.size(), 1u);
  ASSERT_EQ(there.size(), 1u);
  EXPECT_EQ(here[0].text, (std::vector<std::string>{"test %edi,%edi", "je #4", "call g", "jmp #0", "jmp h"}));
  EXPECT_EQ(here[0].text, there[0].text);
  EXPECT_EQ(here[0].offset, (std::vector<std::uintptr_t>{0x40, 0x42, 0x44, 0x49, 0x50}));
  EXPECT_EQ(difference(here[0].text, there[0].text), "");
}

TEST(Disassembly, OtherCodeIsAnotherText) {
  const auto text = [](const std::string& instruction) {
    return parse_disassembly("0000000000000000 <f>:\n   0:\t" + instruction + "\n   3:\tjne 0 <f>\n   5:\tret\n")[0]
        .text;
  };
  EXPECT_NE(text("mov (%rdi),%eax"), text("mov (%rdi),%rax"));
  EXPECT_NE(text("mov %gs:0x0,%rax"), text("mov 0x0,%rax"));
  EXPECT_NE(text("call 10 <g>"), text("call 10 <h>"));
  EXPECT_NE(text("je 5 <f+0x5>"), text("je 3 <f+0x3>"));
  EXPECT_NE(difference(text("nopl (%rax)"), text("lock addl $0x1,(%rax)")), "");
}

TEST(Disassembly, AMissingFileIsAnErrorWithAHint) {
  std::string error;
  EXPECT_TRUE(disassemble("/nowhere/no.o", error).empty());
  EXPECT_NE(error.find("binutils"), std::string::npos) << error;
}

}  // namespace
}  // namespace hitmark::codegen
