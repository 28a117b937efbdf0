// How many instructions a function executes, exactly and without a PMU: a forked child runs it one
// instruction at a time under ptrace, between two breakpoints. About 3 us an instruction.
//
// Every iteration of a `rep` instruction counts as one. The count includes the few instructions of the call
// through std::function, the same for every body: compare 2N with N repetitions to be rid of them.
#pragma once

#include <sys/user.h>

#include <cstdint>
#include <functional>

#include "support/result.hpp"

namespace hitmark {

// `body` runs in a copy of this process: nothing that it does to memory is seen here, and it must not wait
// for other threads, which the copy does not have. kDenied where ptrace is refused.
Result<std::uint64_t> count_instructions(const std::function<void()>& body);

// The same, calling `on_instruction` with the address of each instruction before it is executed. Addresses
// of the copy are those of this process.
Result<std::uint64_t> count_instructions(const std::function<void()>& body,
                                         const std::function<void(std::uintptr_t)>& on_instruction);

// The same, with the registers (segment bases included) before each instruction.
Result<std::uint64_t> step_instructions(const std::function<void()>& body,
                                        const std::function<void(const user_regs_struct&)>& on_instruction);

}  // namespace hitmark
