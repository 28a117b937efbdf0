#include "analysis/layout/btf_layout.hpp"

#include <bpf/btf.h>

#include <algorithm>
#include <unordered_map>

#include "analysis/layout/declarator.hpp"
#include "analysis/layout/layout_gaps.hpp"

namespace hitmark {
namespace {

// BTF from a file can be cyclic, or short and yet expand to more than any memory holds.
constexpr int kDeepest = 64;
constexpr std::uint32_t kMostSteps = 1U << 20;
constexpr std::uint64_t kMostBits = UINT32_MAX;

bool is_modifier(const btf_type* t) { return btf_is_mod(t) || btf_is_typedef(t) || btf_kind(t) == BTF_KIND_TYPE_TAG; }

// Makes one StructLayout out of the type graph. `broken()` tells whether the graph made sense.
class LayoutBuilder {
 public:
  explicit LayoutBuilder(const btf* b) : btf_(b) {}

  StructLayout build(std::uint32_t id) { return layout_of(id, 0); }
  bool broken() const { return broken_; }

 private:
  const btf_type* at(std::uint32_t id) {
    const btf_type* t = btf__type_by_id(btf_, id);
    if (t == nullptr || ++steps_ > kMostSteps) broken_ = true;
    return broken_ ? btf__type_by_id(btf_, 0) : t;
  }

  const char* string(std::uint32_t offset) {
    const char* text = btf__name_by_offset(btf_, offset);
    if (text == nullptr) broken_ = true;
    return text == nullptr ? "" : text;
  }

  std::uint32_t stripped(std::uint32_t id) {
    for (int depth = 0; is_modifier(at(id)); ++depth) {
      if (depth == kDeepest) broken_ = true;
      id = at(id)->type;
    }
    return id;
  }

  // Arrays of arrays as their dimensions and the innermost element.
  std::uint32_t element(std::uint32_t id, std::uint64_t& count, std::string& dimensions) {
    count = 1;
    id = stripped(id);
    for (int depth = 0; btf_is_array(at(id)); ++depth) {
      if (depth == kDeepest) broken_ = true;
      if (broken_) return 0;
      const auto* array = btf_array(at(id));
      count *= array->nelems;
      if (count > kMostBits) broken_ = true;
      dimensions += "[" + std::to_string(array->nelems) + "]";
      id = stripped(array->type);
    }
    return id;
  }

  std::uint32_t scalar_size(const btf_type* t) {
    switch (btf_kind(t)) {
      case BTF_KIND_PTR: {
        const std::size_t size = btf__pointer_size(btf_);
        return size == 0 ? 8 : static_cast<std::uint32_t>(size);
      }
      case BTF_KIND_INT:
      case BTF_KIND_FLOAT:
      case BTF_KIND_ENUM:
      case BTF_KIND_ENUM64:
      case BTF_KIND_STRUCT:
      case BTF_KIND_UNION:
        return t->size;
      default:
        return 0;
    }
  }

  std::string representation(const btf_type* t) {
    const std::string bits = std::to_string(std::uint64_t{scalar_size(t)} * 8);
    switch (btf_kind(t)) {
      case BTF_KIND_PTR:
        return "ptr";
      case BTF_KIND_FLOAT:
        return "f" + bits;
      case BTF_KIND_ENUM:
      case BTF_KIND_ENUM64:
        return (btf_kflag(t) ? "s" : "u") + bits;
      case BTF_KIND_STRUCT:
      case BTF_KIND_UNION:
        return (btf_is_union(t) ? "union(" : "struct(") + std::to_string(t->size) + ")";
      case BTF_KIND_INT: {
        const auto encoding = btf_int_encoding(t);
        return ((encoding & BTF_INT_BOOL) != 0 ? "b" : (encoding & BTF_INT_SIGNED) != 0 ? "s" : "u") + bits;
      }
      default:
        return "?";
    }
  }

  std::string parameters(const btf_type* proto, int depth) {
    std::string text;
    const btf_param* parameter = btf_params(proto);
    for (int i = 0; i < btf_vlen(proto) && !broken_; ++i, ++parameter) {
      if (i > 0) text += ", ";
      if (parameter->type == 0) {
        text += "...";
        continue;
      }
      Declarator declarator;
      const std::string base = describe(parameter->type, declarator, depth + 1, false);
      text += declarator.abstract(base);
    }
    return text;
  }

  // Walks inwards and returns the base type's text. `flexible`: an array of no elements is one without bounds.
  std::string describe(std::uint32_t id, Declarator& declarator, int depth, bool flexible) {
    for (; depth < kDeepest && !broken_; ++depth) {
      const btf_type* t = at(id);
      id = t->type;  // right for everything that goes on
      switch (btf_kind(t)) {
        case BTF_KIND_UNKN:
          return "void";
        case BTF_KIND_PTR:
          declarator.pointer();
          break;
        case BTF_KIND_CONST:
          declarator.qualifier("const");
          break;
        case BTF_KIND_VOLATILE:
          declarator.qualifier("volatile");
          break;
        case BTF_KIND_RESTRICT:
          declarator.qualifier("restrict");
          break;
        case BTF_KIND_TYPE_TAG:
          break;  // "__rcu", "__user": says nothing about the layout
        case BTF_KIND_ARRAY: {
          const auto* array = btf_array(t);
          if (array->nelems == 0 && flexible)
            declarator.array(std::nullopt);
          else
            declarator.array(array->nelems);
          id = array->type;
          break;
        }
        case BTF_KIND_FUNC_PROTO:
          declarator.function(parameters(t, depth));
          break;
        case BTF_KIND_FWD:
          return tagged(btf_kflag(t) ? "union" : "struct", t);
        case BTF_KIND_STRUCT:
          return tagged("struct", t);
        case BTF_KIND_UNION:
          return tagged("union", t);
        case BTF_KIND_ENUM:
        case BTF_KIND_ENUM64:
          return tagged("enum", t);
        default:
          return string(t->name_off);
      }
    }
    broken_ = true;
    return "";
  }

  std::string tagged(const char* keyword, const btf_type* t) {
    const char* tag = string(t->name_off);
    return *tag == 0 ? std::string(keyword) + " {...}" : std::string(keyword) + " " + tag;
  }

  std::vector<std::string> enumerators(const btf_type* t) {
    std::vector<std::string> list;
    const bool is_signed = btf_kflag(t);
    for (int i = 0; i < btf_vlen(t) && !broken_; ++i) {
      if (++steps_ > kMostSteps) broken_ = true;
      if (btf_is_enum64(t)) {
        const auto& entry = btf_enum64(t)[i];
        const std::uint64_t value = btf_enum64_value(&entry);
        list.push_back(std::string(string(entry.name_off)) + " = " +
                       (is_signed ? std::to_string(static_cast<std::int64_t>(value)) : std::to_string(value)));
      } else {
        const auto& entry = btf_enum(t)[i];
        list.push_back(std::string(string(entry.name_off)) + " = " +
                       (is_signed ? std::to_string(entry.val) : std::to_string(static_cast<std::uint32_t>(entry.val))));
      }
    }
    return list;
  }

  Member member(const btf_type* owner, int index, std::uint64_t base, int depth) {
    const btf_member& raw = btf_members(owner)[index];
    Member member;
    member.name = string(raw.name_off);
    std::uint64_t offset = base + btf_member_bit_offset(owner, static_cast<std::uint32_t>(index));
    std::uint32_t field_bits = btf_member_bitfield_size(owner, static_cast<std::uint32_t>(index));

    Declarator declarator;
    const bool last = btf_is_union(owner) || index + 1 == btf_vlen(owner);
    std::string text = describe(raw.type, declarator, 0, last);

    std::uint64_t count = 1;
    std::string dimensions;
    const std::uint32_t inner = element(raw.type, count, dimensions);
    const btf_type* t = at(inner);
    std::uint64_t bits = scalar_size(t) * count * 8;
    if (btf_is_int(t) && field_bits == 0 && dimensions.empty() && btf_int_bits(t) < t->size * 8) {
      field_bits = btf_int_bits(t);  // as compilers before 2018 wrote bit-fields
      offset += btf_int_offset(t);
    }
    if (bits > kMostBits || offset + bits > kMostBits) broken_ = true;
    if (broken_) return member;

    member.bit_offset = static_cast<std::uint32_t>(offset);
    member.storage_bits = member.bit_size = static_cast<std::uint32_t>(bits);
    member.natural_alignment = std::max<std::uint32_t>(1, scalar_size(t));
    member.representation = representation(t) + dimensions;
    if (field_bits != 0) {
      member.bit_field = true;
      member.bit_size = field_bits;
      member.representation += ":" + std::to_string(field_bits);
      declarator.bit_field(field_bits);
    }
    if (btf_is_composite(t)) {
      const StructLayout inside = layout_of(inner, depth + 1);
      member.is_union = btf_is_union(t);
      const bool packed = !member.is_union && has_misaligned_member(inside.members);
      member.natural_alignment = packed ? 1 : inside.natural_alignment;
      if (!inside.members.empty() && !member.is_union && dimensions.empty())
        member.tail_padding = static_cast<std::uint32_t>(
            std::max<std::int64_t>(0, find_gaps(inside.members, false, inside.size).padding));
    }
    expand(raw.type, inner, offset, depth, member, text);
    const auto parts = declarator.finish(text);
    member.type = parts.type;
    member.prefix = parts.prefix;
    member.suffix = parts.suffix;
    return member;
  }

  // Anonymous types are written out where they stand; not those behind a typedef or a pointer.
  void expand(std::uint32_t type, std::uint32_t inner, std::uint64_t offset, int depth, Member& member,
              std::string& text) {
    for (int steps = 0; btf_is_array(at(type)) || btf_is_mod(at(type)); ++steps) {
      if (steps == kDeepest || broken_) return;
      type = btf_is_array(at(type)) ? btf_array(at(type))->type : at(type)->type;
    }
    const btf_type* t = at(inner);
    if (type != inner || *string(t->name_off) != 0) return;
    if (btf_is_composite(t)) {
      text = btf_is_union(t) ? "union" : "struct";
      member.members = members(t, offset, depth + 1);
    } else if (btf_is_any_enum(t)) {
      text = "enum";
      member.enumerators = enumerators(t);
    }
  }

  std::vector<Member> members(const btf_type* t, std::uint64_t base, int depth) {
    std::vector<Member> list;
    if (depth >= kDeepest) broken_ = true;  // or a struct that contains itself
    for (int i = 0; i < btf_vlen(t) && !broken_; ++i) {
      if (++steps_ > kMostSteps) broken_ = true;
      list.push_back(member(t, i, base, depth));
    }
    return list;
  }

  // By value, so that an anonymous struct used twice is expanded twice; the cost is bounded by the steps.
  StructLayout layout_of(std::uint32_t id, int depth) {
    if (const auto known = layouts_.find(id); known != layouts_.end()) {
      steps_ += static_cast<std::uint32_t>(known->second.members.size());
      return known->second;
    }
    StructLayout layout;
    const btf_type* t = at(id);
    if (broken_) return layout;
    layout.name = string(t->name_off);
    layout.keyword = btf_is_union(t) ? "union" : "struct";
    layout.size = t->size;
    layout.members = members(t, 0, depth);
    for (const Member& each : layout.members)
      layout.natural_alignment = std::max(layout.natural_alignment, each.natural_alignment);
    layouts_.emplace(id, layout);
    return layout;
  }

  const btf* btf_;
  std::unordered_map<std::uint32_t, StructLayout> layouts_;
  std::uint32_t steps_ = 0;
  bool broken_ = false;
};

}  // namespace

Result<StructLayout> btf_layout(const btf* types, std::uint32_t id, const std::string& name) {
  LayoutBuilder builder(types);
  StructLayout layout = builder.build(id);
  if (builder.broken())
    return Error{ErrorKind::kInvalid, "the BTF of " + name + " is broken: cyclic, truncated or endless", ""};
  return layout;
}

}  // namespace hitmark
