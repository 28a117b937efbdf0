// Synthetic strings: no crash, no hang, and an accepted machine holds together.
#include <cstdint>
#include <string>

#include "support/check.hpp"
#include "topology/hwloc_reader.hpp"
#include "topology/placement.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto machine = hitmark::read_synthetic_topology(std::string(reinterpret_cast<const char*>(data), size));
  if (!machine) return 0;
  for (const std::string& name : hitmark::available_placements(*machine))
    HITMARK_CHECK(hitmark::resolve_placement(*machine, name).has_value(), "what is available resolves");
  return 0;
}
