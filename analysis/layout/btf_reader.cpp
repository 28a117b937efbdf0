#include "analysis/layout/btf_reader.hpp"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <sys/utsname.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "analysis/layout/btf_layout.hpp"
#include "analysis/layout/mapped_file.hpp"
#include "analysis/layout/type_request.hpp"

namespace hitmark {
namespace {

constexpr int kDeepest = 64;  // chain of typedefs

struct FreeBtf {
  void operator()(btf* b) const { btf__free(b); }
};
using BtfPointer = std::unique_ptr<btf, FreeBtf>;

void silence_libbpf() { libbpf_set_print(nullptr); }

bool is_modifier(const btf_type* t) { return btf_is_mod(t) || btf_is_typedef(t) || btf_kind(t) == BTF_KIND_TYPE_TAG; }

bool is_btf(std::string_view bytes) {
  return bytes.size() >= 2 && (bytes.starts_with("\x9f\xeb") || bytes.starts_with("\xeb\x9f"));
}

Error unreadable(const std::string& what, int code) {
  std::string why =
      std::string(" is not valid BTF (libbpf: ") + std::strerror(code < 0 && code > -200 ? -code : EINVAL) + ")";
  if (code == -ENOENT || code == -ENODATA) why = " has no .BTF section";
  if (code == -LIBBPF_ERRNO__FORMAT) why = " is neither raw BTF nor an ELF file";
  return {ErrorKind::kInvalid, what + why, "hitmark layout TYPE --elf FILE reads the DWARF of a file built with -g"};
}

}  // namespace

struct BtfReader::Impl {
  BtfPointer base;  // of a module
  BtfPointer btf;
  std::string source;

  bool is_named(std::uint32_t id, const std::string& name) const {
    const btf_type* t = btf__type_by_id(btf.get(), id);
    const char* found = btf__name_by_offset(btf.get(), t->name_off);
    return found != nullptr && name == found;
  }

  // The struct or union behind a typedef, 0 if it is something else.
  std::uint32_t behind(std::uint32_t id) const {
    for (int depth = 0; depth < kDeepest; ++depth) {
      const btf_type* t = btf__type_by_id(btf.get(), id);
      if (t == nullptr) return 0;
      if (btf_is_composite(t)) return id;
      if (!is_modifier(t)) return 0;
      id = t->type;
    }
    return 0;
  }

  std::pair<std::uint32_t, bool> lookup(const TypeRequest& request) const {
    std::uint32_t as_union = 0, as_typedef = 0;
    const std::uint32_t count = btf__type_cnt(btf.get());
    for (std::uint32_t id = 1; id < count; ++id) {
      const auto kind = btf_kind(btf__type_by_id(btf.get(), id));
      const bool wanted = (kind == BTF_KIND_STRUCT && request.keyword != "union") ||
                          (kind == BTF_KIND_UNION && request.keyword != "struct" && as_union == 0) ||
                          (kind == BTF_KIND_TYPEDEF && request.keyword.empty() && as_typedef == 0);
      if (!wanted || !is_named(id, request.name)) continue;
      if (kind == BTF_KIND_STRUCT) return {id, false};
      if (kind == BTF_KIND_UNION)
        as_union = id;
      else
        as_typedef = behind(id);
    }
    return as_union != 0 ? std::pair{as_union, false} : std::pair{as_typedef, as_typedef != 0};
  }
};

BtfReader::BtfReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
BtfReader::BtfReader(BtfReader&&) noexcept = default;
BtfReader::~BtfReader() = default;

Result<BtfReader> BtfReader::from_bytes(std::string_view bytes, const std::string& source) {
  silence_libbpf();
  if (bytes.size() > UINT32_MAX) return Error{ErrorKind::kInvalid, source + " is larger than BTF can be", ""};
  if (!is_btf(bytes)) return unreadable(source, -LIBBPF_ERRNO__FORMAT);
  auto impl = std::make_unique<Impl>();
  impl->btf.reset(btf__new(bytes.data(), static_cast<std::uint32_t>(bytes.size())));
  if (impl->btf == nullptr) return unreadable(source, -errno);
  impl->source = source;
  return BtfReader(std::move(impl));
}

Result<BtfReader> BtfReader::open(const std::string& path) {
  auto file = MappedFile::open(path);
  if (!file) {
    Error error = file.error();
    if (path == kKernelBtf)
      error.hint =
          "a kernel built with CONFIG_DEBUG_INFO_BTF=y, or --btf FILE, or --elf VMLINUX with debug information";
    return error;
  }
  utsname kernel{};
  ::uname(&kernel);
  if (path == kKernelBtf) return from_bytes(file->bytes(), "BTF of the running kernel " + std::string(kernel.release));
  if (is_btf(file->bytes()) && !path.starts_with("/sys/kernel/btf/")) return from_bytes(file->bytes(), path);

  silence_libbpf();
  auto impl = std::make_unique<Impl>();
  impl->source = path;
  if (is_btf(file->bytes())) {  // a module
    impl->base.reset(btf__parse(kKernelBtf, nullptr));
    if (impl->base == nullptr) return unreadable(kKernelBtf, -errno);
    impl->btf.reset(btf__parse_split(path.c_str(), impl->base.get()));
  } else {
    impl->btf.reset(btf__parse_elf(path.c_str(), nullptr));
  }
  if (impl->btf == nullptr) return unreadable(path, -errno);
  return BtfReader(std::move(impl));
}

Result<StructLayout> BtfReader::find(std::string_view type) const {
  const TypeRequest request = parse_type_request(type);
  const auto [id, is_typedef] = request.name.empty() ? std::pair{0U, false} : impl_->lookup(request);
  if (id == 0) return unknown_type(request, names(), impl_->source);
  auto layout = btf_layout(impl_->btf.get(), id, request.name + " in " + impl_->source);
  if (!layout) return layout;
  if (is_typedef && layout->name.empty()) {
    layout->name = request.name;
    layout->is_typedef = true;
  }
  layout->source = impl_->source;
  return layout;
}

std::vector<std::string> BtfReader::names() const {
  std::vector<std::string> names;
  const std::uint32_t count = btf__type_cnt(impl_->btf.get());
  for (std::uint32_t id = 1; id < count; ++id) {
    const btf_type* t = btf__type_by_id(impl_->btf.get(), id);
    if (!btf_is_composite(t)) continue;
    const char* name = btf__name_by_offset(impl_->btf.get(), t->name_off);
    if (name != nullptr && *name != 0) names.emplace_back(name);
  }
  return names;
}

}  // namespace hitmark
