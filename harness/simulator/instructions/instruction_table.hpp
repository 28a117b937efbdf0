// How many instructions an operation executes: measured once natively (g++ 12, single-stepped), committed as
// instructions.json, and tested to be current. The only source of simulated instruction cycles.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "support/result.hpp"

namespace hitmark::simulator {

class InstructionTable {
 public:
  // The committed data.
  static Result<InstructionTable> built_in();

  struct Count {
    double instructions = 0;
    bool exact = false;  // this very sequence of accesses was measured; else interpolated between measured ones
  };
  // Of one operation of a variant that made `accesses` accesses; `signature` is a hash of their kinds and sizes
  // in order (access_signature). An Error when the table has nothing on the operation.
  Result<Count> look_up(std::string_view family, std::string_view variant, std::string_view operation,
                        std::uint32_t accesses, std::uint64_t signature) const;
};

// FNV-1a over (kind, size) pairs: start with kSignatureStart.
inline constexpr std::uint64_t kSignatureStart = 14695981039346656037ull;
inline std::uint64_t access_signature(std::uint64_t so_far, unsigned kind, unsigned size) {
  return (so_far ^ (kind * 16 + size)) * 1099511628211ull;
}

}  // namespace hitmark::simulator
