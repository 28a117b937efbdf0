#include "kernels/codegen/disassembly.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <sstream>

namespace hitmark::codegen {
namespace {

struct Line {
  std::uintptr_t address;
  std::string text;
};

// "nop", "nopl 0x0(%rax)", "data16 cs nopw ...", "xchg %ax,%ax"
bool is_padding(std::string_view text) {
  for (const std::string_view prefix : {"data16 ", "cs "})
    while (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  return text.starts_with("nop") || (text.starts_with("xchg ") && text.ends_with(" %ax,%ax"));
}

// "1f3 <try_charge+0x20>" as its parts: where to, and the symbol there. False for another operand.
bool parse_target(std::string_view operand, std::uintptr_t& address, std::string_view& symbol) {
  const char* end = operand.data() + operand.size();
  const auto parsed = std::from_chars(operand.data(), end, address, 16);
  std::string_view rest(parsed.ptr, static_cast<std::size_t>(end - parsed.ptr));
  if (parsed.ec != std::errc() || !rest.starts_with(" <") || !rest.ends_with('>')) return false;
  symbol = rest.substr(2, rest.size() - 3);
  if (const std::size_t plus = symbol.rfind("+0x"); plus != symbol.npos) symbol = symbol.substr(0, plus);
  return true;
}

std::string single_spaced(std::string text) {
  std::string result;
  for (const char c : text)
    if (c != ' ' || (!result.empty() && result.back() != ' ')) result += c;
  while (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

Function normalise(const std::string& symbol, const std::vector<Line>& lines) {
  Function function{symbol, bare_name(symbol), {}, {}};
  std::map<std::uintptr_t, std::size_t> number;  // padding has the number of what follows it
  std::size_t next = 0;
  for (const Line& line : lines) {
    number[line.address] = next;
    next += !is_padding(line.text);
  }
  for (const Line& line : lines) {
    if (is_padding(line.text)) continue;
    std::string text = line.text;
    const std::string operation = text.substr(0, text.find(' '));
    std::uintptr_t target = 0;
    std::string_view symbol_there;
    const std::size_t operand = std::min(text.find_first_not_of(' ', operation.size()), text.size());
    if (parse_target(std::string_view(line.text).substr(operand), target, symbol_there)) {
      const auto inside = number.find(target);
      if (operation != "call" && inside != number.end())
        text = operation + " #" + std::to_string(inside->second);
      else
        text = operation + " " + bare_name(symbol_there);
    }
    function.text.push_back(single_spaced(text));
    function.offset.push_back(line.address);
  }
  return function;
}

std::string quoted(const std::string& path) {
  std::string result = "'";
  for (const char c : path) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

}  // namespace

std::string bare_name(std::string_view symbol) {
  static constexpr std::string_view kUnnamed = "(anonymous namespace)::";
  std::string text(symbol);
  for (std::size_t at; (at = text.find(kUnnamed)) != std::string::npos;) text.erase(at, kUnnamed.size());
  std::string outside;  // of template arguments
  int depth = 0;
  for (const char c : text) {
    depth += c == '<';
    if (depth == 0) outside += c;
    depth -= c == '>';
  }
  outside.erase(std::min(outside.find('('), outside.size()));
  return outside.substr(outside.find_last_of(" :") + 1);
}

std::vector<Function> parse_disassembly(std::string_view output) {
  std::vector<Function> functions;
  std::string symbol;
  std::vector<Line> lines;
  const auto finish = [&] {
    if (!symbol.empty()) functions.push_back(normalise(symbol, lines));
    lines.clear();
  };
  std::istringstream in{std::string(output)};
  for (std::string text; std::getline(in, text);) {
    const std::size_t colon = text.find(":\t");
    std::uintptr_t address = 0;
    std::string_view heading;
    if (text.ends_with(">:") && parse_target(std::string_view(text).substr(0, text.size() - 1), address, heading)) {
      finish();
      symbol = heading;
    } else if (!symbol.empty() && colon != text.npos) {
      std::string code = text.substr(colon + 2);
      code.erase(std::min(code.find(" #"), code.size()));  // objdump's own remark
      lines.push_back({std::stoull(text, nullptr, 16), code});
    }
  }
  finish();
  return functions;
}

std::vector<Function> disassemble(const std::string& object, std::string& error) {
  const std::string command = "objdump -dC --no-show-raw-insn --section=.text " + quoted(object) + " 2>&1";
  std::FILE* pipe = popen(command.c_str(), "r");
  std::string output;
  char buffer[4096];
  for (std::size_t n; pipe && (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) output.append(buffer, n);
  if (!pipe || pclose(pipe) != 0) {
    error = "objdump failed on " + object + ": " + output + "(it comes with binutils: apt-get install binutils)";
    return {};
  }
  return parse_disassembly(output);
}

std::string difference(const std::vector<std::string>& ours, const std::vector<std::string>& theirs) {
  if (ours == theirs) return "";
  const std::size_t shorter = std::min(ours.size(), theirs.size());
  std::size_t at = 0;
  while (at < shorter && ours[at] == theirs[at]) ++at;
  std::ostringstream out;
  out << ours.size() << " lines against " << theirs.size() << "; from line " << at << ":\n";
  for (std::size_t i = at < 3 ? 0 : at - 3; i < at + 8; ++i) {
    const auto text = [i](const std::vector<std::string>& from) { return i < from.size() ? from[i] : ""; };
    out << "  " << text(ours) << std::string(text(ours).size() < 44 ? 44 - text(ours).size() : 1, ' ')
        << (text(ours) == text(theirs) ? "  " : "| ") << text(theirs) << "\n";
  }
  return out.str();
}

}  // namespace hitmark::codegen
