#include "analysis/layout/layout_gaps.hpp"

#include <algorithm>
#include <bit>

namespace hitmark {
namespace {

// The storage that a run of adjacent bit-fields has claimed so far.
struct BitRun {
  bool open = false;
  std::int64_t unit = 0;  // bits of the widest declared type
  std::int64_t end = 0;   // bit at which the claimed storage ends

  void claim(std::int64_t start_of_unit, std::int64_t unit_bits, std::int64_t field_end) {
    open = true;
    if (field_end <= end && unit_bits <= unit) return;
    unit = unit_bits;
    end = start_of_unit + unit;
    if (field_end > end) end += unit;  // the field began in the unit before
  }
  void close(std::int64_t at) {
    open = false;
    unit = 0;
    end = at;
  }
};

}  // namespace

std::uint32_t storage_offset(const Member& member) {
  if (!member.bit_field || member.storage_bits == 0) return member.bit_offset / 8;
  return member.bit_offset / member.storage_bits * (member.storage_bits / 8);
}

Gaps find_gaps(std::span<const Member> members, bool is_union, std::uint32_t size, std::uint32_t base) {
  Gaps gaps;
  gaps.before.resize(members.size());
  if (is_union) return gaps;
  BitRun run;
  run.end = std::int64_t{size} * 8;
  std::int64_t seen = 0;  // the first bit that no member has covered
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Member& member = members[i];
    Gap& gap = gaps.before[i];
    const std::int64_t start = std::int64_t{member.bit_offset} - base;
    if (run.open) {
      const std::int64_t end = std::min(start, run.end);
      gap.bits = end - seen;
      seen = end;
    }
    if (member.bit_field) {
      const std::int64_t unit = std::int64_t{storage_offset(member)} * 8 - base;
      if (seen < unit && unit <= start) {
        gap.bytes = unit / 8 - seen / 8;
        seen = unit;
      }
      gap.bits += start - seen;
      run.claim(unit, member.storage_bits, start + member.bit_size);
    } else {
      gap.bytes = start / 8 - seen / 8;
      run.close(start + member.bit_size);
    }
    seen = start + member.bit_size;
  }
  if (run.open) {
    const std::int64_t end = std::min(std::int64_t{size} * 8, run.end);
    gaps.bit_padding = end - seen;
    seen = end;
  }
  gaps.padding = size - seen / 8;
  return gaps;
}

std::uint32_t inferred_alignment(std::uint32_t offset, std::uint32_t natural, std::uint32_t end_of_previous) {
  if (offset <= end_of_previous || offset % 2 != 0) return 0;
  const std::uint32_t gap = offset - end_of_previous;
  if (gap >= 1U << 16) return 0;
  const std::uint32_t alignment = std::bit_floor(gap) * 2;
  if (alignment <= natural) return 0;
  return alignment < kLineBytes && offset % kLineBytes == 0 ? kLineBytes : alignment;
}

bool has_misaligned_member(std::span<const Member> members, std::uint32_t base) {
  return std::any_of(members.begin(), members.end(), [base](const Member& member) {
    return !member.bit_field && member.natural_alignment > 1 &&
           (member.bit_offset - base) / 8 % member.natural_alignment != 0;
  });
}

}  // namespace hitmark
