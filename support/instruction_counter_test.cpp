#include "support/instruction_counter.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <map>

namespace hitmark {
namespace {

std::uint64_t counted(const std::function<void()>& body) {
  const auto count = count_instructions(body);
  if (!count) {
    ADD_FAILURE() << count.error().message;
    return 0;
  }
  return *count;
}

TEST(InstructionCounter, CountsEveryInstructionOnce) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "AddressSanitizer's checks around the two bodies differ by an instruction";
#endif
  // Not against an empty body: without optimisation g++ puts a nop of its own there.
  const auto one = counted([] { asm volatile("nop" ::: "memory"); });
  EXPECT_EQ(counted([] { asm volatile("nop\n nop\n nop\n nop" ::: "memory"); }), one + 3);
}

TEST(InstructionCounter, CountsLoopsByDifference) {
  const auto loop = [](long n) {
    return counted([n] {
      long left = n;
      asm volatile("1: sub $1, %0\n jnz 1b" : "+r"(left) : : "cc");
    });
  };
  EXPECT_EQ(loop(300) - loop(100), 400u);
}

TEST(InstructionCounter, GivesTheAddressOfEachInstructionBeforeTheEnd) {
  std::map<std::uintptr_t, int> visits;
  std::uint64_t calls = 0;
  std::uintptr_t at = 0;
  asm volatile("lea 1f(%%rip), %0\n jmp 2f\n 1: nop\n ret\n 2:" : "=r"(at));  // a function of two instructions
  const auto count = count_instructions([at] { reinterpret_cast<void (*)()>(at)(); },
                                        [&](std::uintptr_t address) { ++visits[address], ++calls; });
  ASSERT_TRUE(count) << count.error().message;
  EXPECT_EQ(visits[at], 1);
  EXPECT_EQ(visits[at + 1], 1);
  EXPECT_EQ(calls, *count + 1);  // and of the closing breakpoint
}

TEST(InstructionCounter, SaysHowTheFunctionEndedWhenItDidNotReturn) {
  const auto exited = count_instructions([] { ::_exit(7); });
  ASSERT_FALSE(exited);
  EXPECT_NE(exited.error().message.find("status 7"), std::string::npos);
  const auto killed = count_instructions([] { ::raise(SIGKILL); });
  ASSERT_FALSE(killed);
  EXPECT_NE(killed.error().message.find("signal 9"), std::string::npos);
}

}  // namespace
}  // namespace hitmark
