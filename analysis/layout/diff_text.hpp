// A LayoutDiff for a reader: both layouts side by side, line by line, within 100 columns, then every
// difference in a sentence of its own.
#pragma once

#include <string>

#include "analysis/layout/layout_diff.hpp"

namespace hitmark {

std::string diff_text(const LayoutDiff& diff);

}  // namespace hitmark
