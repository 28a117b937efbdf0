// A simulated CPU (hardware thread) as the engine sees it. What the path of hits reads comes first.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "harness/simulator/engine/core_model.hpp"
#include "harness/simulator/engine/lines.hpp"
#include "harness/simulator/engine/scheduler.hpp"
#include "harness/simulator/engine/tlb.hpp"
#include "harness/simulator/instructions/instruction_table.hpp"

namespace hitmark::simulator {

inline constexpr std::uintptr_t kNoLine = ~std::uintptr_t{0};

// What a CPU remembers of a line that it has accessed: enough for a hit without a search.
// It says nothing of whether the line is still in the L1: that is looked up where it was.
struct alignas(64) Near {
  std::uintptr_t line = kNoLine;      // host address / 64
  std::uintptr_t writable = kNoLine;  // the same, when it may be written without asking anybody: it is in M
  std::uint32_t* set = nullptr;       // entries of the L1's set
  Tlb::Entry* tlb = nullptr;
  Words* words = nullptr;
  LineRecord* record = nullptr;
  std::uint32_t key = 0;   // CacheArray::key
  std::uint32_t page = 0;  // as in Tlb::Entry
  std::uint8_t way = 0;
  std::uint8_t keep = 0, away = 0;  // CacheArray::small_tree
  bool ordered = false;             // a shared line: in turn only

  LineState state() const { return static_cast<LineState>(set[way] ^ key); }
  bool in_l1() const { return (set[way] ^ key) < 8; }
  void touch() const {
    if (set[-1] == way) return;
    set[-1] = way;
    set[-2] = (set[-2] & keep) | away;
  }
};
static_assert(sizeof(Near) == 64);
inline constexpr unsigned kNear = 128;
// Objects of a kind lie at equal distances from each other: the multiplication keeps their lines apart.
constexpr unsigned near_index(std::uintptr_t line) { return static_cast<std::uint32_t>(line) * 2654435769u >> 25; }

struct alignas(512) Cpu {
  Key key = 0;        // clock and number
  Key quantum = 0;    // of one instruction: what an access costs at the least
  Key attention = 0;  // from here on an access must look: 0 while something is in flight, else `due`
  std::uint64_t accesses = 0;
  std::uint64_t signature = kSignatureStart;  // of the accesses since take_path()
  // Host address / 64 of the line that this CPU accessed last, by AccessKind, while that may be done again at once:
  // it is in the L1, nothing else has happened in this core since, and no other core can see it.
  std::array<std::uintptr_t, 4> recent = {kNoLine, kNoLine, kNoLine, kNoLine};
  Words* words = nullptr;                // of that line
  std::uintptr_t line_before = kNoLine;  // host address / 64 of the latest access, whatever the line's class
  std::uint64_t chain_value = 0;         // what the latest load of another line than the one before returned
  Picoseconds chain_ready = 0;           // and when
  Picoseconds window_time = 0;           // of the instructions in the window
  Picoseconds l1_time = 0;
  Key due = 0;                   // the sibling's turn, or the horizon
  Key last_key = 0;              // while suspended: not before its latest access
  Picoseconds busy_until = 0;    // when all that is in flight now is done
  std::uint64_t window_end = 0;  // the first instruction that the oldest load in flight may keep waiting
  const std::uint8_t* tlb_slots = nullptr;
  Tlb::Entry* tlb_entries = nullptr;
  std::unique_ptr<Near[]> near = std::make_unique<Near[]>(kNear);  // by near_index()
  std::unique_ptr<InFlight> flight = std::make_unique<InFlight>();
  std::uint64_t spent_instructions = 0;
  unsigned core = 0, number = 0;
  std::uint16_t number_plus_one = 0;
  bool ordered = false;  // suspended until its turn among all units, else among its core's threads
  bool active = false;

  unsigned ccx = 0, unit = 0, core_cpus = 1;
  Cpu* sibling = nullptr;  // never null: one that is not active stands for none
  Key horizon = 0;         // must not run without its turn beyond this
  Picoseconds end = 0;     // the clock when its body returned
  Limits limits;
  double ps_per_instruction = 0, fraction = 0;
  std::uint64_t accesses_at_spend = 0, accesses_at_path = 0;

  Picoseconds clock() const { return time_of(key); }
  void set_clock(Picoseconds time) { key = key_of(time, number); }
  bool busy() const { return busy_until > clock(); }
  void busy_till(Picoseconds done) { busy_until = busy_until < done ? done : busy_until; }
  std::uint64_t instruction() const { return accesses + spent_instructions; }
  void forget_recent() { recent.fill(kNoLine); }
  void forget_page(std::uint32_t page) {
    for (unsigned i = 0; i < kNear; ++i)
      if (near[i].page == page) near[i].line = kNoLine;
  }
  void forget(std::uintptr_t line) {
    if (recent[0] == line) forget_recent();
    Near& entry = near[near_index(line)];
    if (entry.line == line) entry.line = kNoLine;
  }
};

static_assert(sizeof(Cpu) == 512);

}  // namespace hitmark::simulator
