// The reference C that is linked in, by variant.
#pragma once

#include <string_view>

#include "kernels/codegen/reference_operations.h"
#include "kernels/variant.hpp"

namespace hitmark::codegen {

using ReferenceFunction = void (*)(void* state, void* object, unsigned amount);

// Null when the variant has no reference C.
const reference_operations* find_reference(const Variant& variant, bool plain);

// By the name of the Operation or event ("pair", "add", "drain"); null when the C leaves it out.
ReferenceFunction function_of(const reference_operations& reference, std::string_view operation);

}  // namespace hitmark::codegen
