#include "analysis/layout/diff_text.hpp"

#include <algorithm>
#include <cstdio>

namespace hitmark {
namespace {

constexpr std::size_t kHalf = 47;  // columns of each side; three lie between them
constexpr std::size_t kWhole = 100;
constexpr std::size_t kMostPairs = 12;  // shown; JSON has all

std::string fitted(std::string text, std::size_t width) {
  if (text.size() > width) text = text.substr(0, width - 3) + "...";
  text.resize(width, ' ');
  return text;
}

std::string bytes(std::uint32_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); }

std::string place(const Field& field) {
  const std::string at = std::to_string(field.offset());
  return field.bit_offset % 8 == 0 ? at : at + ":" + std::to_string(field.bit_offset % 8);
}

std::string extent(const Field& field) {
  if (field.bit_size % 8 == 0) return bytes(field.bit_size / 8);
  return std::to_string(field.bit_size) + (field.bit_size == 1 ? " bit" : " bits");
}

std::string lines(const Field& field) {
  const std::string first = std::to_string(field.first_line());
  return field.first_line() == field.last_line() ? "line " + first
                                                 : "lines " + first + "-" + std::to_string(field.last_line());
}

std::string cell(const Field& field) {
  char numbers[32];
  const std::string size =
      field.bit_size % 8 == 0 ? std::to_string(field.bit_size / 8) : "b" + std::to_string(field.bit_size);
  std::snprintf(numbers, sizeof numbers, "%7s %5s  ", place(field).c_str(), size.c_str());
  return numbers + field.declaration;
}

// One side's fields and holes in the order of their offsets.
struct Row {
  std::uint32_t bit_offset;
  std::string text, path;
};

std::vector<Row> rows_of(const StructLayout& layout) {
  std::vector<Row> rows;
  std::uint32_t end = 0;  // bits
  const auto hole = [&](std::uint32_t from, std::uint32_t to) {
    const std::uint32_t bits = to - from;
    const std::string what = bits % 8 == 0 ? bytes(bits / 8) : std::to_string(bits) + " bits";
    rows.push_back({from, std::string(15, ' ') + "-- " + what + " unused --", ""});
  };
  std::vector<Field> fields = fields_of(layout);
  std::stable_sort(fields.begin(), fields.end(),
                   [](const Field& a, const Field& b) { return a.bit_offset < b.bit_offset; });
  for (const Field& field : fields) {
    if (field.bit_offset > end) hole(end, field.bit_offset);
    rows.push_back({field.bit_offset, cell(field), field.path});
    end = std::max(end, field.bit_offset + field.bit_size);
  }
  if (layout.size * 8 > end) hole(end, layout.size * 8);
  return rows;
}

char mark(const LayoutDiff& diff, const Row* a, const Row* b) {
  const auto is_hole = [](const Row* row) { return row != nullptr && row->path.empty(); };
  if (a == nullptr || b == nullptr) return is_hole(a) || is_hole(b) ? ' ' : a == nullptr ? '>' : '<';
  if (a->path.empty() && b->path.empty()) return ' ';
  const bool changed = std::any_of(diff.changed.begin(), diff.changed.end(), [&](const FieldChange& change) {
    const bool differs = change.renamed || change.moved || change.resized || change.retyped;
    return differs && (change.before.path == a->path || change.after.path == b->path);
  });
  const auto is = [](const Row* row) { return [row](const Field& field) { return field.path == row->path; }; };
  return changed || std::any_of(diff.only_before.begin(), diff.only_before.end(), is(a)) ||
                 std::any_of(diff.only_after.begin(), diff.only_after.end(), is(b))
             ? '~'
             : '=';
}

void append_row(std::string& out, const std::string& left, char middle, const std::string& right) {
  std::string row = fitted(left, kHalf) + " " + middle + " " + fitted(right, kHalf);
  row.erase(row.find_last_not_of(' ') + 1);
  out += row + "\n";
}

std::string side_by_side(const LayoutDiff& diff) {
  std::string out;
  append_row(out, diff.before.keyword + " " + diff.before.name, '|', diff.after.keyword + " " + diff.after.name);
  append_row(out, diff.before.source, '|', diff.after.source);
  append_row(out, " offset  size  field", '|', " offset  size  field");
  const auto a = rows_of(diff.before), b = rows_of(diff.after);
  std::uint32_t line = UINT32_MAX;
  for (auto left = a.begin(), right = b.begin(); left != a.end() || right != b.end();) {
    const std::uint32_t left_at = left == a.end() ? UINT32_MAX : left->bit_offset;
    const std::uint32_t right_at = right == b.end() ? UINT32_MAX : right->bit_offset;
    const std::uint32_t at = std::min(left_at, right_at);
    if (const std::uint32_t here = at / 8 / kLineBytes; here != line) {
      line = here;
      out += fitted("line " + std::to_string(line) + " ", 8) + std::string(2 * kHalf + 3 - 8, '-') + "\n";
    }
    const Row* l = left_at == at ? &*left++ : nullptr;
    const Row* r = right_at == at ? &*right++ : nullptr;
    append_row(out, l == nullptr ? "" : l->text, mark(diff, l, r), r == nullptr ? "" : r->text);
  }
  return out;
}

std::string sentence(const FieldChange& change) {
  const Field &a = change.before, &b = change.after;
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  if (change.renamed) add("now called " + b.path);
  if (change.moved) add("moved from " + place(a) + " to " + place(b) + " (" + lines(a) + " -> " + lines(b) + ")");
  if (change.resized) add("size from " + extent(a) + " to " + extent(b));
  if (change.retyped)
    add("type from " + a.type + " to " + b.type + " (" + a.representation + " -> " + b.representation + ")");
  if (change.respelled) add("type spelled " + a.type + " and " + b.type + ", which is the same to the layout");
  return a.path + ": " + text;
}

// Long sentences go on in further lines, indented.
void append_wrapped(std::string& out, const std::string& text) {
  std::size_t column = 2;
  out += "  ";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (column + (end - at) > kWhole && column > 4) {
      out.erase(out.find_last_not_of(' ') + 1);
      out += "\n    ";
      column = 4;
    }
    out += text.substr(at, end - at) + (end < text.size() ? " " : "");
    column += end - at + 1;
    at = end + 1;
  }
  out += "\n";
}

void append_pairs(std::string& out, const std::vector<LineSharing>& pairs, const std::string& what) {
  for (std::size_t i = 0; i < std::min(pairs.size(), kMostPairs); ++i)
    append_wrapped(out, pairs[i].first + " and " + pairs[i].second + " " + what + " " + std::to_string(pairs[i].line));
  if (pairs.size() > kMostPairs)
    append_wrapped(out, "... and " + std::to_string(pairs.size() - kMostPairs) + " more pairs that " + what +
                            " some line (--json names all)");
}

}  // namespace

std::string diff_text(const LayoutDiff& diff) {
  std::string out = side_by_side(diff) + "\n";
  std::string list;
  if (diff.before.size != diff.after.size) {
    append_wrapped(list, "the struct: size from " + bytes(diff.before.size) + " to " + bytes(diff.after.size) +
                             ", lines from " + std::to_string(line_count(diff.before)) + " to " +
                             std::to_string(line_count(diff.after)));
  }
  for (const Field& field : diff.only_before)
    append_wrapped(list, field.path + ": only on the left (" + field.declaration + ", " + extent(field) + " at " +
                             place(field) + ", " + lines(field) + ")");
  for (const Field& field : diff.only_after)
    append_wrapped(list, field.path + ": only on the right (" + field.declaration + ", " + extent(field) + " at " +
                             place(field) + ", " + lines(field) + ")");
  std::string spelled;
  for (const FieldChange& change : diff.changed) {
    const bool layout = change.renamed || change.moved || change.resized || change.retyped;
    append_wrapped(layout ? list : spelled, sentence(change));
  }
  append_pairs(list, diff.came_to_share, "came to share line");
  append_pairs(list, diff.ceased_to_share, "ceased to share line");
  if (!diff.sharing_known) append_wrapped(list, "lines shared by pairs of fields: not compared, too many fields");
  out += diff.equal() ? "The layouts are equal.\n" : "Differences, left to right:\n" + list;
  if (!spelled.empty()) out += "Not differences of the layout:\n" + spelled;
  return out;
}

}  // namespace hitmark
