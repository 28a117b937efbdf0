// Any text is a table or an Error that says where.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "harness/simulator/instructions/instruction_table.hpp"
#include "support/check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hitmark::simulator;
  const auto table = InstructionTable::parse({reinterpret_cast<const char*>(data), size}, "fuzzed");
  if (!table) {
    HITMARK_CHECK(!table.error().message.empty(), "an error without a message");
    return 0;
  }
  for (const InstructionTable::Entry& entry : table->entries())
    for (const InstructionPath& path : entry.counts.paths())
      HITMARK_CHECK(entry.counts.look_up(path.accesses, path.signature).exact, "a path of the table is not found");
  return 0;
}
