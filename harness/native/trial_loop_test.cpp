#include "harness/native/trial_loop.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <vector>

#include "harness/native/overhead.hpp"
#include "kernels/memory/compiler.hpp"
#include "support/instruction_counter.hpp"

extern "C" const char __start_hitmark_loop[], __stop_hitmark_loop[];

namespace hitmark::native {
namespace {

struct Call {
  void* object;
  unsigned amount;
  bool operator==(const Call&) const = default;
};

void note(void* state, void* object, unsigned amount) {
  static_cast<std::vector<Call>*>(state)->push_back({object, amount});
}

class TrialLoopTest : public ::testing::Test {
 protected:
  TrialLoopTest() {
    input.operation = note;
    input.state = &calls;
    input.objects = objects.data();
    input.object_count = objects.size();
    input.amount = 7;
  }
  std::vector<Call> calls;
  int a = 0, b = 0, c = 0;
  std::array<void*, 3> objects{&a, &b, &c};
  LoopInput input;
};

TEST_F(TrialLoopTest, BareUsesTheFirstObjectAlone) {
  run_bare(input, 3);
  EXPECT_EQ(calls, (std::vector<Call>(3, Call{&a, 7})));
  run_bare(input, 0);
  EXPECT_EQ(calls.size(), 3u);
}

TEST_F(TrialLoopTest, CyclicGoesOnWhereItStopped) {
  run_cyclic(input, 2);
  run_cyclic(input, 0);
  run_cyclic(input, 5);
  const std::vector<Call> expected = {{&a, 7}, {&b, 7}, {&c, 7}, {&a, 7}, {&b, 7}, {&c, 7}, {&a, 7}};
  EXPECT_EQ(calls, expected);
}

TEST_F(TrialLoopTest, PressureWritesOneWordOfEveryLineBeforeEachOperation) {
  std::vector<std::uint64_t> memory(4 * 8, 0);
  input.pressure = memory.data();
  input.pressure_lines = 3;
  run_pressure(input, 2);
  for (std::size_t word = 0; word < memory.size(); ++word)
    EXPECT_EQ(memory[word], word % 8 == 0 && word / 8 < 3 ? 2u : 0u) << word;
  EXPECT_EQ(calls, (std::vector<Call>{{&a, 7}, {&b, 7}}));
}

TEST(Overhead, TheBareLoopCostsAtMostSixInstructionsPerOperation) {
  const auto overheads = measure_driver_overhead();
  if (!overheads && overheads.error().kind == ErrorKind::kDenied) GTEST_SKIP() << overheads.error().message;
  ASSERT_TRUE(overheads) << overheads.error().message;
  ASSERT_EQ(overheads->size(), 3u);
  EXPECT_EQ((*overheads)[0].driver, "bare");
  EXPECT_LE((*overheads)[0].instructions_per_operation, 6);
  EXPECT_GE((*overheads)[0].instructions_per_operation, 3) << "less than a call and a loop: not counted right";
  EXPECT_GT((*overheads)[1].instructions_per_operation, (*overheads)[0].instructions_per_operation);
  EXPECT_GT((*overheads)[2].instructions_per_operation, (*overheads)[1].instructions_per_operation + 16 * 3);
}

HITMARK_NOIPA void long_operation(void* state, void*, unsigned amount) {
  auto* words = static_cast<volatile std::uint64_t*>(state);
  for (unsigned i = 0; i < amount; ++i) words[i % 4] = words[i % 4] + i;
}

// Every instruction of the loop, by address, is executed as often for one arm as for another.
TEST(Overhead, TheLoopIsTheSameForEveryArm) {
  std::uint64_t words[4] = {};
  std::array<void*, 2> objects{words, words};
  std::uint64_t pressure[2 * 8] = {};
  for (const Driver driver : {run_bare, run_cyclic, run_pressure}) {
    std::map<std::uintptr_t, int> visits[2];
    const NativeOperation operations[2] = {empty_operation, long_operation};
    for (int arm = 0; arm < 2; ++arm) {
      LoopInput input{.operation = operations[arm],
                      .state = words,
                      .objects = objects.data(),
                      .object_count = 2,
                      .amount = 3,
                      .pressure = pressure,
                      .pressure_lines = 2};
      const auto count = count_instructions([&] { driver(input, 10); },
                                            [&](std::uintptr_t at) {
                                              if (at >= reinterpret_cast<std::uintptr_t>(__start_hitmark_loop) &&
                                                  at < reinterpret_cast<std::uintptr_t>(__stop_hitmark_loop))
                                                ++visits[arm][at];
                                            });
      if (!count && count.error().kind == ErrorKind::kDenied) GTEST_SKIP() << count.error().message;
      ASSERT_TRUE(count) << count.error().message;
    }
    EXPECT_GT(visits[0].size(), 6u);
    EXPECT_EQ(visits[0], visits[1]);
  }
}

}  // namespace
}  // namespace hitmark::native
