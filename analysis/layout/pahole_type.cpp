#include "analysis/layout/pahole_type.hpp"

#include <vector>

namespace hitmark {
namespace {

constexpr std::string_view kConst = "const ";

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Position after the bracket that closes the one at `open`.
std::size_t after_closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i + 1;
  }
  return text.size();
}

std::string parameter_list(std::string_view list);

// A parameter without a name: "const char *", "void (*)(int)".
std::string parameter(std::string_view text) {
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos) {
    const bool is_const_value = text.starts_with(kConst) && text.find('*') == std::string_view::npos;
    return pahole_type(text) + (is_const_value || text.ends_with("*const") ? " " : "");
  }
  const std::size_t end = after_closing(text, open);
  std::string result = pahole_type(trimmed(text.substr(0, open))) + " " + std::string(text.substr(open, end - open));
  if (text.substr(end).starts_with('(')) result += parameter_list(text.substr(end));
  return result;
}

// "(a, b)" with each parameter respelled.
std::string parameter_list(std::string_view list) {
  std::string result = "(";
  int depth = 0;
  std::size_t start = 1;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '(') ++depth;
    if (list[i] == ')') --depth;
    const bool last = depth == 0;
    if (!last && !(depth == 1 && list[i] == ',')) continue;
    result += parameter(trimmed(list.substr(start, i - start))) + (last ? ")" : ", ");
    start = i + 1;
    if (last) break;
  }
  return result;
}

}  // namespace

std::string pahole_type(std::string_view type, bool is_array) {
  const std::size_t star = type.find('*');
  std::string_view base = trimmed(type.substr(0, star));
  const bool is_const = base.starts_with(kConst);
  std::string result(base);
  if (star == std::string_view::npos) return is_array && is_const ? std::string(kConst) + result : result;

  if (is_const) result += " ";
  std::string_view stars = type.substr(star);
  while (!stars.empty()) {
    stars.remove_prefix(1);
    const std::string_view words = trimmed(stars.substr(0, stars.find('*')));
    const bool outermost = stars.find('*') == std::string_view::npos;
    stars.remove_prefix(std::min(stars.size(), stars.find('*')));
    result += " *";
    if (words.empty()) continue;
    if (outermost && words == "const")
      result = std::string(kConst) + result;  // pahole puts a const member's const first
    else
      result += " " + std::string(words) + (words == "restrict" ? " " : "");
  }
  return result;
}

std::string pahole_name(const Member& member) {
  if (member.suffix.starts_with(")[")) return member.name;  // of a pointer to an array
  std::string_view prefix = member.prefix;
  std::string text;
  if (const std::size_t at = prefix.find("const"); at != std::string_view::npos)
    text = std::string(trimmed(prefix.substr(0, at)));
  else
    text = prefix;
  text += member.name;
  const std::size_t open = member.suffix.find('(');
  if (open == std::string::npos) return text + member.suffix;
  const std::size_t end = after_closing(member.suffix, open);
  return text + member.suffix.substr(0, open) +
         parameter_list(std::string_view(member.suffix).substr(open, end - open)) + member.suffix.substr(end);
}

}  // namespace hitmark
