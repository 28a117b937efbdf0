// All states of the real caches on the smallest machine on which lines evict and recall each other.
#include <gtest/gtest.h>

#include "harness/simulator/memory/expect_coherent.hpp"

namespace hitmark::simulator {
namespace {

// With one entry a line's first access recalls the other line; without a limit the two evict each other.
TEST(Enumeration, EveryStateIsCoherentForEverySwitch) {
  for (const ProtocolSwitches& switches : switches_of_every_kind()) {
    MachineModel machine = tiny_machine();
    machine.protocol = switches;
    expect_coherent(machine, 2, switches.directory_entries == 1 ? 50 : 5000);
  }
}

// Both at once: three lines on two entries. Every switch: enumeration_long_test.cpp.
TEST(Enumeration, EveryStateIsCoherentWhenLinesEvictAndRecallEachOther) {
  MachineModel machine = tiny_machine();
  machine.protocol = {.migratory = true, .forwarder = false, .precise = false, .directory_entries = 2};
  expect_coherent(machine, 3, 30000);
}

TEST(Enumeration, EveryStateIsCoherentWithoutAnL3) {
  for (const ProtocolSwitches& switches : switches_of_every_kind()) {
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
