// What somebody typed as TYPE ("struct x", "union x", "a::b::x"), and the answer when there is no such type.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"

namespace hitmark {

struct TypeRequest {
  std::string keyword;  // "struct", "union" or empty: either
  std::string name;
};

TypeRequest parse_type_request(std::string_view typed);

// `names` may be the whole index of a kernel: only names of a similar length are compared.
Error unknown_type(const TypeRequest& request, std::vector<std::string> names, const std::string& source);

// "a::(anonymous namespace)::b<c::d>::x" as its components; "::" inside <> or () does not separate.
std::vector<std::string_view> name_components(std::string_view name);

// Whether `name` ends with the components of `wanted`. Anonymous namespaces need not be spelled.
bool ends_with_components(std::string_view name, std::string_view wanted);

}  // namespace hitmark
