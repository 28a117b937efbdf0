// Names of what lies at an offset of an arena object, from the debug information of this program.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace hitmark::cli {

// Of `type` (as DWARF names it): "stats_updates", "memory.usage", "state[34]"; empty when the type or the place is not
// known, or when this program carries no debug information. Keeps what it looked up.
std::function<std::string(const std::string& type, std::uint64_t offset, unsigned size)> field_names();

}  // namespace hitmark::cli
