// Structs as BTF describes them: the running kernel's, a raw .btf file's or an ELF file's .BTF section.
// BTF has no alignment attributes and does not tell `T x[0]` from `T x[]` (the last member is taken as the
// latter). btf_reader.cpp and btf_layout.cpp alone know libbpf.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/layout/struct_layout.hpp"

namespace hitmark {

inline constexpr const char* kKernelBtf = "/sys/kernel/btf/vmlinux";

class BtfReader {
 public:
  // Modules' files in /sys/kernel/btf are read on top of the kernel's own.
  static Result<BtfReader> open(const std::string& path = kKernelBtf);
  // Raw BTF; `source` is what it is called in layouts and errors.
  static Result<BtfReader> from_bytes(std::string_view bytes, const std::string& source);

  BtfReader(BtfReader&&) noexcept;
  ~BtfReader();

  // `type` is "x" (struct, union or typedef of one, in this order), "struct x" or "union x". The first
  // definition counts, as with pahole. An unknown name is a kUsage error that names the nearest ones.
  Result<StructLayout> find(std::string_view type) const;

  // Every struct and union that has a name, in the order of the types.
  std::vector<std::string> names() const;

 private:
  struct Impl;
  explicit BtfReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace hitmark
