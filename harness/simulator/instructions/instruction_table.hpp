// How many instructions an operation executes: measured once natively (g++ 12, single-stepped), committed as
// instructions.json, and tested to be current. The only source of simulated instruction cycles.
//
// A path is recognised by the kinds and sizes of its accesses, in order. Where no such path was measured, the
// instructions are interpolated over the number of accesses, and the count says so.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"

namespace hitmark::simulator {

// FNV-1a over (kind, size) pairs: start with kSignatureStart. `kind` is the AccessKind as a number, `size` in bytes.
inline constexpr std::uint64_t kSignatureStart = 14695981039346656037ull;
inline std::uint64_t access_signature(std::uint64_t so_far, unsigned kind, unsigned size) {
  return (so_far ^ (kind * 16 + size)) * 1099511628211ull;
}

struct InstructionCount {
  double instructions = 0;
  bool exact = false;  // this very sequence of accesses was measured; else interpolated between measured ones
};

// One measured path of an operation.
struct InstructionPath {
  std::uint32_t accesses = 0;
  std::uint64_t signature = kSignatureStart;
  double instructions = 0;               // without the call itself, with its `ret`; see README.md
  std::vector<std::uint32_t> self = {};  // by OperationCounts::functions(); empty when not recorded
};

// Of one operation of one variant. Look it up once, keep it, and ask it for every simulated operation.
class OperationCounts {
 public:
  OperationCounts() = default;
  OperationCounts(std::vector<InstructionPath> paths, std::vector<std::string> functions);

  // Of an operation that made `accesses` accesses with `signature`: a few host instructions when exact. An operation
  // without accesses and without such a path: 0 instructions.
  InstructionCount look_up(std::uint32_t accesses, std::uint64_t signature) const {
    for (std::size_t at = signature & mask_; !slots_.empty(); at = (at + 1) & mask_) {
      const Slot& slot = slots_[at];
      if (slot.path == kNone) break;
      if (slot.signature == signature && slot.accesses == accesses) return {slot.instructions, true};
    }
    return interpolate(accesses);
  }

  // Null when that path was not measured.
  const InstructionPath* find(std::uint32_t accesses, std::uint64_t signature) const;
  const std::vector<InstructionPath>& paths() const { return paths_; }
  // Names of the functions that `self` of a path counts, each without what it calls.
  const std::vector<std::string>& functions() const { return functions_; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Slot {
    std::uint64_t signature = 0;
    std::uint32_t accesses = 0, path = kNone;
    double instructions = 0;
  };
  struct Point {
    double accesses, instructions;
  };

  InstructionCount interpolate(std::uint32_t accesses) const;

  std::vector<InstructionPath> paths_;
  std::vector<std::string> functions_;
  std::vector<Slot> slots_;  // open addressing, at most half full
  std::size_t mask_ = 0;
  std::vector<Point> points_;  // the mean of the paths with as many accesses, by accesses
};

class InstructionTable {
 public:
  // The committed data.
  static Result<InstructionTable> built_in();
  // `text` is such a JSON, `name` what errors call it.
  static Result<InstructionTable> parse(std::string_view text, const std::string& name);

  // An Error when the table has nothing on the operation. Valid as long as the table or a copy of it is.
  Result<const OperationCounts*> of(std::string_view family, std::string_view variant,
                                    std::string_view operation) const;

  struct Entry {
    std::string family, variant, operation;
    OperationCounts counts;
  };
  const std::vector<Entry>& entries() const { return *entries_; }

 private:
  std::shared_ptr<const std::vector<Entry>> entries_;
};

}  // namespace hitmark::simulator
