#include "harness/cli/field_names.hpp"

#include <charconv>
#include <map>
#include <memory>
#include <optional>

#include "analysis/layout/dwarf_reader.hpp"

namespace hitmark::cli {
namespace {

class FieldFinder {
 public:
  FieldFinder() {
    if (auto reader = DwarfReader::open()) reader_.emplace(*std::move(reader));
  }

  std::string name(const std::string& type, std::uint64_t offset, int depth = 0) {
    constexpr int kDeepest = 4;
    const StructLayout* layout = depth < kDeepest ? find(type) : nullptr;
    return layout ? name_in(layout->members, offset, depth) : "";
  }

 private:
  const StructLayout* find(const std::string& type) {
    auto known = layouts_.find(type);
    if (known == layouts_.end()) {
      std::optional<StructLayout> found;
      if (reader_)
        if (auto layout = reader_->find(type)) found = *std::move(layout);
      known = layouts_.emplace(type, std::move(found)).first;
    }
    return known->second ? &*known->second : nullptr;
  }

  std::string name_in(const std::vector<Member>& members, std::uint64_t offset, int depth) {
    for (const Member& member : members) {
      const std::uint64_t begin = member.bit_offset / 8, size = member.bit_size / 8;
      if (offset < begin || offset >= begin + size) continue;
      if (!member.members.empty()) return name_in(member.members, offset, depth);  // anonymous: expanded in place
      const std::uint64_t inside = offset - begin;
      if (member.suffix.starts_with('[') && member.prefix.empty()) return member.name + element(member, inside, size);
      if (!member.representation.starts_with("struct(")) return member.name;
      const std::string deeper = name(plain(member.type), inside, depth + 1);
      return deeper.empty() ? member.name : member.name + "." + deeper;
    }
    return "";
  }

  static std::string element(const Member& member, std::uint64_t inside, std::uint64_t size) {
    std::uint64_t count = 0;
    const char* const last = member.suffix.data() + member.suffix.size();
    const auto [end, error] = std::from_chars(member.suffix.data() + 1, last, count);
    if (error != std::errc() || end == last || *end != ']' || count == 0 || size < count) return "";
    return "[" + std::to_string(inside / (size / count)) + "]";
  }

  static std::string plain(const std::string& type) {
    for (const std::string_view keyword : {"struct ", "union ", "class "})
      if (type.starts_with(keyword)) return type.substr(keyword.size());
    return type;
  }

  std::optional<DwarfReader> reader_;
  std::map<std::string, std::optional<StructLayout>> layouts_;
};

}  // namespace

std::function<std::string(const std::string&, std::uint64_t, unsigned)> field_names() {
  auto finder = std::make_shared<std::unique_ptr<FieldFinder>>();  // made when first asked: it reads a large file
  return [finder](const std::string& type, std::uint64_t offset, unsigned) {
    if (!*finder) *finder = std::make_unique<FieldFinder>();
    return (*finder)->name(type, offset);
  };
}

}  // namespace hitmark::cli
