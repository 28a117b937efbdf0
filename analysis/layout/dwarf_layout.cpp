#include "analysis/layout/dwarf_layout.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_map>

#include "analysis/layout/declarator.hpp"
#include "analysis/layout/layout_gaps.hpp"

namespace hitmark {
namespace {

// DWARF from a file can be cyclic, or short and yet expand to more than any memory holds.
constexpr int kDeepest = 64;
constexpr std::uint32_t kMostSteps = 1U << 20;
constexpr std::uint64_t kMostBits = UINT32_MAX;

std::optional<std::uint64_t> number(Dwarf_Die& die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value;
  if (dwarf_attr_integrate(&die, name, &attribute) == nullptr) return std::nullopt;
  if (dwarf_formudata(&attribute, &value) == 0) return value;
  return std::nullopt;
}

bool flag(Dwarf_Die& die, unsigned name) {
  Dwarf_Attribute attribute;
  bool value = false;
  return dwarf_attr(&die, name, &attribute) != nullptr && dwarf_formflag(&attribute, &value) == 0 && value;
}

std::string_view name_of(Dwarf_Die& die) {
  const char* name = dwarf_diename(&die);
  return name == nullptr ? std::string_view() : std::string_view(name);
}

bool is_composite(int tag) {
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

bool is_modifier(int tag) {
  return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type ||
         tag == DW_TAG_atomic_type;
}

// Calls visit(child) until it returns false. Children lie behind each other: a sibling attribute that points
// back would make a circle, and ends the walk. False when it was cut short by such a defect.
bool for_children(Dwarf_Die& parent, const std::function<bool(Dwarf_Die&)>& visit) {
  Dwarf_Die child;
  int status = dwarf_child(&parent, &child);
  while (status == 0) {
    if (!visit(child)) return true;
    const Dwarf_Off at = dwarf_dieoffset(&child);
    Dwarf_Die next;
    status = dwarf_siblingof(&child, &next);
    if (status == 0 && dwarf_dieoffset(&next) <= at) return false;
    child = next;
  }
  return status > 0;
}

// Makes one StructLayout out of the type graph. `broken()` tells whether the graph made sense.
class LayoutBuilder {
 public:
  StructLayout build(Dwarf_Die die) { return layout_of(die, 0); }
  bool broken() const { return broken_; }
  bool has_virtual_base() const { return has_virtual_base_; }

 private:
  void step() {
    if (++steps_ > kMostSteps) broken_ = true;
  }

  // Where DW_AT_type leads; nothing is void.
  std::optional<Dwarf_Die> type_of(Dwarf_Die& die) {
    step();
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    if (dwarf_attr_integrate(&die, DW_AT_type, &attribute) == nullptr) return std::nullopt;
    if (dwarf_formref_die(&attribute, &type) == nullptr) {
      broken_ = true;
      return std::nullopt;
    }
    if (dwarf_hasattr(&type, DW_AT_signature) != 0) {  // defined in a type unit
      Dwarf_Die definition;
      if (dwarf_attr(&type, DW_AT_signature, &attribute) != nullptr &&
          dwarf_formref_die(&attribute, &definition) != nullptr)
        return definition;
    }
    return type;
  }

  // Cell<T> has the bytes of its T.
  std::optional<Dwarf_Die> cell_content(Dwarf_Die& die) {
    if (!is_composite(dwarf_tag(&die)) || !name_of(die).starts_with("Cell<")) return std::nullopt;
    std::optional<Dwarf_Die> content;
    for_children(die, [&](Dwarf_Die& child) {
      if (dwarf_tag(&child) == DW_TAG_template_type_parameter) content = type_of(child);
      return !content;
    });
    return content;
  }

  std::optional<Dwarf_Die> stripped(std::optional<Dwarf_Die> die) {
    for (int depth = 0; die && !broken_; ++depth) {
      if (depth == kDeepest) broken_ = true;
      const int tag = dwarf_tag(&*die);
      if (is_modifier(tag) || tag == DW_TAG_typedef)
        die = type_of(*die);
      else if (const auto content = cell_content(*die))
        die = content;
      else
        break;
    }
    return die;
  }

  // An absent bound is an array without bounds.
  std::vector<std::optional<std::uint64_t>> bounds(Dwarf_Die& array) {
    std::vector<std::optional<std::uint64_t>> counts;
    for_children(array, [&](Dwarf_Die& child) {
      step();
      if (dwarf_tag(&child) != DW_TAG_subrange_type) return !broken_;
      auto count = number(child, DW_AT_count);
      if (!count)
        if (const auto upper = number(child, DW_AT_upper_bound)) count = *upper + 1;
      counts.push_back(count);
      return !broken_ && counts.size() < kDeepest;
    });
    if (counts.empty()) counts.push_back(std::nullopt);
    return counts;
  }

  std::optional<Dwarf_Die> element(std::optional<Dwarf_Die> die, std::uint64_t& count, std::string& dimensions) {
    count = 1;
    die = stripped(die);
    for (int depth = 0; die && dwarf_tag(&*die) == DW_TAG_array_type && !broken_; ++depth) {
      if (depth == kDeepest) broken_ = true;
      for (const auto& bound : bounds(*die)) {
        const std::uint64_t n = bound.value_or(0);
        if (n > kMostBits || count * n > kMostBits) broken_ = true;
        count = broken_ ? 0 : count * n;
        dimensions += "[" + std::to_string(n) + "]";
      }
      die = stripped(type_of(*die));
    }
    return die;
  }

  static bool is_pointer(int tag) {
    return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type;
  }

  std::uint64_t scalar_size(std::optional<Dwarf_Die>& die) {
    if (!die) return 0;
    const auto size = number(*die, DW_AT_byte_size);
    if (size) return std::min<std::uint64_t>(*size, kMostBits);
    const int tag = dwarf_tag(&*die);
    if (tag == DW_TAG_ptr_to_member_type) {  // to a function: with the adjustment of this
      auto pointee = stripped(type_of(*die));
      return pointee && dwarf_tag(&*pointee) == DW_TAG_subroutine_type ? 16 : 8;
    }
    return is_pointer(tag) || tag == DW_TAG_unspecified_type ? 8 : 0;
  }

  std::string representation(std::optional<Dwarf_Die>& die) {
    if (!die) return "void";
    const std::string size = std::to_string(scalar_size(die));
    const std::string bits = std::to_string(scalar_size(die) * 8);
    const int tag = dwarf_tag(&*die);
    if (is_pointer(tag) || tag == DW_TAG_unspecified_type) return "ptr";
    if (is_composite(tag)) return (tag == DW_TAG_union_type ? "union(" : "struct(") + size + ")";
    auto encoding = number(*die, DW_AT_encoding);
    if (!encoding && tag == DW_TAG_enumeration_type)
      if (auto underlying = stripped(type_of(*die))) encoding = number(*underlying, DW_AT_encoding);
    switch (encoding.value_or(tag == DW_TAG_enumeration_type ? DW_ATE_unsigned : 0)) {
      case DW_ATE_boolean:
        return "b" + bits;
      case DW_ATE_signed:
      case DW_ATE_signed_char:
        return "s" + bits;
      case DW_ATE_float:
        return "f" + bits;
      case DW_ATE_unsigned:
      case DW_ATE_unsigned_char:
      case DW_ATE_UTF:
        return "u" + bits;
      default:
        return "bytes(" + size + ")";
    }
  }

  std::string parameters(Dwarf_Die& function, int depth) {
    std::string text;
    for_children(function, [&](Dwarf_Die& child) {
      const int tag = dwarf_tag(&child);
      const std::string comma = text.empty() ? "" : ", ";
      if (tag == DW_TAG_unspecified_parameters) text += comma + "...";
      if (tag == DW_TAG_formal_parameter) {
        Declarator declarator;
        const std::string base = describe(type_of(child), declarator, depth + 1);
        text += comma + declarator.abstract(base);
      }
      step();
      return !broken_;
    });
    return text;
  }

  // Walks inwards and returns the base type's text.
  std::string describe(std::optional<Dwarf_Die> die, Declarator& declarator, int depth) {
    for (; depth < kDeepest && !broken_; ++depth) {
      if (!die) return "void";
      switch (const int tag = dwarf_tag(&*die)) {
        case DW_TAG_pointer_type:
          declarator.pointer();
          break;
        case DW_TAG_reference_type:
          declarator.pointer("&");
          break;
        case DW_TAG_rvalue_reference_type:
          declarator.pointer("&&");
          break;
        case DW_TAG_const_type:
          declarator.qualifier("const");
          break;
        case DW_TAG_volatile_type:
          declarator.qualifier("volatile");
          break;
        case DW_TAG_restrict_type:
          declarator.qualifier("restrict");
          break;
        case DW_TAG_atomic_type:
          declarator.qualifier("_Atomic");
          break;
        case DW_TAG_subroutine_type:
          declarator.function(parameters(*die, depth));
          break;
        case DW_TAG_array_type:
          for (const auto& bound : bounds(*die)) declarator.array(bound);
          break;
        default: {
          if (auto content = cell_content(*die)) {
            die = content;
            continue;
          }
          return tagged(tag, name_of(*die));
        }
      }
      die = type_of(*die);
    }
    broken_ = true;
    return "";
  }

  static std::string tagged(int tag, std::string_view name) {
    std::string keyword;
    if (tag == DW_TAG_structure_type) keyword = "struct";
    if (tag == DW_TAG_class_type) keyword = "class";
    if (tag == DW_TAG_union_type) keyword = "union";
    if (tag == DW_TAG_enumeration_type) keyword = "enum";
    if (tag == DW_TAG_ptr_to_member_type) return "(pointer to member)";
    if (keyword.empty()) return std::string(name.empty() ? "?" : name);
    return keyword + " " + (name.empty() ? "{...}" : std::string(name));
  }

  // Bytes from the start of the struct; an expression, if it is not a constant.
  std::uint64_t location(Dwarf_Die& die) {
    if (const auto constant = number(die, DW_AT_data_member_location)) return *constant;
    Dwarf_Attribute attribute;
    Dwarf_Op* operations;
    std::size_t count;
    if (dwarf_attr(&die, DW_AT_data_member_location, &attribute) == nullptr) return 0;
    if (dwarf_getlocation(&attribute, &operations, &count) == 0 && count == 1 &&
        (operations[0].atom == DW_OP_plus_uconst || operations[0].atom == DW_OP_constu))
      return operations[0].number;
    broken_ = true;
    return 0;
  }

  std::vector<std::string> enumerators(Dwarf_Die& die, bool is_signed) {
    std::vector<std::string> list;
    for_children(die, [&](Dwarf_Die& child) {
      step();
      Dwarf_Attribute attribute;
      Dwarf_Sword value;
      if (dwarf_tag(&child) != DW_TAG_enumerator) return true;
      if (is_signed && dwarf_attr_integrate(&child, DW_AT_const_value, &attribute) != nullptr &&
          dwarf_formsdata(&attribute, &value) == 0)
        list.push_back(std::string(name_of(child)) + " = " + std::to_string(value));
      else if (const auto positive = number(child, DW_AT_const_value))
        list.push_back(std::string(name_of(child)) + " = " + std::to_string(*positive));
      return !broken_;
    });
    return list;
  }

  Member member(Dwarf_Die& die, std::uint64_t base, int depth) {
    Member member;
    const bool is_base = dwarf_tag(&die) == DW_TAG_inheritance;
    if (!is_base) member.name = name_of(die);
    if (member.name.starts_with("_vptr")) member.name = "_vptr";  // g++ adds the class
    auto type = type_of(die);
    Declarator declarator;
    std::string text = describe(type, declarator, 0);

    std::uint64_t count = 1;
    std::string dimensions;
    auto inner = element(type, count, dimensions);
    const std::uint64_t size = number(die, DW_AT_byte_size).value_or(scalar_size(inner) * count);
    const auto field_bits = number(die, DW_AT_bit_size);
    std::uint64_t offset = 0;
    if (const auto bits = number(die, DW_AT_data_bit_offset))
      offset = *bits;
    else if (const std::uint64_t bytes = location(die); bytes < kMostBits)
      offset = bytes * 8;
    else
      broken_ = true;
    if (size > kMostBits || offset > kMostBits || base + offset + size * 8 > kMostBits) broken_ = true;
    if (field_bits.value_or(0) > size * 8) broken_ = true;
    if (broken_) return member;
    if (field_bits)  // DWARF 2 counts from the most significant bit of the storage unit
      if (const auto from_top = number(die, DW_AT_bit_offset)) offset += size * 8 - *from_top - *field_bits;

    member.bit_offset = static_cast<std::uint32_t>(base + offset);
    member.storage_bits = member.bit_size = static_cast<std::uint32_t>(size * 8);
    member.natural_alignment = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(scalar_size(inner), 1, 16));
    member.alignment = static_cast<std::uint32_t>(std::min(number(die, DW_AT_alignment).value_or(0), kMostBits));
    member.representation = representation(inner) + dimensions;
    if (field_bits) {
      member.bit_field = true;
      member.bit_size = static_cast<std::uint32_t>(*field_bits);
      member.representation += ":" + std::to_string(*field_bits);
      declarator.bit_field(member.bit_size);
    }
    if (inner && is_composite(dwarf_tag(&*inner))) {
      const StructLayout inside = layout_of(*inner, depth + 1);
      member.is_union = inside.keyword == "union";
      member.natural_alignment = has_misaligned_member(inside.members) ? 1 : inside.natural_alignment;
      if (!inside.members.empty() && !member.is_union && dimensions.empty())
        member.tail_padding = static_cast<std::uint32_t>(
            std::max<std::int64_t>(0, find_gaps(inside.members, false, inside.size).padding));
    }
    expand(type, is_base, base + offset, depth, member, text);
    const auto parts = declarator.finish(text);
    member.type = parts.type;
    member.prefix = parts.prefix;
    member.suffix = parts.suffix;
    return member;
  }

  // Anonymous types and base classes are written out where they stand; not those behind a typedef.
  void expand(std::optional<Dwarf_Die> type, bool is_base, std::uint64_t offset, int depth, Member& member,
              std::string& text) {
    for (int steps = 0; type && (is_modifier(dwarf_tag(&*type)) || dwarf_tag(&*type) == DW_TAG_array_type); ++steps) {
      if (steps == kDeepest || broken_) return;
      type = type_of(*type);
    }
    if (!type || (!name_of(*type).empty() && !is_base)) return;
    const int tag = dwarf_tag(&*type);
    if (is_composite(tag)) {
      if (!is_base) text = tag == DW_TAG_union_type ? "union" : "struct";
      member.members = members(*type, offset, depth + 1);
    } else if (tag == DW_TAG_enumeration_type) {
      text = "enum";
      member.enumerators = enumerators(*type, member.representation.starts_with('s'));
    }
  }

  std::vector<Member> members(Dwarf_Die& die, std::uint64_t base, int depth) {
    std::vector<Member> list;
    if (depth >= kDeepest) broken_ = true;  // or a struct that contains itself
    for_children(die, [&](Dwarf_Die& child) {
      step();
      const int tag = dwarf_tag(&child);
      if (tag != DW_TAG_member && tag != DW_TAG_inheritance) return !broken_;
      if (flag(child, DW_AT_external) || flag(child, DW_AT_declaration)) return !broken_;  // static
      if (tag == DW_TAG_inheritance && number(child, DW_AT_virtuality).value_or(0) != 0)
        has_virtual_base_ = true;
      else
        list.push_back(member(child, base, depth));
      return !broken_;
    });
    return list;
  }

  StructLayout layout_of(Dwarf_Die& die, int depth) {
    const void* key = die.addr;
    if (const auto known = layouts_.find(key); known != layouts_.end()) {
      steps_ += static_cast<std::uint32_t>(known->second.members.size());
      return known->second;
    }
    StructLayout layout;
    if (broken_) return layout;
    layout.name = name_of(die);
    layout.keyword = dwarf_tag(&die) == DW_TAG_union_type ? "union" : "struct";
    const std::uint64_t size = number(die, DW_AT_byte_size).value_or(0);
    if (size > kMostBits / 8) broken_ = true;
    layout.size = static_cast<std::uint32_t>(size);
    layout.alignment = static_cast<std::uint32_t>(std::min(number(die, DW_AT_alignment).value_or(0), kMostBits));
    layout.alignment_stated = true;
    layout.members = members(die, 0, depth);
    for (const Member& each : layout.members)
      layout.natural_alignment = std::max(layout.natural_alignment, each.natural_alignment);
    layouts_.emplace(key, layout);
    return layout;
  }

  std::unordered_map<const void*, StructLayout> layouts_;
  std::uint32_t steps_ = 0;
  bool broken_ = false, has_virtual_base_ = false;
};

}  // namespace

Result<StructLayout> dwarf_layout(const void* die, const std::string& name) {
  LayoutBuilder builder;
  StructLayout layout = builder.build(*static_cast<const Dwarf_Die*>(die));
  if (builder.has_virtual_base())
    return Error{ErrorKind::kUnsupported, name + " has a virtual base: its place is known only at run time", ""};
  if (builder.broken())
    return Error{ErrorKind::kInvalid, "the DWARF of " + name + " is broken: cyclic, truncated or endless", ""};
  return layout;
}

}  // namespace hitmark
