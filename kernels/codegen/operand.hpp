// The memory access of one disassembled instruction (AT&T syntax, as Function::text has it), given the registers before
// it.
#pragma once

#include <sys/user.h>

#include <optional>
#include <string_view>

#include "kernels/codegen/lackey.hpp"

namespace hitmark::codegen {

// None for an instruction that accesses no memory, or only the stack by push, pop, call or ret. The kinds are
// LackeyAccess's, X for every locked update. `instruction` is 0. Knows the mnemonics that counters are made of; of
// another it answers an access of size 0, which equals none.
std::optional<LackeyAccess> access_of(std::string_view text, const user_regs_struct& registers);

}  // namespace hitmark::codegen
