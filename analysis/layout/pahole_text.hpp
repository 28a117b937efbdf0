// A StructLayout as text, in the form that pahole prints and kernel developers read: offsets, sizes, line
// boundaries, holes, paddings and the summary. Compared byte for byte with pahole 1.24.
#pragma once

#include <string>

#include "analysis/layout/struct_layout.hpp"

namespace hitmark {

std::string pahole_text(const StructLayout& layout);

}  // namespace hitmark
