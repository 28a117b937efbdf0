// Layouts and their differences as JSON; the keys are listed in analysis/layout/README.md.
#pragma once

#include <string>

#include "analysis/layout/layout_diff.hpp"

namespace hitmark::cli {

std::string layout_json(const StructLayout& layout);
std::string diff_json(const LayoutDiff& diff);

}  // namespace hitmark::cli
