#include "harness/simulator/engine/engine.hpp"

#include <algorithm>

#include "harness/simulator/engine/load_value.hpp"
#include "harness/simulator/engine/state.hpp"
#include "support/check.hpp"

namespace hitmark::simulator {

// Pointers that the L1 serves, each loaded by way of the one before, follow each other at its latency. That is no
// stall while the window has room for it; else this is false.
[[gnu::always_inline]] inline bool follow_chain(Cpu& c, const Access& access, Picoseconds clock) {
  if (access.size != sizeof c.chain_value || access.address / 64 == c.line_before) return true;
  if (access.address - c.chain_value < kPointerReach && c.chain_ready > clock) {
    const Picoseconds ready = c.chain_ready + c.l1_time;
    if (ready > clock + c.window_time) return false;
    c.chain_ready = ready;
  } else {
    c.chain_ready = clock + c.l1_time;
  }
  c.chain_value = load_value(access.address);
  return true;
}

// A hit in the L1 on what no other core can see.
[[gnu::always_inline]] inline bool hit(Cpu& c, const Access& access, Key key, const Near& near) {
  const std::uintptr_t line = near.line;
  Words* words = near.words;
  const unsigned word = words->index[access.address % 64];
  if (!near.in_l1() || word == 0) return false;
  const auto kind = static_cast<unsigned>(access.kind);
  if (access.kind == AccessKind::kLoad) {
    if (!follow_chain(c, access, time_of(key))) return false;
  } else if (near.writable != line || access.kind == AccessKind::kLockedReadModifyWrite) {
    return false;
  }
  words->last = static_cast<std::uint8_t>(word);
  ++words->word(word).accesses[kind];
  near.touch();
  near.tlb->used = key;
  c.key = key;
  c.words = words;
  c.line_before = c.recent[0] = line;
  c.recent[1] = c.recent[2] = near.writable;
  return true;
}

// Whether a hit has nothing to do with what is in flight, and need not wait for it.
bool Engine::State::unrelated(const Cpu& c, const Access& access, Picoseconds clock) const {
  const auto line = static_cast<Line>(access.address / 64 - first_line);
  return c.instruction() < c.window_end &&
         c.flight->unrelated(access.address, line, clock, access.kind != AccessKind::kLoad);
}

// On a shared line. What turns out to be no hit when the CPU has its turn goes the long way, which asks for the turn
// again without a switch.
void Engine::State::hit_in_order(Cpu& c, const Access& access, Key key, const Near& near) {
  const std::uintptr_t line = near.line;
  const bool write = access.kind != AccessKind::kLoad;
  Words* words = near.words;
  const unsigned word = words->index[access.address % 64];
  const Picoseconds clock = time_of(key);
  const bool busy = c.busy_until > clock;
  if (word == 0 || access.kind == AccessKind::kLockedReadModifyWrite || (busy && !unrelated(c, access, clock)))
    return far(c, access, key);
  c.last_key = c.key;
  c.key = key;
  if (c.core_cpus == 1)
    wait_turn(c);
  else
    wait(c, true);
  if (near.line != line || !near.in_l1() || (write && near.state() != LineState::kM) ||
      (c.core_cpus == 2 && taken_from_sibling(c, *near.record->many, write)) ||
      (!write && !follow_chain(c, access, clock)))
    return slow(c, access);
  near.touch();
  near.tlb->used = key;
  c.line_before = line;
  c.forget_recent();
  c.due = std::min(c.horizon, c.sibling->key);
  c.attention = busy ? 0 : c.due;
  words->last = static_cast<std::uint8_t>(word);
  Word& counted = words->word(word);
  ++counted.accesses[static_cast<unsigned>(access.kind)];
  see(c, access, counted, *near.record->many);
}

// After the slow path, for the next time.
void Engine::State::remember(Cpu& c, LineRecord& record, Line line) {
  const unsigned slot = c.tlb_slots[record.page];
  const int way = memory.find_l1(c.core, line);
  std::uint8_t keep = 0, away = 0;
  if (slot == 0 || way < 0 || !memory.l1().small_tree(way, keep, away)) return;
  Near& near = c.near[near_index(first_line + line)];
  near = {.line = first_line + line,
          .set = memory.l1_entries(c.core, line),
          .tlb = &c.tlb_entries[slot - 1],
          .words = c.words,
          .record = &record,
          .key = CacheArray::key(line),
          .page = record.page + 1,
          .way = static_cast<std::uint8_t>(way),
          .keep = keep,
          .away = away,
          .ordered = record.line_class == LineClass::kShared};
  if (!record.shared() && record.written && near.state() == LineState::kM) near.writable = near.line;
}

// A leaf function but for the calls at its ends: it is what most accesses cost.
void Engine::State::other(Cpu& c, const Access& access, Key key, std::uintptr_t line) {
  const Near& near = c.near[near_index(line)];
  if (near.line == line) [[likely]] {
    if (near.ordered) {
      if (key < c.due) return hit_in_order(c, access, key, near);
    } else if (key < c.attention && hit(c, access, key, near)) [[likely]] {
      return;
    }
  }
  far(c, access, key);
}

void Engine::State::far(Cpu& c, const Access& access, Key key) {
  const std::uintptr_t line = access.address / 64;
  const Near& near = c.near[near_index(line)];
  if (key < c.due && key >= c.attention && near.line == line && !near.ordered) {
    const Picoseconds clock = time_of(key);
    if (c.busy_until <= clock) c.attention = c.due;
    if ((c.busy_until <= clock || unrelated(c, access, clock)) && hit(c, access, key, near)) return;
  }
  c.last_key = c.key;
  c.key = key;
  slow(c, access);
}

void Engine::on_access(unsigned cpu, const Access& access) {
  Cpu& c = cpus_[cpu];
  const auto kind = static_cast<unsigned>(access.kind);
  const std::uintptr_t line = access.address / 64;
  const Key key = c.key + c.quantum;
  ++c.accesses;
  c.signature = access_signature(c.signature, kind, access.size);
  if (key < c.attention && line == c.recent[kind]) [[likely]] {
    Words* words = c.words;
    if (const unsigned word = words->index[access.address % 64]; word != 0) [[likely]] {
      words->last = static_cast<std::uint8_t>(word);
      c.key = key;
      ++words->word(word).accesses[kind];
      return;
    }
  }
  state_->other(c, access, key, line);
}

Engine::Engine(const MachineModel& machine, std::uintptr_t memory_base, std::vector<Home> homes, std::vector<bool> huge,
               std::vector<unsigned> os_cpus, EngineOptions options)
    : state_(std::make_unique<State>(machine, memory_base, std::move(homes), std::move(huge), std::move(os_cpus),
                                     std::move(options))),
      cpus_(state_->cpus.data()) {}
Engine::~Engine() = default;

bool Engine::run(const std::function<void(unsigned cpu)>& body) { return state_->run(body); }
const std::vector<bool>& Engine::shared_lines() const { return state_->options.shared_lines; }
bool Engine::surprised() const { return state_->was_surprised; }
void Engine::on_relax(unsigned cpu) { state_->relax(state_->cpus[cpu]); }
void Engine::spend_instructions(unsigned cpu, double instructions) {
  state_->spend_instructions(state_->cpus[cpu], instructions);
}
void Engine::spend(unsigned cpu, Picoseconds time) { state_->cpus[cpu].key += time << kCpuBits; }
void Engine::in_turn(unsigned cpu) { state_->take_turn(cpus_[cpu]); }
Engine::Path Engine::take_path(unsigned cpu) {
  Cpu& c = cpus_[cpu];
  const Path path{static_cast<std::uint32_t>(c.accesses - c.accesses_at_path), c.signature};
  c.accesses_at_path = c.accesses;
  c.signature = kSignatureStart;
  return path;
}
Picoseconds Engine::now(unsigned cpu) const { return state_->cpus[cpu].clock(); }
const CoherentMemory& Engine::memory() const { return state_->memory; }

std::vector<Engine::Row> Engine::traffic() const {
  std::vector<Row> rows;
  state_->lines.for_each([&rows](Line line, unsigned cpu, Words& words) {
    for (unsigned i = 1; i <= words.count; ++i) {
      const Word& word = words.word(i);
      const Traffic traffic = total(word);
      if (traffic == Traffic{}) continue;
      rows.push_back({cpu, std::uint64_t{line} * 64 + word.offset, word.size, traffic});
    }
  });
  std::sort(rows.begin(), rows.end(),
            [](const Row& a, const Row& b) { return a.cpu != b.cpu ? a.cpu < b.cpu : a.offset < b.offset; });
  return rows;
}

Picoseconds Engine::stall(unsigned cpu, std::uintptr_t address) const {
  LineRecord& record = state_->lines[static_cast<Line>((address - state_->base) / 64)];
  Words* words = record.only == state_->cpus[cpu].number_plus_one ? record.words : nullptr;
  if (record.shared()) words = record.many->by_cpu[cpu];
  const unsigned word = words ? words->index[address % 64] : 0;
  return word != 0 && words->word(word).detail ? words->word(word).detail->stall : 0;
}

void Engine::clear_traffic() {
  state_->lines.for_each([](Line, unsigned, Words& words) { words.clear(); });
}

void Engine::clear_traffic(unsigned cpu) {
  Cpu& c = state_->cpus[cpu];
  state_->take_turn(c);  // what others took from it until now has been counted
  state_->lines.clear(cpu);
}

Engine::Work Engine::work() const {
  Work work{.accesses = 0, .ordered = state_->ordered_accesses, .switches = state_->switches};
  for (const Cpu& c : state_->cpus) work.accesses += c.accesses;
  return work;
}

}  // namespace hitmark::simulator
