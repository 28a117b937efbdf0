// Files: damaged XML never ends the reader, and an accepted topology holds together. hwloc runs in the
// reader's child process, as in the program, so a crash of hwloc's own is a refusal here too.
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>

#include "support/check.hpp"
#include "topology/hwloc_reader.hpp"
#include "topology/placement.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string path = "/dev/shm/hitmark_fuzz_" + std::to_string(::getpid()) + ".xml";
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  const auto machine = hitmark::read_topology_file(path);
  ::unlink(path.c_str());
  if (!machine) {
    HITMARK_CHECK(!machine.error().message.empty(), "an error says something");
    return 0;
  }
  for (const std::string& name : hitmark::available_placements(*machine))
    HITMARK_CHECK(hitmark::resolve_placement(*machine, name).has_value(), "what is available resolves");
  for (const char* name : {"spread:2", "fill:3", "groups:2x2", "M:scatter", "C0:0", "single@home:remote"})
    static_cast<void>(hitmark::resolve_placement(*machine, name).has_value());
  return 0;
}
