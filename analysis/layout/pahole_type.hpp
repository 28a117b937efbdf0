// C types in pahole's spelling, which differs from C's in spaces and in where it puts const.
#pragma once

#include <string>
#include <string_view>

#include "analysis/layout/struct_layout.hpp"

namespace hitmark {

// "const char **" becomes "const char  * *". `is_array`: the type is that of an array's elements.
std::string pahole_type(std::string_view type, bool is_array = false);

// The part of a declaration from the name on: "nr_pages[7]", "(*probe)(const struct device  *)".
std::string pahole_name(const Member& member);

}  // namespace hitmark
