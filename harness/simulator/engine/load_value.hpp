// The eight bytes around what a load reads: a pointer, if it is one.
#pragma once

#include <cstdint>

namespace hitmark::simulator {

// They lie in the same line as the word, but perhaps not in the same object, of which a sanitizer would complain.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(__clang__)
__attribute__((noinline, no_sanitize("address", "thread", "undefined")))
#endif
inline std::uint64_t
load_value(std::uintptr_t address) {
  return *reinterpret_cast<const volatile std::uint64_t*>(address & ~std::uintptr_t{7});
}

}  // namespace hitmark::simulator
