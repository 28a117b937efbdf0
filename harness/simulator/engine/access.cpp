// What an access does to lines and caches, and when that needs its turn.
//
// Without its turn a core may hit, or fill its L1 from its L2, on lines that only it has touched or that everybody has
// only read: that commutes with whatever other cores do, unless they do something to that very line. Replacement in an
// L1 set does not commute with losing a line of that set: sets that have held a shared line are filled in order.
#include <algorithm>

#include "harness/simulator/engine/state.hpp"
#include "support/check.hpp"

namespace hitmark::simulator {

void Engine::State::slow(Cpu& c, const Access& access) {
  const std::uintptr_t offset = access.address - base;
  const auto line = static_cast<Line>(offset / 64);
  HITMARK_CHECK(offset / 64 < line_count, "an access outside the simulated memory");
  HITMARK_CHECK(offset % 64 + access.size <= 64, "an access to two lines");
  const bool write = access.kind != AccessKind::kLoad;
  if (c.busy()) {
    c.set_clock(c.flight->window(c.clock(), c.instruction(), c.limits));
    if (access.kind == AccessKind::kLockedReadModifyWrite) c.set_clock(c.flight->drain(c.clock()));
    c.flight->retire(c.clock());
  }
  LineRecord& record = lines[line];
  bool alone = false;  // the line may be accessed again at once
  Done done = Done::kNot;
  if (options.run_ahead) {
    const bool before = record.only == 0 || record.shared();
    if (record.line_class != LineClass::kShared) done = ahead(c, record, line, write);
    if (done == Done::kNot) done = in_order(c, record, line, write);
    if (!before && record.shared()) forget(line);  // its only CPU was another
    alone = record.only == c.number_plus_one || record.line_class == LineClass::kReadOnly;
  } else {
    wait_lockstep(c);
    lines.touch(line, record, c.number, true);
    memory.access(c.core, line, write, outcome);
    done = outcome.served == Served::kL1 ? Done::kL1 : Done::kElsewhere;
  }
  charge(c, access, record, line, done == Done::kL1);
  c.line_before = access.address / 64;
  c.recent[0] = alone ? c.line_before : kNoLine;
  c.recent[1] = c.recent[2] = alone && write ? c.line_before : kNoLine;
  if (alone || (record.line_class == LineClass::kShared && options.run_ahead)) remember(c, record, line);
  set_attention(c);
}

// Without its turn, if that is exact.
Engine::State::Done Engine::State::ahead(Cpu& c, LineRecord& record, Line line, bool write) {
  const auto allowed = [&] {
    if (record.line_class == LineClass::kPrivate) return record.core == c.core;
    return record.line_class == LineClass::kReadOnly && !write;
  };
  if (!allowed() || c.key >= c.horizon) return Done::kNot;
  if (c.core_cpus == 2) {
    wait(c, false);
    if (!allowed()) return Done::kNot;
  }
  Done done = Done::kL1;
  if (!memory.hit_l1(c.core, line, write)) {
    if (!memory.in_l2(c.core, line) || held_shared(c.core, line) || memory.in_l1(c.core, line)) return Done::kNot;
    if (write && !sole(memory.state(c.core, line))) return Done::kNot;
    if (last_fill(c.core, line) < c.key) last_fill(c.core, line) = c.key;
    memory.access(c.core, line, write, outcome);
    done = Done::kElsewhere;
  }
  lines.touch(line, record, c.number, false);
  if (write) record.written = true;
  return done;
}

Engine::State::Done Engine::State::in_order(Cpu& c, LineRecord& record, Line line, bool write) {
  wait(c, true);
  classify(c, record, line, write);
  if (memory.hit_l1(c.core, line, write)) return Done::kL1;
  memory.access(c.core, line, write, outcome);
  if (outcome.recall.happened) check_recall(c, outcome.recall);
  return Done::kElsewhere;
}

void Engine::State::classify(Cpu& c, LineRecord& record, Line line, bool write) {
  lines.touch(line, record, c.number, record.line_class == LineClass::kShared);
  switch (record.line_class) {
    case LineClass::kUntouched:
      record.line_class = LineClass::kPrivate;
      record.core = static_cast<std::uint8_t>(c.core);
      break;
    case LineClass::kPrivate:
      if (record.core == c.core) break;
      if (write || record.written)
        make_shared(c, record, line);
      else
        record.line_class = LineClass::kReadOnly;
      break;
    case LineClass::kReadOnly:
      if (write) make_shared(c, record, line);
      break;
    case LineClass::kShared:
      held_shared(c.core, line) = 1;
      break;
  }
  if (write) record.written = true;
}

void Engine::State::make_shared(Cpu& c, LineRecord& record, Line line) {
  if (ran_past(c, record)) was_surprised = true;
  memory.holders(line).for_each([&](unsigned core) {
    if (filled_past(c, core, line)) was_surprised = true;
    held_shared(core, line) = 1;
  });
  held_shared(c.core, line) = 1;
  lines.learn_readers(record);
  record.line_class = LineClass::kShared;
  options.shared_lines[line] = true;
  forget(line);
}

// The home's directory was full, and this took a line away from cores that may have run ahead.
void Engine::State::check_recall(Cpu& c, const Outcome::Eviction& recall) {
  LineRecord& record = lines[recall.line];
  if (record.line_class == LineClass::kShared) return;
  bool past = ran_past(c, record);
  recall.invalidated.for_each([&](unsigned core) { past = filled_past(c, core, recall.line) || past; });
  forget(recall.line);
  if (!past) return;
  was_surprised = true;
  record.line_class = LineClass::kShared;
  options.shared_lines[recall.line] = true;
  lines.share(record);
}

// `core`, which holds `line`, may have chosen a victim in its L1 set that it had not chosen without the line.
bool Engine::State::filled_past(const Cpu& c, unsigned core, Line line) {
  return core != c.core && last_fill(core, line) > c.key;
}

// Whether a CPU that has touched the line, and had no need to ask for its turn, is already past `c`. It need not have
// touched the line since: this may be wrong on the safe side.
bool Engine::State::ran_past(const Cpu& c, const LineRecord& record) const {
  if (!record.shared()) return cpus[record.only - 1u].last_key > c.key;
  for (const Cpu& other : cpus)
    if (other.last_key > c.key && record.many->by_cpu[other.number]) return true;
  return false;
}

void Engine::State::forget(Line line) {
  for (Cpu& other : cpus) other.forget(first_line + line);
}

}  // namespace hitmark::simulator
