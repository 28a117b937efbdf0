// What distinguishes two layouts, every difference by name: which fields only one of them has, which moved,
// changed size or representation, and which pairs of fields came to share a line or ceased to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/layout/struct_layout.hpp"

namespace hitmark {

// A member that is not expanded further, by its path ("sk_backlog.len"; anonymous levels leave no trace).
struct Field {
  std::string path;
  std::string type;         // without the name: "u8 [7]"
  std::string declaration;  // "u8 nr_pages[7]"
  std::string representation;
  std::uint32_t bit_offset = 0;
  std::uint32_t bit_size = 0;

  std::uint32_t offset() const { return bit_offset / 8; }  // bytes
  std::uint32_t first_line() const { return bit_offset / 8 / kLineBytes; }
  std::uint32_t last_line() const;
};

std::vector<Field> fields_of(const StructLayout& layout);

struct FieldChange {
  Field before, after;
  bool renamed = false;    // another name at the same place, of the same size and representation
  bool moved = false;      // another offset
  bool resized = false;    // another size
  bool retyped = false;    // another representation: signedness, pointer or not, number of elements
  bool respelled = false;  // another name of the type only; no difference of the layout
};

// Two fields that lie on a common line in one layout only. Named as in the second where both have them.
struct LineSharing {
  std::string first, second;
  std::uint32_t line = 0;  // the common line, in the layout where there is one
};

struct LayoutDiff {
  StructLayout before, after;
  std::vector<Field> only_before, only_after;
  std::vector<FieldChange> changed;                         // at least one flag set
  std::vector<LineSharing> came_to_share, ceased_to_share;  // of fields that both have

  bool sharing_known = true;  // false: too many fields to compare all pairs

  // Same size and same fields at the same places, whatever their types are called.
  bool equal() const;
};

LayoutDiff diff_layouts(const StructLayout& before, const StructLayout& after);

}  // namespace hitmark
