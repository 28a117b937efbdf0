// The innermost loops: call one arm's operation N times and do nothing else. Every arm of a condition goes
// through the same indirect call at the same address; two call sites of one function were measured to differ
// by up to 2.4 %. overhead_test.cpp counts what each loop costs.
//
// All three lie in the section `hitmark_loop`, so that their instructions can be told from the operation's.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hitmark::native {

// As hitmark::Operation::native.
using NativeOperation = void (*)(void* state, void* object, unsigned amount);

// What a loop works with: one arm on one CPU.
struct LoopInput {
  NativeOperation operation = nullptr;
  void* state = nullptr;
  void* const* objects = nullptr;  // used in turn, one per operation
  std::size_t object_count = 1;
  unsigned amount = 1;
  std::size_t next_object = 0;        // goes on from one call to the next
  std::uint64_t* pressure = nullptr;  // of this CPU, the same for all arms
  std::size_t pressure_lines = 0;
};

using Driver = void (*)(LoopInput& input, std::uint64_t operations);

void run_bare(LoopInput& input, std::uint64_t operations);    // objects[0] only
void run_cyclic(LoopInput& input, std::uint64_t operations);  // all objects in turn
// As run_cyclic; before each operation it reads and writes one word of every line of `pressure`.
void run_pressure(LoopInput& input, std::uint64_t operations);

// The operation of the arm `empty`.
void empty_operation(void* state, void* object, unsigned amount);

}  // namespace hitmark::native
