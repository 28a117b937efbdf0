// An ELF file with DWARF from anywhere: the types of the fixtures are looked for, printed and compared.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "analysis/layout/diff_text.hpp"
#include "analysis/layout/dwarf_reader.hpp"
#include "analysis/layout/layout_diff.hpp"
#include "analysis/layout/pahole_text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto reader = hitmark::DwarfReader::from_bytes(std::string(reinterpret_cast<const char*>(data), size), "fuzz");
  if (!reader) return 0;
  for (const char* name : {"bits", "nested", "pointers", "aligned", "Derived", "Stock", "choice", "counter_t"}) {
    const auto layout = reader->find(name);
    if (!layout) continue;
    if (hitmark::pahole_text(*layout).empty()) std::abort();
    if (hitmark::diff_text(hitmark::diff_layouts(*layout, *layout)).empty()) std::abort();
  }
  (void)reader->find("a type that is hardly there");  // mutated input may well hold one of that name
  return 0;
}
