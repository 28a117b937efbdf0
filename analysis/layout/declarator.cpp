#include "analysis/layout/declarator.hpp"

#include <cctype>

namespace hitmark {

void Declarator::outermost(char kind) {
  if (outermost_ == 0) outermost_ = kind;
}

// An array or a function binds tighter than the pointer walked through before it.
void Declarator::bracket() {
  if (!left_.starts_with('*') && !left_.starts_with('&')) return;
  left_ = "(" + left_;
  right_ += ")";
}

void Declarator::pointer(std::string_view symbol) {
  outermost('p');
  std::string star(symbol);
  if (!pending_.empty()) star += pending_ + (left_.empty() || left_.starts_with('(') ? "" : " ");
  pending_.clear();
  left_ = star + left_;
}

void Declarator::qualifier(std::string_view word) {
  if (pending_ == word) return;  // const of an array of const
  if (!pending_.empty()) pending_ += " ";
  pending_ += word;
}

void Declarator::array(std::optional<std::uint64_t> count) {
  outermost('a');
  bracket();
  right_ += "[" + (count ? std::to_string(*count) : "") + "]";
}

void Declarator::function(std::string_view parameters) {
  outermost('f');
  bracket();
  right_ += "(" + std::string(parameters.empty() ? "void" : parameters) + ")";
}

void Declarator::bit_field(unsigned bits) { right_ += ":" + std::to_string(bits); }

Declarator::Parts Declarator::finish(std::string_view base) const {
  Parts parts;
  if (!pending_.empty()) parts.type = pending_ + " ";
  parts.type += base;
  const std::size_t open = left_.find('(');
  const std::string stars = left_.substr(0, open);
  if (!stars.empty()) parts.type += " " + stars;
  if (open != std::string::npos) parts.prefix = left_.substr(open);
  if (!parts.prefix.empty() && std::isalnum(static_cast<unsigned char>(parts.prefix.back()))) parts.prefix += " ";
  parts.suffix = right_;
  return parts;
}

std::string Declarator::abstract(std::string_view base) const {
  Parts parts = finish(base);
  if (parts.prefix.ends_with(' ')) parts.prefix.pop_back();
  const bool apart = !parts.prefix.empty() || (!parts.suffix.empty() && !parts.type.ends_with('*'));
  return parts.type + (apart ? " " : "") + parts.prefix + parts.suffix;
}

}  // namespace hitmark
