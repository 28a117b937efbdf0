#include "analysis/layout/pahole_text.hpp"

#include <algorithm>
#include <cstdio>

#include "analysis/layout/layout_gaps.hpp"
#include "analysis/layout/pahole_type.hpp"

namespace hitmark {
namespace {

constexpr int kTypeColumns = 26;  // at the first level; eight fewer for each further one
constexpr int kCommentColumn = 49;
constexpr int kUnionCommentColumn = 47;

template <typename... Arguments>
std::string format(const char* pattern, Arguments... arguments) {
  char buffer[256];
  std::snprintf(buffer, sizeof buffer, pattern, arguments...);
  return buffer;
}

std::string count_of(std::int64_t n, const char* unit) {
  return std::to_string(n) + " " + unit + (n == 1 || n == -1 ? "" : "s");
}

std::string aligned(std::uint32_t alignment) {
  return alignment == 0 ? "" : format(" __attribute__((__aligned__(%u)))", alignment);
}

class Printer {
 public:
  explicit Printer(const StructLayout& layout)
      : infer_(!layout.alignment_stated),
        comment_column_(layout.keyword == "union" ? kUnionCommentColumn : kCommentColumn) {}

  std::string print(const StructLayout& layout) {
    out_ = layout.is_typedef ? "typedef " + layout.keyword : layout.keyword + " " + layout.name;
    out_ += " {\n";
    const bool is_union = layout.keyword == "union";
    const Body body{layout.members, is_union, layout.size, layout.natural_alignment, 0};
    members(body, 1);
    if (!is_union) summary(body, 1);
    out_ += "}" + packed(body) + aligned(infer_ ? inferred_for(body) : layout.alignment);
    out_ += layout.is_typedef ? " " + layout.name + ";\n" : ";\n";
    return out_;
  }

 private:
  struct Body {
    std::span<const Member> members;
    bool is_union;
    std::uint32_t size;
    std::uint32_t natural_alignment;
    std::uint32_t base;  // bits
  };

  void line(int level, const std::string& text) {
    out_.append(static_cast<std::size_t>(level), '\t');
    out_ += text + "\n";
  }
  void comment(int level, const std::string& text) {
    blank();
    line(level, "/* " + text + " */");
    out_ += "\n";
    blank_ = true;
  }
  // A comment has one empty line around it, also when two follow each other.
  void blank() {
    if (!blank_) out_ += "\n";
    blank_ = true;
  }

  static std::string packed(const Body& body) {
    if (body.is_union) return "";
    std::uint32_t natural = 1;
    for (const Member& member : body.members) natural = std::max(natural, member.natural_alignment);
    const bool packed = body.size % natural != 0 || has_misaligned_member(body.members, body.base);
    return packed ? " __attribute__((__packed__))" : "";
  }
  // What BTF leaves to be guessed from the space after the last member.
  static std::uint32_t inferred_for(const Body& body) {
    std::uint32_t end = body.base / 8;
    for (const Member& member : body.members)
      if (member.storage_bits != 0) end = storage_offset(member) + member.storage_bits / 8;
    return body.is_union ? 0 : inferred_alignment(body.size, body.natural_alignment, end - body.base / 8);
  }

  void boundary(std::uint32_t offset, int level) {
    const std::uint32_t reached = offset / kLineBytes;
    if (reached <= line_) return;
    line_ = reached;
    std::string text = format("--- cacheline %u boundary (%u bytes)", reached, reached * kLineBytes);
    if (offset % kLineBytes != 0) text += format(" was %s ago", count_of(offset % kLineBytes, "byte").c_str());
    line(level, "/* " + text + " --- */");
    blank_ = false;
  }

  void members(const Body& body, int level) {
    const Gaps gaps = find_gaps(body.members, body.is_union, body.size, body.base);
    in_union_ += body.is_union;
    const std::uint32_t line_before = line_;
    std::uint32_t furthest = line_, previous_end = body.base / 8;
    for (std::size_t i = 0; i < body.members.size(); ++i) {
      const Member& member = body.members[i];
      const Member* previous = i == 0 ? nullptr : &body.members[i - 1];
      if (body.is_union) {
        line_ = line_before;
      } else {
        gap_comments(gaps.before[i], previous, member, level);
        boundary(storage_offset(member), level);
        if (previous != nullptr) bit_field_comments(*previous, member, gaps.before[i].bits > 0, level);
      }
      std::uint32_t alignment = member.alignment;
      if (infer_ && member.storage_bits != 0 && !body.is_union)
        alignment = inferred_alignment(storage_offset(member), member.natural_alignment, previous_end);
      if (!body.is_union && alignment != 0) count_forced(level, gaps.before[i]);
      one(member, alignment, level);
      if (member.storage_bits != 0) previous_end = storage_offset(member) + member.storage_bits / 8;
      furthest = std::max(furthest, line_);
    }
    line_ = body.is_union ? line_before : furthest;
    in_union_ -= body.is_union;
    if (body.members.empty() || body.is_union) return;
    padding_comment(body.members.back(), level);
    if (level > 1 && blank_) out_.pop_back();
  }

  // One empty line before and after the group, none within.
  void gap_comments(const Gap& gap, const Member* previous, const Member& member, int level) {
    if (previous != nullptr) padding_comment(*previous, level);
    if (gap.bits <= 0 && gap.bytes <= 0) return;
    if (blank_)
      out_.pop_back();
    else
      out_ += "\n";
    const std::string rest = " hole, try to pack */";
    if (gap.bits > 0) line(level, "/* XXX " + count_of(gap.bits, "bit") + rest);
    if (gap.bytes > 0) line(level, "/* XXX " + count_of(gap.bytes, "byte") + rest);
    if (gap.bits > 0 && member.bit_field) unnamed_bit_field(gap, previous, member, level);
    out_ += "\n";
    blank_ = true;
  }

  // How the source may have made the bit hole.
  void unnamed_bit_field(const Gap& gap, const Member* previous, const Member& member, int level) {
    if (previous == nullptr) return;
    const bool same_unit = storage_offset(*previous) == storage_offset(member);
    if (!same_unit) {
      out_ += "\n";
      line(level, "/* Force alignment to the next boundary: */");
    }
    line(level, format("%-*s :%d;", type_width(level), pahole_type(member.type).c_str(),
                       same_unit ? static_cast<int>(gap.bits) : 0));
  }

  // pahole does not look behind a typedef here.
  static std::uint32_t shown_padding(const Member& member) {
    return member.type.starts_with("struct") ? member.tail_padding : 0;
  }

  void padding_comment(const Member& member, int level) {
    if (shown_padding(member) == 0) return;
    comment(level, "XXX last struct has " + count_of(member.tail_padding, "byte") + " of padding");
  }

  void bit_field_comments(const Member& previous, const Member& member, bool after_bit_hole, int level) {
    const std::uint32_t here = storage_offset(member), there = storage_offset(previous);
    if (here < there || (here == there && previous.storage_bits != 0 && !previous.bit_field && member.bit_field))
      comment(level, "Bitfield combined with previous fields");
    else if (here > there && here - there < previous.storage_bits / 8) {
      if (after_bit_hole) out_.pop_back();
      comment(level, "Bitfield combined with next fields");
    }
  }

  void count_forced(int level, const Gap& gap) {
    if (level > 1) return;
    ++forced_;
    if (gap.bytes > 0) {
      ++forced_holes_;
      forced_bytes_ += gap.bytes;
    }
  }

  static bool is_anonymous(const Member& member) {  // and empty
    return member.type == "struct" || member.type == "union";
  }

  void one(const Member& member, std::uint32_t alignment, int level) {
    blank_ = false;
    if (!member.members.empty() || is_anonymous(member))
      expanded(member, alignment, level);
    else if (!member.enumerators.empty())
      enumeration(member, level);
    else
      plain(member, alignment, level);
  }

  // Below the fourth level pahole hands printf a negative width, which counts as its magnitude.
  int type_width(int level) const { return kTypeColumns - shift_ - 8 * (level - 1); }

  static int keyword_length(const std::string& type) {
    for (const std::string_view keyword : {"struct ", "union ", "enum "})
      if (type.starts_with(keyword)) return static_cast<int>(keyword.size());
    return 0;
  }

  void plain(const Member& member, std::uint32_t alignment, int level) {
    Member shown = member;
    // BTF cannot tell; pahole takes no array in a union, and none that is alone, for one without bounds.
    if (infer_ && member.suffix == "[]" && (in_union_ > 0 || (level == 1 && member.bit_offset == 0)))
      shown.suffix = "[0]";
    const bool to_array = member.suffix.starts_with(")[");  // pahole leaves the array out
    std::string text = pahole_type(to_array ? member.type + " *" : member.type,
                                   member.suffix.starts_with('[') && member.suffix != "[]");
    if (member.prefix.starts_with("(*const")) text = "const " + text;
    const int keyword = member.type.ends_with('*') ? 0 : keyword_length(member.type);
    const int width = keyword + std::abs(type_width(level) - keyword);
    text.resize(std::max(text.size(), static_cast<std::size_t>(width)), ' ');
    place(member, text + " " + pahole_name(shown) + aligned(alignment) + ";", level);
  }

  // The comment with offset and size stands in its column, or one space after what reaches further.
  // `uncounted` characters do not push the comment.
  void place(const Member& member, std::string text, int level, std::size_t uncounted = 0) {
    const int length = static_cast<int>(text.size() - uncounted);
    text.append(static_cast<std::size_t>(std::max(1, comment_column_ - shift_ - 8 * (level - 1) - length)), ' ');
    place_at(member, text, level);
  }

  void place_at(const Member& member, const std::string& text, int level) {
    const std::uint32_t offset = storage_offset(member), size = member.storage_bits / 8;
    if (member.bit_field)
      line(level, text + format("/* %5u:%2u %2u */", offset, member.bit_offset - offset * 8, size));
    else
      line(level, text + format("/* %5u %5u */", offset, size));
  }

  void expanded(const Member& member, std::uint32_t alignment, int level) {
    const Body body{member.members, member.is_union, element_size(member), member.natural_alignment, member.bit_offset};
    const bool is_const = member.type.starts_with("const ");
    if (is_const) shift_ += 6;  // of these pahole prints a summary too
    line(level, member.type + " {");
    members(body, level + 1);
    if (is_const && !body.is_union) summary(body, level + 1);
    if (is_const) shift_ -= 6;
    const std::string own = infer_ ? aligned(inferred_for(body)) : "";
    std::string text = "}" + packed(body) + own;
    if (!member.name.empty()) text += " " + member.name + member.suffix;
    text += aligned(alignment) + ";";
    const bool unaligned_comment = is_const || !member.suffix.empty();
    if (unaligned_comment)
      place_at(member, text + " ", level);
    else
      place(member, text, level, own.size());
  }

  // Of one element, where the member is an array.
  static std::uint32_t element_size(const Member& member) {
    std::uint32_t end = 0;
    for (const Member& each : member.members) end = std::max(end, each.bit_offset + each.storage_bits);
    if (member.suffix.empty()) return member.storage_bits / 8;
    const std::uint32_t alignment = std::max<std::uint32_t>(1, member.natural_alignment);
    return ((end - member.bit_offset) / 8 + alignment - 1) / alignment * alignment;
  }

  void enumeration(const Member& member, int level) {
    line(level, "enum {");
    std::size_t widest = 0;
    for (const std::string& each : member.enumerators) widest = std::max(widest, each.find(' '));
    for (const std::string& each : member.enumerators) {
      std::string name = each.substr(0, each.find(' '));
      name.resize(widest, ' ');
      line(level + 1, name + each.substr(each.find(' ')) + ",");
    }
    place(member, "} " + member.name + member.suffix + ";", level);
  }

  void summary(const Body& body, int level) {
    const Gaps gaps = find_gaps(body.members, false, body.size, body.base);
    std::int64_t bytes = 0, bits = 0, holes = 0, hole_bytes = 0, bit_holes = 0, hole_bits = 0, paddings = 0, padded = 0;
    for (std::size_t i = 0; i < body.members.size(); ++i) {
      const Member& member = body.members[i];
      (member.bit_field ? bits : bytes) += member.bit_field ? member.bit_size : member.storage_bits / 8;
      holes += gaps.before[i].bytes > 0;
      hole_bytes += std::max<std::int64_t>(0, gaps.before[i].bytes);
      bit_holes += gaps.before[i].bits > 0;
      hole_bits += std::max<std::int64_t>(0, gaps.before[i].bits);
      paddings += shown_padding(member) > 0;
      padded += shown_padding(member);
    }
    blank();
    const auto say = [this, level](const std::string& text) { line(level, "/* " + text + " */"); };
    const std::uint32_t lines = (body.size + kLineBytes - 1) / kLineBytes;
    say(format("size: %u, cachelines: %u, members: %zu", body.size, lines, body.members.size()));
    if (holes > 0 || bit_holes > 0) {
      std::string text = format("sum members: %ld", bytes);
      if (holes > 0) text += format(", holes: %ld, sum holes: %ld", holes, hole_bytes);
      if (bytes > 0) say(text);
      text = format("sum bitfield members: %ld bits", bits);
      text += bit_holes > 0 ? format(", bit holes: %ld, sum bit holes: %ld bits", bit_holes, hole_bits)
                            : format(" (%ld bytes)", bits / 8);
      if (bits > 0) say(text);
    }
    if (gaps.padding > 0) say(format("padding: %ld", gaps.padding));
    if (paddings > 0) say(format("paddings: %ld, sum paddings: %ld", paddings, padded));
    if (gaps.bit_padding > 0) say(format("bit_padding: %ld bits", gaps.bit_padding));
    if (level == 1 && forced_ > 0) {
      std::string text = format("forced alignments: %ld", forced_);
      if (forced_holes_ > 0) text += format(", forced holes: %ld, sum forced holes: %ld", forced_holes_, forced_bytes_);
      say(text);
    }
    if (body.size % kLineBytes != 0) say(format("last cacheline: %u bytes", body.size % kLineBytes));
  }

  const bool infer_;
  const int comment_column_;
  std::string out_;
  bool blank_ = false;
  int in_union_ = 0;
  int shift_ = 0;           // columns that const anonymous structs lose
  std::uint32_t line_ = 0;  // the last one announced
  std::int64_t forced_ = 0, forced_holes_ = 0, forced_bytes_ = 0;
};

}  // namespace

std::string pahole_text(const StructLayout& layout) { return Printer(layout).print(layout); }

}  // namespace hitmark
