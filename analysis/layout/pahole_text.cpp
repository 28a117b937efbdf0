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
  return alignment == 0 ? "" : format("__attribute__((__aligned__(%u)))", alignment);
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
    members({layout.members, is_union, layout.size, 0}, 1);
    if (!is_union) summary(layout);
    out_ += "}";
    if (!is_union || infer_) {
      if (must_be_packed(layout.members, is_union, layout.size, layout.natural_alignment))
        out_ += " __attribute__((__packed__))";
      const std::uint32_t alignment = infer_ ? inferred_for(layout, is_union) : layout.alignment;
      if (alignment != 0) out_ += " " + aligned(alignment);
    }
    out_ += layout.is_typedef ? " " + layout.name + ";\n" : ";\n";
    return out_;
  }

 private:
  struct Body {
    std::span<const Member> members;
    bool is_union;
    std::uint32_t size;
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

  std::uint32_t inferred_for(const StructLayout& layout, bool is_union) const {
    return inferred_alignment(layout.size, layout.natural_alignment, end_of(layout.members, is_union, 0));
  }
  static std::uint32_t end_of(std::span<const Member> members, bool, std::uint32_t base) {
    std::uint32_t end = base / 8;
    for (const Member& member : members)
      if (member.storage_bits != 0) end = storage_offset(member) + member.storage_bits / 8;
    return end - base / 8;
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
    const std::uint32_t line_before = line_;
    std::uint32_t furthest = line_, previous_end = body.base / 8;
    for (std::size_t i = 0; i < body.members.size(); ++i) {
      const Member& member = body.members[i];
      const Member* previous = i == 0 ? nullptr : &body.members[i - 1];
      if (body.is_union) {
        line_ = line_before;
      } else {
        gap_comments(gaps.before[i], previous, level);
        boundary(storage_offset(member), level);
        if (previous != nullptr) bit_field_comments(*previous, member, level);
      }
      std::uint32_t alignment = member.alignment;
      if (infer_ && member.storage_bits != 0 && !body.is_union)
        alignment = inferred_alignment(storage_offset(member), member.natural_alignment, previous_end);
      if (!body.is_union && alignment != 0) count_forced(level, gaps.before[i]);
      one(member, alignment, level);
      if (member.storage_bits != 0) previous_end = storage_offset(member) + member.storage_bits / 8;
      furthest = std::max(furthest, line_);
    }
    line_ = furthest;
    if (!body.members.empty() && !body.is_union && level > 1) padding_comment(body.members.back(), level);
  }

  void gap_comments(const Gap& gap, const Member* previous, int level) {
    if (previous != nullptr) padding_comment(*previous, level);
    if (gap.bits > 0) comment(level, "XXX " + count_of(gap.bits, "bit") + " hole, try to pack");
    if (gap.bytes > 0) comment(level, "XXX " + count_of(gap.bytes, "byte") + " hole, try to pack");
  }

  void padding_comment(const Member& member, int level) {
    if (member.tail_padding == 0) return;
    comment(level, "XXX last struct has " + count_of(member.tail_padding, "byte") + " of padding");
  }

  void bit_field_comments(const Member& previous, const Member& member, int level) {
    const std::uint32_t here = storage_offset(member), there = storage_offset(previous);
    if (here < there || (here == there && !previous.bit_field && member.bit_field))
      comment(level, "Bitfield combined with previous fields");
    else if (here > there && here - there < previous.storage_bits / 8)
      comment(level, "Bitfield combined with next fields");
  }

  void count_forced(int level, const Gap& gap) {
    if (level > 1) return;
    ++forced_;
    if (gap.bytes > 0) {
      ++forced_holes_;
      forced_bytes_ += gap.bytes;
    }
  }

  void one(const Member& member, std::uint32_t alignment, int level) {
    blank_ = false;
    if (!member.members.empty() || member.type == "struct" || member.type == "union")
      expanded(member, alignment, level);
    else if (!member.enumerators.empty())
      enumeration(member, level);
    else
      plain(member, alignment, level);
  }

  void plain(const Member& member, std::uint32_t alignment, int level) {
    const int width = std::max(0, kTypeColumns - 8 * (level - 1));
    std::string text = format("%-*s ", width, pahole_type(member.type, member.suffix.starts_with('[')).c_str());
    text += pahole_name(member);
    if (alignment != 0) text += " " + aligned(alignment);
    place(member, text + ";", level);
  }

  // The comment with offset and size stands in its column, or one space after what reaches further.
  void place(const Member& member, std::string text, int level, int columns = 0) {
    const int length = columns == 0 ? static_cast<int>(text.size()) : columns;
    text.append(static_cast<std::size_t>(std::max(1, comment_column_ - 8 * (level - 1) - length)), ' ');
    const std::uint32_t offset = storage_offset(member), size = member.storage_bits / 8;
    if (member.bit_field)
      line(level, text + format("/* %5u:%2u %2u */", offset, member.bit_offset - offset * 8, size));
    else
      line(level, text + format("/* %5u %5u */", offset, size));
  }

  void expanded(const Member& member, std::uint32_t, int level) {
    line(level, (member.is_union ? "union {" : "struct {"));
    members({member.members, member.is_union, member.storage_bits / 8, member.bit_offset}, level + 1);
    place(member, (member.name.empty() ? "}" : "} " + member.name + member.suffix) + ";", level);
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

  void summary(const StructLayout& layout) {
    const Gaps gaps = find_gaps(layout.members, false, layout.size);
    std::int64_t bytes = 0, bits = 0, holes = 0, hole_bytes = 0, bit_holes = 0, hole_bits = 0, paddings = 0, padded = 0;
    for (std::size_t i = 0; i < layout.members.size(); ++i) {
      const Member& member = layout.members[i];
      (member.bit_field ? bits : bytes) += member.bit_field ? member.bit_size : member.storage_bits / 8;
      holes += gaps.before[i].bytes > 0;
      hole_bytes += std::max<std::int64_t>(0, gaps.before[i].bytes);
      bit_holes += gaps.before[i].bits > 0;
      hole_bits += std::max<std::int64_t>(0, gaps.before[i].bits);
      paddings += member.tail_padding > 0;
      padded += member.tail_padding;
    }
    out_ += "\n";
    const auto say = [this](const std::string& text) { line(1, "/* " + text + " */"); };
    say(format("size: %u, cachelines: %u, members: %zu", layout.size, line_count(layout), layout.members.size()));
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
    if (forced_ > 0) {
      std::string text = format("forced alignments: %ld", forced_);
      if (forced_holes_ > 0)
        text += format(", forced holes: %ld, sum forced holes: %ld", forced_holes_, forced_bytes_);
      say(text);
    }
    if (layout.size % kLineBytes != 0) say(format("last cacheline: %u bytes", layout.size % kLineBytes));
  }

  const bool infer_;
  const int comment_column_;
  std::string out_;
  bool blank_ = false;
  std::uint32_t line_ = 0;  // the last one announced
  std::int64_t forced_ = 0, forced_holes_ = 0, forced_bytes_ = 0;
};

}  // namespace

std::string pahole_text(const StructLayout& layout) { return Printer(layout).print(layout); }

}  // namespace hitmark
