#include "analysis/layout/dwarf_reader.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "analysis/layout/dwarf_layout.hpp"
#include "analysis/layout/mapped_file.hpp"
#include "analysis/layout/type_request.hpp"

namespace hitmark {
namespace {

constexpr int kDeepest = 64;
constexpr std::size_t kMostCandidates = 64;
constexpr std::size_t kMostNames = std::size_t{1} << 20;

struct FreeElf {
  void operator()(Elf* elf) const { elf_end(elf); }
};
struct FreeDwarf {
  void operator()(Dwarf* dwarf) const { dwarf_end(dwarf); }
};
struct FreeDwfl {
  void operator()(Dwfl* dwfl) const { dwfl_end(dwfl); }
};

// Debug information kept elsewhere is not looked for: that may ask a server on the network.
int no_debug_file(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*, GElf_Word, char**) {
  return -1;
}

std::string_view name_of(Dwarf_Die& die) {
  const char* name = dwarf_diename(&die);
  return name == nullptr ? std::string_view() : std::string_view(name);
}

bool is_composite(int tag) {
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

// A definition, with the scopes around it.
using Visit = std::function<void(Dwarf_Die& die, const std::string& scope)>;

// Namespaces and classes are entered, functions are not. In a file that lies about siblings the same bytes
// can be reached in exponentially many ways; an honest one has fewer entries than bytes: `budget`.
void visit_types(Dwarf_Die& parent, const std::string& scope, int depth, std::size_t& budget, const Visit& visit) {
  Dwarf_Die child;
  if (depth == kDeepest || dwarf_child(&parent, &child) != 0) return;
  for (; budget > 0; --budget) {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_namespace) {
      const std::string_view name = name_of(child);
      const std::string inside = scope + (name.empty() ? "(anonymous namespace)" : std::string(name)) + "::";
      visit_types(child, inside, depth + 1, budget, visit);
    } else if (is_composite(tag) || tag == DW_TAG_typedef) {
      visit(child, scope);
      if (tag != DW_TAG_typedef && dwarf_haschildren(&child) > 0)
        visit_types(child, scope + std::string(name_of(child)) + "::", depth + 1, budget, visit);
    }
    if (budget == 0) return;
    Dwarf_Die next;
    const Dwarf_Off at = dwarf_dieoffset(&child);
    if (dwarf_siblingof(&child, &next) != 0 || dwarf_dieoffset(&next) <= at) return;
    child = next;
  }
}

bool has_size(Dwarf_Die& die) { return dwarf_bytesize(&die) >= 0 && dwarf_hasattr(&die, DW_AT_declaration) == 0; }

// The struct or union without a name of its own behind a typedef of it.
bool behind_typedef(Dwarf_Die& die) {
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  if (dwarf_attr(&die, DW_AT_type, &attribute) == nullptr || dwarf_formref_die(&attribute, &type) == nullptr)
    return false;
  if (!is_composite(dwarf_tag(&type)) || !name_of(type).empty() || !has_size(type)) return false;
  die = type;
  return true;
}

bool same(const std::vector<Member>& a, const std::vector<Member>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Member& x, const Member& y) {
    return x.name == y.name && x.type == y.type && x.suffix == y.suffix && x.bit_offset == y.bit_offset &&
           x.bit_size == y.bit_size && same(x.members, y.members);
  });
}

struct Candidate {
  Dwarf_Die die;
  std::string name;  // qualified
  std::string unit;
  bool is_typedef = false;
};

}  // namespace

struct DwarfReader::Impl {
  std::optional<MappedFile> file;
  std::string bytes;  // of a file in memory
  std::unique_ptr<Elf, FreeElf> elf;
  std::unique_ptr<Dwfl, FreeDwfl> dwfl;  // owns `dwarf` of a relocatable file
  std::unique_ptr<Dwarf, FreeDwarf> own_dwarf;
  Dwarf* dwarf = nullptr;
  std::string source;
  std::size_t size = 0;  // bytes of the file

  Error no_dwarf() const {
    return {ErrorKind::kUnavailable, source + " has no debug information (DWARF); it was stripped or built without -g",
            "./run build keeps it in build/release/hitmark; for another file name one built with -g"};
  }

  Result<void> load(char* data, std::size_t bytes_of_file) {
    size = bytes_of_file;
    elf_version(EV_CURRENT);
    if (size < EI_NIDENT || std::string_view(data, SELFMAG) != ELFMAG)
      return Error{ErrorKind::kInvalid, source + " is not an ELF file", "--btf FILE reads raw BTF"};
    elf.reset(elf_memory(data, size));
    GElf_Ehdr header;
    if (elf == nullptr || gelf_getehdr(elf.get(), &header) == nullptr)
      return Error{ErrorKind::kInvalid, source + " is a broken ELF file: " + elf_errmsg(-1), ""};
    if (header.e_shoff > size)
      return Error{ErrorKind::kInvalid, source + " is a truncated ELF file: its sections lie beyond its end", ""};
    if (header.e_type == ET_REL) return load_relocatable(data);
    own_dwarf.reset(dwarf_begin_elf(elf.get(), DWARF_C_READ, nullptr));
    dwarf = own_dwarf.get();
    if (dwarf == nullptr) return no_dwarf();
    return {};
  }

  // The DWARF of a module or of an object file refers to symbols that are not yet in their places.
  Result<void> load_relocatable(char* data) {
    elf.reset();
    static const Dwfl_Callbacks callbacks{
        .find_elf = dwfl_build_id_find_elf,
        .find_debuginfo = no_debug_file,
        .section_address = dwfl_offline_section_address,
        .debuginfo_path = nullptr,
    };
    dwfl.reset(dwfl_begin(&callbacks));
    if (dwfl == nullptr) return no_dwarf();
    Dwfl_Module* module = dwfl_report_offline_memory(dwfl.get(), source.c_str(), source.c_str(), data, size);
    dwfl_report_end(dwfl.get(), nullptr, nullptr);
    Dwarf_Addr bias;
    dwarf = module == nullptr ? nullptr : dwfl_module_getdwarf(module, &bias);
    if (dwarf == nullptr) return no_dwarf();
    return {};
  }

  void visit_units(const std::function<void(Dwarf_Die& unit, Dwarf_Die& types)>& visit) const {
    Dwarf_CU* unit = nullptr;
    Dwarf_Half version;
    std::uint8_t type;
    Dwarf_Die die, split;
    while (dwarf_get_units(dwarf, unit, &unit, &version, &type, &die, &split) == 0)
      visit(die, type == DW_UT_skeleton && split.addr != nullptr ? split : die);
  }

  // One candidate for each definition that may differ from the others; headers repeat theirs in each unit.
  std::vector<Candidate> candidates(const TypeRequest& request) const {
    std::size_t budget = size;
    const std::string wanted(name_components(request.name).back());
    std::map<std::pair<std::string, std::pair<int, int>>, Candidate> found;
    visit_units([&](Dwarf_Die& unit, Dwarf_Die& types) {
      visit_types(types, "", 0, budget, [&](Dwarf_Die& die, const std::string& scope) {
        if (name_of(die) != wanted || found.size() == kMostCandidates) return;
        Candidate candidate{die, scope + wanted, std::string(name_of(unit))};
        candidate.is_typedef = dwarf_tag(&die) == DW_TAG_typedef;
        if (!ends_with_components(candidate.name, request.name)) return;
        if (candidate.is_typedef && (!request.keyword.empty() || !behind_typedef(candidate.die))) return;
        const bool is_union = dwarf_tag(&candidate.die) == DW_TAG_union_type;
        if (!request.keyword.empty() && is_union != (request.keyword == "union")) return;
        if (!has_size(candidate.die)) return;
        int line = 0;
        dwarf_decl_line(&candidate.die, &line);
        found.try_emplace({candidate.name, {dwarf_bytesize(&candidate.die), line}}, candidate);
      });
    });
    std::vector<Candidate> list;
    for (auto& entry : found) list.push_back(std::move(entry.second));
    return list;
  }

  std::vector<std::string> names(bool qualified) const {
    std::set<std::string> names;
    std::size_t budget = size;
    visit_units([&](Dwarf_Die&, Dwarf_Die& types) {
      visit_types(types, "", 0, budget, [&](Dwarf_Die& die, const std::string& scope) {
        const std::string_view name = name_of(die);
        if (name.empty() || !is_composite(dwarf_tag(&die)) || !has_size(die) || names.size() == kMostNames) return;
        names.insert(qualified ? scope + std::string(name) : std::string(name));
      });
    });
    return {names.begin(), names.end()};
  }
};

DwarfReader::DwarfReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
DwarfReader::DwarfReader(DwarfReader&&) noexcept = default;
DwarfReader::~DwarfReader() = default;

Result<DwarfReader> DwarfReader::open(const std::string& path) {
  auto file = MappedFile::open(path);
  if (!file) return file.error();
  auto impl = std::make_unique<Impl>();
  impl->source = path == kOwnProgram ? "this program" : path;
  impl->file.emplace(std::move(*file));
  if (auto loaded = impl->load(impl->file->data(), impl->file->bytes().size()); !loaded) return loaded.error();
  return DwarfReader(std::move(impl));
}

Result<DwarfReader> DwarfReader::from_bytes(std::string bytes, const std::string& source) {
  auto impl = std::make_unique<Impl>();
  impl->source = source;
  impl->bytes = std::move(bytes);
  if (auto loaded = impl->load(impl->bytes.data(), impl->bytes.size()); !loaded) return loaded.error();
  return DwarfReader(std::move(impl));
}

Result<StructLayout> DwarfReader::find(std::string_view type) const {
  const TypeRequest request = parse_type_request(type);
  std::vector<Candidate> found;
  if (!request.name.empty()) found = impl_->candidates(request);
  if (found.empty())
    return unknown_type(request, impl_->names(request.name.find("::") != std::string::npos), impl_->source);

  // A name spelled in full is meant, whatever else ends like it.
  const auto is_exact = [&](const Candidate& candidate) { return candidate.name == request.name; };
  if (std::any_of(found.begin(), found.end(), is_exact))
    std::erase_if(found, [&](const Candidate& candidate) { return !is_exact(candidate); });

  std::optional<StructLayout> layout;
  bool ambiguous = false;
  for (Candidate& candidate : found) {
    auto built = dwarf_layout(&candidate.die, candidate.name + " in " + impl_->source);
    if (!built) return built.error();
    if (candidate.is_typedef) {
      built->name = request.name;
      built->is_typedef = true;
    }
    ambiguous |= candidate.name != found.front().name;
    ambiguous |= layout && (layout->size != built->size || !same(layout->members, built->members));
    layout = std::move(*built);
  }
  if (ambiguous) {
    std::string list;
    for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 8); ++i)
      list += (i == 0 ? "" : ", ") + found[i].name + " (" + found[i].unit + ")";
    if (found.size() > 8) list += ", ...";
    return Error{ErrorKind::kUsage, "'" + request.name + "' is ambiguous in " + impl_->source + ": " + list,
                 "more of the qualified name"};
  }
  layout->source = "DWARF of " + impl_->source;
  return *layout;
}

}  // namespace hitmark
