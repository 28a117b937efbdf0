// A simulated CPU (hardware thread) as the engine sees it. What the hit path reads comes first.
#pragma once

#include <array>
#include <cstdint>

#include "harness/simulator/engine/core_model.hpp"
#include "harness/simulator/engine/lines.hpp"
#include "harness/simulator/engine/scheduler.hpp"

namespace hitmark::simulator {

inline constexpr std::uintptr_t kNoLine = ~std::uintptr_t{0};

struct alignas(64) Cpu {
  Key key = 0;        // clock and number
  Key quantum = 0;    // of one instruction: what an access costs at the least
  Key attention = 0;  // from here on an access must look: something is in flight, the sibling is due, or the horizon
  Key last_key = 0;   // of the latest access
  std::uint64_t accesses = 0;
  // Host address / 64 of the line that this CPU accessed last, by AccessKind, while that may be done again at once:
  // it is in the L1, nothing else has happened in this core since, and no other core can see it.
  std::array<std::uintptr_t, 4> recent = {kNoLine, kNoLine, kNoLine, kNoLine};
  Words* words = nullptr;        // of that line
  LineRecord* record = nullptr;  // of the line accessed last, whatever its class
  std::uint64_t chain_value = 0;  // what the latest load of another line than the one before returned
  Picoseconds chain_ready = 0;    // and when
  Picoseconds window_time = 0;    // of the instructions in the window
  std::uintptr_t line_before = kNoLine;  // host address / 64 of the latest access
  unsigned core = 0;
  std::uint16_t number_plus_one = 0;
  bool ordered = false;  // suspended until its turn among all units, else among its core's threads

  unsigned number = 0, ccx = 0, unit = 0, core_cpus = 1;
  Cpu* sibling = nullptr;  // never null: one that has finished stands for none
  bool active = false;
  Key horizon = 0;      // must not run without its turn beyond this
  Picoseconds end = 0;  // the clock when its body returned
  Limits limits;
  double ps_per_instruction = 0, fraction = 0;
  std::uint64_t spent_instructions = 0, accesses_at_spend = 0;
  InFlight flight;

  Picoseconds clock() const { return time_of(key); }
  void set_clock(Picoseconds time) { key = key_of(time, number); }
  std::uint64_t instruction() const { return accesses + spent_instructions; }
  void forget_recent() { recent.fill(kNoLine); }
};

}  // namespace hitmark::simulator
