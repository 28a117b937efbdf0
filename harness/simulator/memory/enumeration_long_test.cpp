// The walks over all states that take minutes: more lines, ways and CCXs than the smallest machine has.
#include <gtest/gtest.h>

#include "harness/simulator/memory/expect_coherent.hpp"

namespace hitmark::simulator {
namespace {

TEST(LongEnumeration, ThreeLinesOnTwoEntriesForEverySwitch) {
  for (const ProtocolSwitches& switches : switches_of_every_kind()) {
    if (switches.directory_entries == 0) continue;
    MachineModel machine = tiny_machine();
    machine.protocol = switches;
    machine.protocol.directory_entries = 2;
    expect_coherent(machine, 3, 30000);
  }
}

TEST(LongEnumeration, ThreeLinesOnTwoEntriesWithTwoThreadsPerCore) {
  MachineModel machine = tiny_machine();
  machine.threads_per_core = 2;
  machine.protocol.directory_entries = 2;
  expect_coherent(machine, 3, 30000);
}

TEST(LongEnumeration, ThreeCcxs) {
  for (const ProtocolSwitches& switches : switches_of_every_kind()) {
    MachineModel machine = tiny_machine();
    machine.ccxs_per_quadrant = 3;
    machine.cores_per_ccx = switches.directory_entries == 1 ? 2 : 1;
    machine.protocol = switches;
    expect_coherent(machine, 2, 50);
  }
}

// Whose replacement state is part of the state.
TEST(LongEnumeration, TwoWaysOfEitherReplacement) {
  for (const Replacement replacement : {Replacement::kTreePlru, Replacement::kLru}) {
    MachineModel machine = tiny_machine();
    machine.cores_per_ccx = 1;
    machine.l2 = CacheGeometry{1, 2, replacement};
    machine.protocol.directory_entries = 2;
    expect_coherent(machine, 3, 500);
    machine.cores_per_ccx = 2;
    machine.protocol.directory_entries = 0;
    machine.l3 = CacheGeometry{0, 0};
    expect_coherent(machine, 2, 500);
  }
}

}  // namespace
}  // namespace hitmark::simulator
