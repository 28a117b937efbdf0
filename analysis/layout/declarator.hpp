// How C writes a type around a name. A type graph is walked from the member inwards (array of, pointer to,
// const, function returning ..., base), which is the order in which a declarator grows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hitmark {

class Declarator {
 public:
  struct Parts {
    std::string type, prefix, suffix;
  };

  void pointer(std::string_view symbol = "*");     // or "&", "&&"
  void qualifier(std::string_view word);           // "const", of what is walked to next
  void array(std::optional<std::uint64_t> count);  // nothing: flexible
  void function(std::string_view parameters);      // "int, char *"
  void bit_field(unsigned bits);

  // "struct x *" + "(*" + name + ")(int)"; stars stay with the type when no bracket comes between.
  Parts finish(std::string_view base) const;
  // Without a name, as parameter lists have it.
  std::string abstract(std::string_view base) const;

  bool is_pointer() const { return outermost_ == 'p'; }
  bool is_array() const { return outermost_ == 'a'; }
  bool is_function() const { return outermost_ == 'f'; }

 private:
  void bracket();
  void outermost(char kind);

  std::string left_, right_, pending_;  // pending: qualifiers that wait for their pointer or base
  char outermost_ = 0;
};

}  // namespace hitmark
