#include "analysis/layout/layout_diff.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace hitmark {
namespace {

void collect(const std::vector<Member>& members, const std::string& prefix, std::vector<Field>& fields) {
  for (const Member& member : members) {
    const std::string path = prefix + member.name;
    if (!member.members.empty()) {
      // An array of an anonymous struct is one field: its elements lie in several places.
      const bool is_array = member.suffix.starts_with('[');
      if (!is_array) {
        collect(member.members, member.name.empty() ? prefix : path + ".", fields);
        continue;
      }
    }
    if (member.name.empty()) continue;  // an empty anonymous struct
    std::string type = member.type;
    if (!member.prefix.empty() || !member.suffix.empty()) type += " " + member.prefix + member.suffix;
    const std::string gap = member.type.ends_with('*') ? "" : " ";
    fields.push_back({path, type, member.type + gap + member.prefix + member.name + member.suffix,
                      member.representation, member.bit_offset, member.bit_size});
  }
}

constexpr std::size_t kMostFields = 4096;  // whose pairs are compared

using Pair = std::pair<std::string, std::string>;

// Every pair of fields with a common line, and the first such line.
std::map<Pair, std::uint32_t> sharing(const std::vector<Field>& fields) {
  std::map<Pair, std::uint32_t> pairs;
  for (std::size_t i = 0; i < fields.size(); ++i)
    for (std::size_t j = i + 1; j < fields.size(); ++j) {
      const std::uint32_t first = std::max(fields[i].first_line(), fields[j].first_line());
      if (first <= std::min(fields[i].last_line(), fields[j].last_line()))
        pairs[std::minmax(fields[i].path, fields[j].path)] = first;
    }
  return pairs;
}

bool same_place(const Field& a, const Field& b) {
  return a.bit_offset == b.bit_offset && a.bit_size == b.bit_size && a.representation == b.representation;
}

FieldChange compare(const Field& a, const Field& b) {
  FieldChange change{.before = a, .after = b};
  change.renamed = a.path != b.path;
  change.moved = a.bit_offset != b.bit_offset;
  change.resized = a.bit_size != b.bit_size;
  change.retyped = a.representation != b.representation;
  change.respelled = !change.retyped && a.type != b.type;
  return change;
}

bool differs(const FieldChange& change) { return change.renamed || change.moved || change.resized || change.retyped; }

// A field that only one side has, at the place where the other has one that only it has, was renamed.
void pair_renamed(LayoutDiff& diff) {
  for (auto a = diff.only_before.begin(); a != diff.only_before.end();) {
    const auto b = std::find_if(diff.only_after.begin(), diff.only_after.end(),
                                [&](const Field& field) { return same_place(*a, field); });
    if (b == diff.only_after.end()) {
      ++a;
      continue;
    }
    diff.changed.push_back(compare(*a, *b));
    diff.only_after.erase(b);
    a = diff.only_before.erase(a);
  }
}

void compare_sharing(const std::vector<Field>& a, const std::vector<Field>& b,
                     std::map<std::string, std::string> after_name, LayoutDiff& diff) {
  for (const FieldChange& change : diff.changed) after_name[change.before.path] = change.after.path;
  std::set<std::string> common;
  for (const auto& entry : after_name) common.insert(entry.second);

  std::map<Pair, std::uint32_t> shared_before;
  const std::map<Pair, std::uint32_t> shared_after = sharing(b);
  for (const auto& [pair, line] : sharing(a)) {
    const auto first = after_name.find(pair.first), second = after_name.find(pair.second);
    if (first != after_name.end() && second != after_name.end())
      shared_before[std::minmax(first->second, second->second)] = line;
  }
  for (const auto& [pair, line] : shared_before)
    if (!shared_after.contains(pair)) diff.ceased_to_share.push_back({pair.first, pair.second, line});
  for (const auto& [pair, line] : shared_after)
    if (!shared_before.contains(pair) && common.contains(pair.first) && common.contains(pair.second))
      diff.came_to_share.push_back({pair.first, pair.second, line});
}

}  // namespace

std::uint32_t Field::last_line() const {
  return bit_size == 0 ? first_line() : (bit_offset + bit_size - 1) / 8 / kLineBytes;
}

std::vector<Field> fields_of(const StructLayout& layout) {
  std::vector<Field> fields;
  collect(layout.members, "", fields);
  return fields;
}

bool LayoutDiff::equal() const {
  return before.size == after.size && only_before.empty() && only_after.empty() &&
         std::none_of(changed.begin(), changed.end(), differs);
}

LayoutDiff diff_layouts(const StructLayout& before, const StructLayout& after) {
  LayoutDiff diff;
  diff.before = before;
  diff.after = after;
  const auto a = fields_of(before), b = fields_of(after);
  std::map<std::string_view, const Field*> in_after;
  for (const Field& field : b) in_after.emplace(field.path, &field);
  std::map<std::string, std::string> after_name;  // of every field that both have
  for (const Field& field : a) {
    const auto match = in_after.find(field.path);
    if (match == in_after.end()) {
      diff.only_before.push_back(field);
      continue;
    }
    after_name.emplace(field.path, field.path);
    const FieldChange change = compare(field, *match->second);
    if (differs(change) || change.respelled) diff.changed.push_back(change);
  }
  for (const Field& field : b)
    if (!after_name.contains(field.path)) diff.only_after.push_back(field);
  diff.sharing_known = a.size() <= kMostFields && b.size() <= kMostFields;
  if (!diff.sharing_known) return diff;
  pair_renamed(diff);
  compare_sharing(a, b, std::move(after_name), diff);
  return diff;
}

}  // namespace hitmark
