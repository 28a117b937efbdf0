// All states of the real caches on the smallest machine on which lines evict and recall each other.
#include "harness/simulator/memory/enumeration.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace hitmark::simulator {
namespace {

std::string name_of(const MachineModel& machine) {
  const ProtocolSwitches& switches = machine.protocol;
  std::string name = std::string(switches.migratory ? "migratory" : "plain") +
                     (switches.forwarder ? ", forwarder" : "") + (switches.precise ? ", precise" : ", broadcast") +
                     ", directory of " +
                     (switches.directory_entries ? std::to_string(switches.directory_entries) : "any size");
  if (machine.l3.ways == 0) name += ", no L3";
  if (machine.threads_per_core > 1) name += ", two threads per core";
  return name;
}

std::vector<ProtocolSwitches> all_switches() {
  std::vector<ProtocolSwitches> all;
  for (unsigned bits = 0; bits < 16; ++bits)
    all.push_back({(bits & 1) != 0, (bits & 2) != 0, (bits & 4) == 0, (bits & 8) != 0 ? 0u : 1u});
  return all;
}

// Fewer states than this means that the walk did not go where it should.
void expect_coherent(const MachineModel& machine, Line lines, std::size_t at_least) {
  const Enumeration found = enumerate<Protocol>(machine, lines);
  std::printf("%8zu states, %9zu accesses: %u lines, %s\n", found.states, found.accesses, lines,
              name_of(machine).c_str());
  EXPECT_EQ(found.violation, "") << name_of(machine) << ": " << found.accesses_to_it;
  EXPECT_GE(found.states, at_least) << name_of(machine);
}

// With one entry a line's first access recalls the other line; without a limit the two evict each other.
TEST(Enumeration, EveryStateIsCoherentForEverySwitch) {
  for (const ProtocolSwitches& switches : all_switches()) {
    MachineModel machine = tiny_machine();
    machine.protocol = switches;
    expect_coherent(machine, 2, switches.directory_entries == 1 ? 50 : 5000);
  }
}

// Both at once: three lines on two entries.
TEST(Enumeration, EveryStateIsCoherentWhenLinesEvictAndRecallEachOther) {
  for (const ProtocolSwitches& switches : all_switches()) {
    if (switches.directory_entries == 0) continue;
    MachineModel machine = tiny_machine();
    machine.protocol = switches;
    machine.protocol.directory_entries = 2;
    expect_coherent(machine, 3, 10000);
  }
}

TEST(Enumeration, EveryStateIsCoherentWithoutAnL3) {
  for (const ProtocolSwitches& switches : all_switches()) {
    MachineModel machine = tiny_machine();
    machine.l3 = CacheGeometry{0, 0};
    machine.protocol = switches;
    expect_coherent(machine, 2, switches.directory_entries == 1 ? 50 : 900);
  }
}

// The threads of a core share its caches, so the states are those of one thread, reached by twice the accesses.
TEST(Enumeration, EveryStateIsCoherentWithTwoThreadsPerCore) {
  for (const unsigned entries : {1u, 0u}) {
    MachineModel machine = tiny_machine();
    machine.threads_per_core = 2;
    machine.protocol.directory_entries = entries;
    expect_coherent(machine, 2, entries == 1 ? 50 : 5000);
  }
}

}  // namespace
}  // namespace hitmark::simulator
