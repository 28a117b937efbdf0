// For tests: a walk over all states that is expected to find nothing, and says how far it went.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>

#include "harness/simulator/memory/enumeration.hpp"

namespace hitmark::simulator {

inline std::string name_of(const MachineModel& machine) {
  const ProtocolSwitches& switches = machine.protocol;
  std::string name = std::string(switches.migratory ? "migratory" : "plain") +
                     (switches.forwarder ? ", forwarder" : "") + (switches.precise ? ", precise" : ", broadcast") +
                     ", directory of " +
                     (switches.directory_entries ? std::to_string(switches.directory_entries) : "any size");
  if (machine.l3.ways == 0) name += ", no L3";
  if (machine.threads_per_core > 1) name += ", two threads per core";
  return name;
}

inline std::vector<ProtocolSwitches> switches_of_every_kind() {
  std::vector<ProtocolSwitches> all;
  for (unsigned bits = 0; bits < 16; ++bits)
    all.push_back({(bits & 1) != 0, (bits & 2) != 0, (bits & 4) == 0, (bits & 8) != 0 ? 0u : 1u});
  return all;
}

// Fewer states than this means that the walk did not go where it should.
inline void expect_coherent(const MachineModel& machine, Line lines, std::size_t at_least) {
  const Enumeration found = enumerate<Protocol>(machine, lines);
  std::printf("%8zu states, %9zu accesses: %u lines, %s\n", found.states, found.accesses, lines,
              name_of(machine).c_str());
  EXPECT_EQ(found.violation, "") << name_of(machine) << ": " << found.accesses_to_it;
  EXPECT_GE(found.states, at_least) << name_of(machine);
}

}  // namespace hitmark::simulator
