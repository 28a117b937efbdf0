// Any bytes as a machine file: an error or a machine without contradiction, of which a topology can be made.
#include <cstdlib>
#include <string_view>

#include "harness/simulator/machine/machine_fields.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace hitmark::simulator;
  const auto model = parse_machine({reinterpret_cast<const char*>(data), size}, "fuzzed");
  if (model && (!machine_contradiction(*model).empty() || !topology_of(*model))) std::abort();
  return 0;
}
