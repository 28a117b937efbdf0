// What lies between the members of a struct: holes, padding, forced alignment, packing. The rules are those
// that pahole's readers expect (a bit-field run owns its storage unit until the next member starts).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/layout/struct_layout.hpp"

namespace hitmark {

// Before a member: bytes that hold nothing, and bits left over in the bit-field run that ends there.
struct Gap {
  std::int64_t bytes = 0;
  std::int64_t bits = 0;
};

struct Gaps {
  std::vector<Gap> before;       // one per member; for a union all zero
  std::int64_t padding = 0;      // bytes after the last member
  std::int64_t bit_padding = 0;  // bits left over when the last member is a bit-field
};

// `size` in bytes; `base` the bit offset of the struct that holds `members` in the outermost one.
Gaps find_gaps(std::span<const Member> members, bool is_union, std::uint32_t size, std::uint32_t base = 0);

// The byte offset of the storage unit of a bit-field, or of the member.
std::uint32_t storage_offset(const Member& member);

// The alignment attribute that would explain a gap of `gap` bytes before `offset`, 0 for none. BTF says no
// alignments, so this is an inference: the smallest power of two above the gap, or a line where that fits.
std::uint32_t inferred_alignment(std::uint32_t offset, std::uint32_t natural, std::uint32_t end_of_previous);

// Whether a member lies where its type, unless packed, cannot: the struct then has a packed attribute.
bool has_misaligned_member(std::span<const Member> members, std::uint32_t base = 0);

}  // namespace hitmark
