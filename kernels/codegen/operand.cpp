#include "kernels/codegen/operand.hpp"

#include <charconv>
#include <map>
#include <string>
#include <vector>

namespace hitmark::codegen {
namespace {

std::uint64_t register_value(std::string_view name, const user_regs_struct& r) {
  const std::map<std::string_view, std::uint64_t> values = {
      {"rax", r.rax}, {"rbx", r.rbx}, {"rcx", r.rcx}, {"rdx", r.rdx}, {"rsi", r.rsi},    {"rdi", r.rdi},
      {"rbp", r.rbp}, {"rsp", r.rsp}, {"r8", r.r8},   {"r9", r.r9},   {"r10", r.r10},    {"r11", r.r11},
      {"r12", r.r12}, {"r13", r.r13}, {"r14", r.r14}, {"r15", r.r15}, {"fs", r.fs_base}, {"gs", r.gs_base}};
  const auto found = values.find(name);
  return found == values.end() ? 0 : found->second;
}

// "%rax" 8, "%eax" and "%r8d" 4; 0 for what is no register of these sizes.
unsigned register_size(std::string_view name) {
  if (name.starts_with("%r")) return name.ends_with('d') && name.size() > 3 ? 4 : 8;
  return name.starts_with("%e") ? 4 : 0;
}

// "%gs:0x8(%rdi,%rax,8)" as an address.
std::uint64_t address_of(std::string_view operand, const user_regs_struct& registers) {
  std::uint64_t address = 0;
  if (operand.size() > 3 && operand[0] == '%' && operand[3] == ':') {
    address = register_value(operand.substr(1, 2), registers);
    operand.remove_prefix(4);
  }
  const bool negative = operand.starts_with('-');
  if (negative) operand.remove_prefix(1);
  if (operand.starts_with("0x")) {
    std::uint64_t displacement = 0;
    const auto end = std::from_chars(operand.data() + 2, operand.data() + operand.size(), displacement, 16).ptr;
    operand.remove_prefix(static_cast<std::size_t>(end - operand.data()));
    address += negative ? 0 - displacement : displacement;
  }
  if (!operand.starts_with('(')) return address;
  std::uint64_t value = 0;
  unsigned position = 0;
  for (std::size_t at = 1; at < operand.size();) {
    const std::size_t end = operand.find_first_of(",)", at);
    const std::string_view part = operand.substr(at, end - at);
    if (part.starts_with('%')) {
      value = register_value(part.substr(1), registers);
      address += value;
    } else if (position == 2 && !part.empty()) {
      address += value * static_cast<unsigned>(part[0] - '1');
    }
    ++position;
    at = end + 1;
  }
  return address;
}

std::vector<std::string_view> operands_of(std::string_view text) {
  std::vector<std::string_view> all;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (text[i] == ',' && depth == 0)) {
      if (i > start) all.push_back(text.substr(start, i - start));
      start = i + 1;
    } else if (text[i] == '(') {
      ++depth;
    } else if (text[i] == ')') {
      --depth;
    }
  }
  return all;
}

bool is_memory(std::string_view operand) {
  return operand.find('(') != operand.npos || operand.find("s:") != operand.npos;
}

}  // namespace

std::optional<LackeyAccess> access_of(std::string_view text, const user_regs_struct& registers) {
  text = text.substr(0, text.find(" #"));
  const bool locked = text.starts_with("lock ");
  if (locked) text.remove_prefix(5);
  const std::size_t space = text.find(' ');
  std::string_view mnemonic = text.substr(0, space);
  if (space == text.npos || mnemonic == "lea" || mnemonic.starts_with("nop") || mnemonic.starts_with('j') ||
      mnemonic == "call" || mnemonic == "push" || mnemonic == "pop")
    return std::nullopt;
  const auto operands = operands_of(text.substr(space + 1));
  std::string_view memory;
  unsigned size = 0;
  for (const std::string_view operand : operands) {
    if (is_memory(operand))
      memory = operand;
    else
      size = register_size(operand) ? register_size(operand) : size;
  }
  if (memory.empty()) return std::nullopt;

  const bool to_memory = operands.back() == memory && !mnemonic.starts_with("cmp") && !mnemonic.starts_with("test");
  char kind = 'L';
  if (mnemonic.starts_with("cmpxchg") || mnemonic.starts_with("xadd") || mnemonic.starts_with("xchg"))
    kind = locked || mnemonic.starts_with("xchg") ? 'X' : 'M';
  else if (to_memory)
    kind = mnemonic.starts_with("mov") ? 'S' : locked ? 'X' : 'M';
  if (mnemonic == "movslq" || mnemonic == "movzbl")
    return LackeyAccess{kind, address_of(memory, registers), mnemonic == "movslq" ? 4u : 1u, 0};
  bool known = false;
  for (const std::string_view name : {"mov", "add", "sub", "cmp", "cmpxchg", "xadd", "xchg", "test"}) {
    if (mnemonic == name) known = true;
    if (mnemonic.size() == name.size() + 1 && mnemonic.starts_with(name)) {
      known = mnemonic.ends_with('q') || mnemonic.ends_with('l');
      size = mnemonic.ends_with('q') ? 8 : 4;
    }
    if (known) break;
  }
  return LackeyAccess{kind, address_of(memory, registers), known ? size : 0, 0};
}

}  // namespace hitmark::codegen
