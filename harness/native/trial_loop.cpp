// Compiled with flags of its own (CMakeLists.txt), the same in every build type, so that instruction counts
// and alignment do not depend on how the rest was built.
#include "harness/native/trial_loop.hpp"

#include "kernels/memory/compiler.hpp"

#define HITMARK_LOOP HITMARK_NOIPA [[gnu::section("hitmark_loop")]]

namespace hitmark::native {

HITMARK_LOOP void run_bare(LoopInput& input, std::uint64_t operations) {
  const NativeOperation operation = input.operation;
  void* const state = input.state;
  void* const object = input.objects[0];
  const unsigned amount = input.amount;
  for (; operations != 0; --operations) operation(state, object, amount);
}

HITMARK_LOOP void run_cyclic(LoopInput& input, std::uint64_t operations) {
  const NativeOperation operation = input.operation;
  void* const state = input.state;
  const unsigned amount = input.amount;
  void* const* const first = input.objects;
  void* const* const end = first + input.object_count;
  void* const* next = first + input.next_object;
  for (; operations != 0; --operations) {
    operation(state, *next, amount);
    if (++next == end) next = first;
  }
  input.next_object = static_cast<std::size_t>(next - first);
}

HITMARK_LOOP void run_pressure(LoopInput& input, std::uint64_t operations) {
  constexpr std::size_t kWordsPerLine = 8;
  const NativeOperation operation = input.operation;
  void* const state = input.state;
  const unsigned amount = input.amount;
  void* const* const first = input.objects;
  void* const* const end = first + input.object_count;
  void* const* next = first + input.next_object;
  volatile std::uint64_t* const pressure_end = input.pressure + input.pressure_lines * kWordsPerLine;
  for (; operations != 0; --operations) {
    for (volatile std::uint64_t* word = input.pressure; word != pressure_end; word += kWordsPerLine) *word = *word + 1;
    operation(state, *next, amount);
    if (++next == end) next = first;
  }
  input.next_object = static_cast<std::size_t>(next - first);
}

HITMARK_NOIPA void empty_operation(void*, void*, unsigned) {}

}  // namespace hitmark::native
