// The engine's insides. order.cpp: whose turn it is. access.cpp: what an access does to lines and caches. price.cpp:
// what it costs and where it is counted. engine.cpp: the interface and the path of hits.
#pragma once

#include <exception>
#include <queue>

#include "harness/simulator/engine/cpu.hpp"
#include "harness/simulator/engine/engine.hpp"
#include "harness/simulator/engine/fiber.hpp"
#include "harness/simulator/engine/timing.hpp"
#include "harness/simulator/engine/tlb.hpp"

namespace hitmark::simulator {

// How far a CPU may run without its turn: a spin loop that does not say that it is one must not run for ever.
inline constexpr Picoseconds kHorizon = 10'000'000;

struct Engine::State {
  struct Price {
    Picoseconds clock = 0, start = 0, done = 0;  // dispatched; the address is known; the line is there
    bool plain = false;  // an L1 hit that has nothing to do with what is in flight: it costs its instruction
  };

  State(const MachineModel& machine, std::uintptr_t memory_base, std::vector<Home> homes, std::vector<bool> huge,
        std::vector<unsigned> os_cpus, EngineOptions options);

  // Order.
  bool run(const std::function<void(unsigned cpu)>& body);
  static void run_fiber(void* state, unsigned cpu);
  void begin(Cpu& c, Picoseconds time);
  [[noreturn]] void finish(Cpu& c);
  void set_speed(Cpu& c);  // by how many threads of its core are active
  void wait(Cpu& c, bool ordered);
  void wait_turn(Cpu& c);  // of a core with one CPU
  void wait_lockstep(Cpu& c);
  void in_turn(Cpu& c);      // whose last_key is told
  void take_turn(Cpu& c);    // the same at its clock: nothing that comes before it is still to happen
  unsigned next_of(Cpu& e);  // the CPU to go on when `e` is the earliest of its unit
  void switch_to(Cpu& from, unsigned to);
  void set_attention(Cpu& c);

  // Accesses.
  void other(Cpu& c, const Access& access, Key key, std::uintptr_t line);
  [[gnu::noinline]] void far(Cpu& c, const Access& access, Key key);
  void hit_in_order(Cpu& c, const Access& access, Key key, const Near& near);
  bool unrelated(const Cpu& c, const Access& access, Picoseconds clock) const;
  void remember(Cpu& c, LineRecord& record, Line line);
  void slow(Cpu& c, const Access& access);
  // How the L1 or, in `outcome`, the memory served an access.
  enum class Done : std::uint8_t { kNot, kL1, kElsewhere };
  Done ahead(Cpu& c, LineRecord& record, Line line, bool write);
  Done in_order(Cpu& c, LineRecord& record, Line line, bool write);
  void classify(Cpu& c, LineRecord& record, Line line, bool write);
  void make_shared(Cpu& c, LineRecord& record, Line line);
  void check_recall(Cpu& c, const Outcome::Eviction& recall);
  bool filled_past(const Cpu& c, unsigned core, Line line);
  bool ran_past(const Cpu& c, const LineRecord& record) const;
  void forget(Line line);
  Key& last_fill(unsigned core, Line line) { return last_fill_[core * l1_sets + memory.l1_set(line)]; }
  std::uint8_t& held_shared(unsigned core, Line line) { return held_shared_[core * l1_sets + memory.l1_set(line)]; }

  // Price and count.
  void charge(Cpu& c, const Access& access, LineRecord& record, Line line, bool l1);
  void see(Cpu& c, const Access& access, Word& word, SharedLine& line);
  Tlb::Level translate(Cpu& c, std::uint32_t page);
  Word& count(Cpu& c, const Access& access, LineRecord& record);
  void price_load(Cpu& c, const Access& access, Line line, const Price& price, Traffic* traffic);
  void price_locked(Cpu& c, const Price& price, Traffic& traffic);
  bool account(Cpu& c, Traffic& t, Line line, bool write);
  std::uint64_t Traffic::*sharing_of(const Cpu& c, const SharedLine& line, std::uint64_t bytes, bool write) const;
  void account_recall();
  void account_losses(SharedLine& line, const CoreSet& lost, std::uint64_t Traffic::*counter);
  // A line in the L1 that the other thread has written since this one used it, or used last when this one writes.
  bool taken_from_sibling(const Cpu& c, const SharedLine& line, bool write) const;
  void spend_instructions(Cpu& c, double instructions);
  void relax(Cpu& c);

  MachineModel machine;
  EngineOptions options;
  std::uintptr_t base, first_line;  // host address, and that / 64
  Line line_count;
  CoherentMemory memory;
  Lines lines;
  Tlb tlb;
  Timing timing;
  unsigned l1_sets;
  Picoseconds l1_time, lock_time, tlb_l2_time, tlb_walk_time, pause_time;
  std::vector<Cpu> cpus;
  Cpu nobody;                              // stands for a sibling that there is not
  std::vector<Key> last_fill_;             // of an L1 set, ahead of the order
  std::vector<std::uint8_t> held_shared_;  // an L1 set has held a shared line
  Outcome outcome;                         // of the current access, when the L1 did not serve it
  bool was_surprised = false;

  Fibers fibers;
  Tournament turns;                                                       // run-ahead
  std::priority_queue<Key, std::vector<Key>, std::greater<Key>> waiting;  // lockstep
  const std::function<void(unsigned)>* body = nullptr;
  std::exception_ptr thrown;
  unsigned running = 0;
  std::uint64_t ordered_accesses = 0, switches = 0, accesses_before = 0;
};

// Which bytes of a line with several users this CPU has accessed, for those who take it away. Of a core's threads that
// read what nobody has written yet, the first counts as the last: hits there are not followed.
inline void Engine::State::see(Cpu& c, const Access& access, Word& word, SharedLine& line) {
  CoreView& view = line.by_core[c.core];
  const std::uint64_t bytes = word.bytes;
  if (line.written || access.kind != AccessKind::kLoad || (view.read | view.written) == 0)
    view.last_cpu = static_cast<std::uint16_t>(c.number);
  if (access.kind != AccessKind::kStore) view.read |= bytes;
  if (access.kind == AccessKind::kLoad) {
    if (view.writer != c.number_plus_one) view.writer = 0;  // now both threads have it
    return;
  }
  line.written = true;
  view.written |= bytes;
  view.writer = c.number_plus_one;
}

inline bool Engine::State::taken_from_sibling(const Cpu& c, const SharedLine& line, bool write) const {
  if (!c.sibling->active) return false;
  const CoreView& view = line.by_core[c.core];
  if (view.last_cpu == c.number) return false;
  return write || (view.writer != 0 && view.writer != c.number_plus_one);
}

inline void Engine::State::wait_turn(Cpu& c) {
  if (turns.winner() == c.key) return;  // it has it already
  const unsigned next = cpu_of(turns.replace(c.unit, c.key));
  if (next != c.number) {  // who comes back from there has its turn
    ++switches;
    fibers.switch_to(c.number, next);
  }
  ++ordered_accesses;
  c.horizon = c.key + (kHorizon << kCpuBits);
}

}  // namespace hitmark::simulator
