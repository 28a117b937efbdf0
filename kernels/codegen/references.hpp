// The reference C that is linked in, by variant.
#pragma once

#include <string_view>

#include "kernels/codegen/reference_operations.h"

namespace hitmark::codegen {

using ReferenceFunction = void (*)(void* state, void* object, unsigned amount);

// Null when there is no reference_VARIANT.c.
const reference_operations* find_reference(std::string_view variant, bool plain);

// By the name of the Operation or event ("pair", "charge", "uncharge", "work", "drain"); else null.
ReferenceFunction function_of(const reference_operations& reference, std::string_view operation);

}  // namespace hitmark::codegen
