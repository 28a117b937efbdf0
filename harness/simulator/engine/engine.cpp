#include "harness/simulator/engine/engine.hpp"

#include <algorithm>

#include "harness/simulator/engine/load_value.hpp"
#include "harness/simulator/engine/state.hpp"
#include "support/check.hpp"

namespace hitmark::simulator {

// A hit on what no other core can see, other than on the line of the access before: that line's end is written down.
inline bool Engine::State::hit(Cpu& c, const Access& access, Key key) {
  const std::uintptr_t line_address = access.address / 64;
  const auto line = static_cast<Line>(line_address - first_line);
  if (line_address - first_line >= line_count) return false;
  LineRecord& record = lines[line];
  const bool write = access.kind != AccessKind::kLoad;
  const bool mine = record.only == c.number_plus_one;
  if (access.kind == AccessKind::kLockedReadModifyWrite) return false;
  Words* words = record.words;
  if (!mine) {
    if (record.line_class != LineClass::kReadOnly || write) return false;
    SharedLine& both = lines.shared(record);
    words = both.by_cpu[c.number];
    if (!words) return false;
    both.by_core[c.core].last_cpu = static_cast<std::uint16_t>(c.number);
  } else if (!words || (write && !record.written)) {
    return false;
  }
  const unsigned word = words->index[access.address % 64];
  if (word == 0) return false;
  Picoseconds ready = time_of(key);
  const bool chained = access.kind == AccessKind::kLoad && line_address != c.line_before;
  if (chained) {
    if (access.address - c.chain_value < kPointerReach && c.chain_ready > ready) {
      if (c.chain_ready + l1_time > ready + c.window_time) return false;
      ready = c.chain_ready;
    }
  }
  if (!tlb.hit(c.core, record.page, key)) return false;
  if (!memory.hit_l1(c.core, line, write)) return false;
  if (chained) {
    c.chain_ready = ready + l1_time;
    c.chain_value = load_value(access.address);
  }
  if (c.record->last < c.last_key) c.record->last = c.last_key;
  c.record = &record;
  c.line_before = line_address;
  const std::uintptr_t writable = mine && write ? line_address : kNoLine;
  c.recent = {line_address, writable, writable, kNoLine};
  c.words = words;
  c.key = c.last_key = key;
  words->last = static_cast<std::uint8_t>(word);
  ++words->word(word).accesses[static_cast<unsigned>(access.kind)];
  return true;
}

void Engine::on_access(unsigned cpu, const Access& access) {
  State& state = *state_;
  Cpu& c = state.cpus[cpu];
  ++c.accesses;
  const Key key = c.key + c.quantum;
  if (key < c.attention) [[likely]] {
    if (access.address / 64 == c.recent[static_cast<unsigned>(access.kind)]) [[likely]] {
      Words* words = c.words;
      const unsigned word = words->index[access.address % 64];
      if (word != 0) [[likely]] {
        words->last = static_cast<std::uint8_t>(word);
        c.key = c.last_key = key;
        ++words->word(word).accesses[static_cast<unsigned>(access.kind)];
        return;
      }
    } else if (state.hit(c, access, key)) {
      return;
    }
  }
  c.key = key;
  state.slow(c, access);
}

Engine::Engine(const MachineModel& machine, std::uintptr_t memory_base, std::vector<Home> homes,
               std::vector<bool> huge, std::vector<unsigned> os_cpus, EngineOptions options)
    : state_(std::make_unique<State>(machine, memory_base, std::move(homes), std::move(huge), std::move(os_cpus),
                                     std::move(options))) {}
Engine::~Engine() = default;

bool Engine::run(const std::function<void(unsigned cpu)>& body) { return state_->run(body); }
const std::vector<bool>& Engine::shared_lines() const { return state_->options.shared_lines; }
bool Engine::surprised() const { return state_->was_surprised; }
void Engine::on_relax(unsigned cpu) { state_->relax(state_->cpus[cpu]); }
void Engine::spend_instructions(unsigned cpu, double instructions) {
  state_->spend_instructions(state_->cpus[cpu], instructions);
}
void Engine::spend(unsigned cpu, Picoseconds time) { state_->cpus[cpu].key += time << kCpuBits; }
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

void Engine::clear_traffic() {
  state_->lines.for_each([](Line, unsigned, Words& words) { words.clear(); });
}

Engine::Work Engine::work() const {
  Work work{.accesses = 0, .ordered = state_->ordered_accesses, .switches = state_->switches};
  for (const Cpu& c : state_->cpus) work.accesses += c.accesses;
  return work;
}

}  // namespace hitmark::simulator
