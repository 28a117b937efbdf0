// Disassembled functions in a form in which equal code of two objects is equal text: addresses, padding and symbol
// names are gone, a jump says the number of the instruction it goes to and a call the bare name of its function.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hitmark::codegen {

struct Function {
  std::string symbol;                  // demangled, as objdump has it
  std::string name;                    // without return type, scopes, template arguments and parameters
  std::vector<std::string> text;       // one normalised instruction each, without padding
  std::vector<std::uintptr_t> offset;  // of each in the object's section
};

// "bool hitmark::memcg::(anonymous namespace)::try_charge<A, B<C> >(B, int)" gives "try_charge".
std::string bare_name(std::string_view symbol);

// All functions of what `objdump -dC --no-show-raw-insn` printed.
std::vector<Function> parse_disassembly(std::string_view output);

// Runs objdump on an object file. Empty when it could not: `error` says why and what to install.
std::vector<Function> disassemble(const std::string& object, std::string& error);

// The first line in which two texts differ with what surrounds it; empty when they are equal.
std::string difference(const std::vector<std::string>& ours, const std::vector<std::string>& theirs);

}  // namespace hitmark::codegen
