// For tests: random accesses of all CPUs of a Rome whose caches and directory are so small that lines evict and
// recall each other all the time, each load checked against the last store and all invariants now and then.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "harness/simulator/memory/coherent_memory_access.hpp"
#include "harness/simulator/memory/coherent_memory_check.hpp"
#include "harness/simulator/memory/coherent_memory_evict.hpp"
#include "harness/simulator/memory/versions.hpp"

namespace hitmark::simulator {

// Bits 0 to 3: migratory, forwarder, broadcast, a limited directory.
inline ProtocolSwitches switches_of(unsigned bits, unsigned directory_entries) {
  return {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) == 0, (bits & 8) != 0 ? directory_entries : 0};
}

inline std::vector<Home> spread_homes(const MachineModel& machine, Line lines) {
  std::vector<Home> homes(lines);
  for (Line line = 0; line < lines; ++line) {
    const unsigned place = line * 2654435761u >> 8;
    homes[line] = {static_cast<std::uint8_t>(place % machine.sockets),
                   static_cast<std::uint8_t>(place / 2 % machine.quadrants),
                   static_cast<std::uint8_t>(place / 8 % machine.channels_per_quadrant)};
  }
  return homes;
}

// 2 sockets, 32 CCXs, 128 cores of one thread each.
inline MachineModel small_rome(unsigned switches) {
  MachineModel machine;
  machine.threads_per_core = 1;
  machine.l1 = CacheGeometry{2, 2};
  machine.l2 = CacheGeometry{4, 2, (switches & 1) != 0 ? Replacement::kLru : Replacement::kTreePlru};
  machine.l3 = CacheGeometry{4, 4};
  machine.protocol = switches_of(switches, 5);
  return machine;
}

class RandomRun {
 public:
  RandomRun(const MachineModel& machine, std::uint64_t seed, Line lines = 128)
      : machine_(machine), lines_(lines), memory_(machine, spread_homes(machine, lines)), random_(seed * 2 + 1) {
    memory_.data().begin(lines);
  }

  // Empty, or what went wrong.
  std::string go(std::uint64_t accesses) {
    Outcome outcome;
    for (std::uint64_t n = 0; n < accesses; ++n) {
      // A quarter of the accesses to eight hot lines. Three quarters by one CCX for a while, so that it evicts.
      const std::uint64_t bits = next();
      if ((bits >> 54) == 0) busy_ccx_ = static_cast<unsigned>(next() % machine_.ccxs());
      const auto line = static_cast<Line>((bits >> 8 & 3) == 0 ? bits >> 16 & 7 : (bits >> 16) % lines_);
      const auto anywhere = static_cast<unsigned>((bits >> 40) % machine_.cores());
      const unsigned core =
          (bits >> 10 & 3) == 0 ? anywhere : busy_ccx_ * machine_.cores_per_ccx + anywhere % machine_.cores_per_ccx;
      const bool write = (bits & 3) == 0;
      ++accesses_;
      if (memory_.hit_l1(core, line, write)) {
        ++served_[0];
      } else {
        memory_.access(core, line, write, outcome);
        ++served_[static_cast<unsigned>(outcome.served)];
        l3_victims_ += outcome.l3_victim.happened ? 1 : 0;
        write_backs_ += outcome.l3_victim.happened && outcome.l3_victim.written_back ? 1 : 0;
        recalls_ += outcome.recall.happened ? 1 : 0;
        broadcasts_ += outcome.broadcast ? 1 : 0;
      }
      if (!memory_.data().violation().empty()) return at() + memory_.data().violation();
      if (accesses_ % check_every_ != 0) continue;
      if (const std::string violated = memory_.violated_invariant(); !violated.empty()) return at() + violated;
    }
    return "";
  }

  // A run that never evicts, recalls or broadcasts shows nothing of these.
  bool saw_everything() const {
    for (const std::uint64_t count : served_)
      if (count == 0) return false;
    return l3_victims_ != 0 && write_backs_ != 0 && (recalls_ != 0) == (machine_.protocol.directory_entries != 0) &&
           (broadcasts_ != 0) == !machine_.protocol.precise;
  }
  std::string summary() const {
    static constexpr const char* kNames[] = {"L1", "L2", "L3", "core", "remote", "DRAM", "upgrade"};
    std::string text = std::to_string(accesses_) + " accesses:";
    for (unsigned kind = 0; kind < 7; ++kind)
      text += std::string(" ") + kNames[kind] + " " + std::to_string(served_[kind]);
    return text + ", L3 victims " + std::to_string(l3_victims_) + " (" + std::to_string(write_backs_) +
           " written back), recalls " + std::to_string(recalls_) + ", broadcasts " + std::to_string(broadcasts_);
  }

 private:
  std::uint64_t next() {  // splitmix64
    std::uint64_t z = (random_ += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }
  std::string at() const { return "after " + std::to_string(accesses_) + " accesses: "; }

  MachineModel machine_;
  Line lines_;
  BasicCoherentMemory<Protocol, Versions> memory_;
  std::uint64_t random_, accesses_ = 0;
  // A check walks all of the caches.
  std::uint64_t check_every_ = machine_.l3.sets * machine_.l3.ways <= 64 ? 10'000 : 20'000'000;
  unsigned busy_ccx_ = 0;
  std::uint64_t served_[7] = {};
  std::uint64_t l3_victims_ = 0, write_backs_ = 0, recalls_ = 0, broadcasts_ = 0;
};

}  // namespace hitmark::simulator
