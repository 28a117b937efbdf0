// Raw BTF from anywhere: every type that it names is read, printed and compared with itself.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "analysis/layout/btf_reader.hpp"
#include "analysis/layout/diff_text.hpp"
#include "analysis/layout/layout_diff.hpp"
#include "analysis/layout/pahole_text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto reader = hitmark::BtfReader::from_bytes(bytes, "fuzz");
  if (!reader) return 0;
  std::size_t left = 64;
  for (const std::string& name : reader->names()) {
    if (left-- == 0) break;
    const auto layout = reader->find(name);
    if (!layout) continue;
    if (hitmark::pahole_text(*layout).empty()) std::abort();
    const auto diff = hitmark::diff_layouts(*layout, *layout);
    if (hitmark::diff_text(diff).empty()) std::abort();
  }
  (void)reader->find("a type that is hardly there");  // mutated input may well hold one of that name
  return 0;
}
