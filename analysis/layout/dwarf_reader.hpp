// Structs as the DWARF of an ELF file describes them: of this program (its kernel variants), a vmlinux, a
// module. Members of type Cell<T> (kernels/memory/cell.hpp) appear as the T that they stand for.
// dwarf_reader.cpp and dwarf_layout.cpp alone know elfutils.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "analysis/layout/struct_layout.hpp"

namespace hitmark {

inline constexpr const char* kOwnProgram = "/proc/self/exe";

class DwarfReader {
 public:
  // A file without debug information is kUnavailable.
  static Result<DwarfReader> open(const std::string& path = kOwnProgram);
  static Result<DwarfReader> from_bytes(std::string bytes, const std::string& source);

  DwarfReader(DwarfReader&&) noexcept;
  ~DwarfReader();

  // `type` is "x", "struct x", or the end of a qualified name, "b::x" for "a::(anonymous namespace)::b::x".
  // Several types that end so, or one name with different layouts, are a kUsage error that lists them.
  // Types declared inside functions are not found.
  Result<StructLayout> find(std::string_view type) const;

 private:
  struct Impl;
  explicit DwarfReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace hitmark
