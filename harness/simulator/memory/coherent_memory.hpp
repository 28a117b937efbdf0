// The caches of a simulated machine and the states of their lines: which access is served where, who is probed,
// what is evicted. No time: timing.hpp prices what this reports. Values are not here either: they are in the
// memory of the variants, which is exact because accesses reach this in the one order that is simulated.
//
// Per core an L1D inside a private L2 (inclusive), per CCX an L3 that the L2s' victims fill, per line a directory
// entry at its home. The decisions are the pure table of protocol.hpp. Copyable, so that a test can walk all states.
#pragma once

#include <bitset>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/simulator/machine/machine_model.hpp"
#include "harness/simulator/memory/protocol.hpp"

namespace hitmark::simulator {

using Line = std::uint32_t;  // number of a 64-byte line of the simulated memory, from 0
inline constexpr unsigned kMaxCores = 128;
using CoreSet = std::bitset<kMaxCores>;

// Where a line lives. Given by the memory's owner (an address map) for every line.
struct Home {
  std::uint8_t socket = 0, quadrant = 0, channel = 0;
};

enum class Served : std::uint8_t {
  kL1,
  kL2,
  kL3,         // own CCX's L3
  kCore,       // another core of the CCX
  kRemoteCcx,  // through the home
  kDram,
  kUpgrade,    // the data was here, only ownership was missing
};

struct Outcome {
  Served served = Served::kL1;
  LineState supplied_from = LineState::kI;  // the supplier's state before (kCore, kRemoteCcx, kL3)
  LineState granted = LineState::kI;        // the requester's state after
  std::uint16_t supplier = 0;               // kCore: the core; kRemoteCcx: the CCX
  bool home_asked = false;
  bool broadcast = false;
  std::uint32_t probed_ccxs = 0;  // CCXs that the home invalidated or asked for data, not the requester's
  CoreSet invalidated;            // cores that lost the line to this access
  // Side effects on other lines, each at most once per access.
  struct Eviction {
    Line line = 0;
    bool happened = false;
    bool written_back = false;  // dirty: to its home's DRAM
    CoreSet invalidated;        // recall: cores that lost it
  };
  Eviction l2_victim;  // moved to the L3 (or dropped when the machine has none)
  Eviction l3_victim;
  Eviction recall;  // of the directory
};

class CoherentMemory {
 public:
  // `homes` by line. The machine's geometry may be tiny (tests).
  CoherentMemory(const MachineModel& machine, std::vector<Home> homes);

  // The L1's way of `line` in `core`, or -1. The hit path: no side effect.
  int find_l1(unsigned core, Line line) const;
  bool writable(unsigned core, Line line, int l1_way) const;  // M or E
  void touch_l1(unsigned core, Line line, int l1_way, bool write);  // replacement, E -> M

  // Any access of a core, hit or miss.
  void access(unsigned core, Line line, bool write, Outcome& outcome);

  LineState state(unsigned core, Line line) const;  // kI: not in its L1/L2
  LineState l3_state(unsigned ccx, Line line) const;
  // Empty when single-writer, inclusion, directory coverage and data-value invariants hold; else what does not.
  std::string violated_invariant() const;
};

}  // namespace hitmark::simulator
