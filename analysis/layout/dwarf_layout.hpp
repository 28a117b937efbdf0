// The type graph of DWARF as a StructLayout. Internal to dwarf_reader.cpp: with it, the only user of elfutils.
#pragma once

#include <string>

#include "analysis/layout/struct_layout.hpp"

namespace hitmark {

// `die` points at libdw's Dwarf_Die of a struct, class or union; `name` is for errors.
Result<StructLayout> dwarf_layout(const void* die, const std::string& name);

}  // namespace hitmark
