#include <algorithm>

#include "harness/simulator/engine/state.hpp"
#include "support/check.hpp"

namespace hitmark::simulator {
namespace {

constexpr double kPauseCycles = 65;  // of a PAUSE on Zen 2 [U]

std::vector<std::uint8_t> cores_of(const MachineModel& machine, const std::vector<unsigned>& os_cpus) {
  std::vector<std::uint8_t> cores;
  for (const unsigned cpu : os_cpus) cores.push_back(static_cast<std::uint8_t>(machine.core_of(cpu)));
  return cores;
}

}  // namespace

Engine::State::State(const MachineModel& m, std::uintptr_t memory_base, std::vector<Home> homes, std::vector<bool> huge,
                     std::vector<unsigned> os_cpus, EngineOptions with)
    : machine(m),
      options(std::move(with)),
      base(memory_base),
      first_line(memory_base / 64),
      line_count(static_cast<Line>(homes.size())),
      memory(m, homes),
      lines(homes.size(), huge, cores_of(m, os_cpus), m.cores()),
      tlb(m.tlb, m.cores(), lines.pages()),
      timing(m, std::move(homes)),
      l1_sets(m.l1.sets),
      l1_time(timing.cycles(m.core.l1_cycles)),
      lock_time(timing.cycles(m.core.lock_cycles)),
      tlb_l2_time(timing.cycles(m.tlb.l2_hit_cycles)),
      tlb_walk_time(timing.cycles(m.tlb.l2_hit_cycles + m.tlb.walk_cycles)),
      pause_time(timing.cycles(kPauseCycles)),
      cpus(os_cpus.size()),
      last_fill_(std::size_t{m.cores()} * m.l1.sets),
      held_shared_(std::size_t{m.cores()} * m.l1.sets),
      fibers(static_cast<unsigned>(os_cpus.size())) {
  HITMARK_CHECK(memory_base % 64 == 0, "the simulated memory starts with a line");
  HITMARK_CHECK(!os_cpus.empty() && os_cpus.size() < (1u << kCpuBits), "1 to 511 CPUs");
  options.shared_lines.resize(line_count);
  for (Line line = 0; line < line_count; ++line)
    if (options.shared_lines[line]) lines[line].line_class = LineClass::kShared;
  nobody.key = kNever;
  std::vector<int> unit_of_core(m.cores(), -1);
  unsigned units = 0;
  for (unsigned i = 0; i < cpus.size(); ++i) {
    Cpu& c = cpus[i];
    HITMARK_CHECK(os_cpus[i] < m.cpus(), "a CPU that the machine does not have");
    c.number = i;
    c.number_plus_one = static_cast<std::uint16_t>(i + 1);
    c.core = m.core_of(os_cpus[i]);
    c.ccx = m.ccx_of_core(c.core);
    c.l1_time = l1_time;
    c.tlb_slots = tlb.slots(c.core);
    c.tlb_entries = tlb.entries(c.core);
    c.sibling = &nobody;
    if (unit_of_core[c.core] < 0) unit_of_core[c.core] = static_cast<int>(units++);
    c.unit = static_cast<unsigned>(unit_of_core[c.core]);
    for (unsigned other = 0; other < i; ++other)
      if (cpus[other].core == c.core) {
        HITMARK_CHECK(cpus[other].sibling == &nobody, "at most two CPUs of a core, each once");
        HITMARK_CHECK(os_cpus[other] != os_cpus[i], "a CPU is there once");
        c.sibling = &cpus[other];
        cpus[other].sibling = &c;
        c.core_cpus = cpus[other].core_cpus = 2;
      }
  }
}

void Engine::State::set_speed(Cpu& c) {
  const bool two = c.sibling->active;
  c.ps_per_instruction = 1000 / machine.core.ghz / machine.core.instructions_per_cycle;
  if (two) c.ps_per_instruction /= machine.core.smt_share;
  c.quantum = std::max<Key>(1, static_cast<Key>(c.ps_per_instruction + 0.5)) << kCpuBits;
  c.limits = limits_of(machine.core, two);
  c.window_time = time_of(c.quantum) * c.limits.window;
}

void Engine::State::begin(Cpu& c, Picoseconds time) {
  c.set_clock(time);
  c.active = true;
  c.ordered = false;
  c.horizon = c.key + (kHorizon << kCpuBits);
  c.attention = c.due = 0;
  c.forget_recent();
  c.accesses_at_spend = c.accesses;
}

bool Engine::State::run(const std::function<void(unsigned)>& what) {
  HITMARK_CHECK(body == nullptr, "a body may not run the engine");
  Picoseconds latest = 0;
  for (const Cpu& c : cpus) latest = std::max(latest, c.clock());
  std::vector<Key> keys;
  for (Cpu& c : cpus) {
    begin(c, latest);
    fibers.prepare(c.number, &run_fiber, this);
    if (c.unit >= keys.size()) keys.push_back(c.key);  // units are numbered by their first CPU
  }
  for (Cpu& c : cpus) set_speed(c);
  body = &what;
  running = static_cast<unsigned>(cpus.size());
  if (options.run_ahead) {
    turns.start(keys);
  } else {
    for (std::size_t i = 1; i < cpus.size(); ++i) waiting.push(cpus[i].key);
  }
  fibers.switch_to(fibers.count(), 0);
  body = nullptr;
  for (Cpu& c : cpus) c.set_clock(c.end);
  if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
  return !was_surprised;
}

void Engine::State::run_fiber(void* state, unsigned cpu) {
  State& s = *static_cast<State*>(state);
  s.fibers.entered(cpu);
  try {
    (*s.body)(cpu);
  } catch (...) {
    if (!s.thrown) s.thrown = std::current_exception();
  }
  s.finish(s.cpus[cpu]);
}

void Engine::State::finish(Cpu& c) {
  c.last_key = c.key;
  c.set_clock(c.flight->drain(c.clock()));
  // From here on the sibling has the core for itself: an event of the core like an access.
  options.run_ahead ? wait(c, false) : wait_lockstep(c);
  c.end = c.clock();
  c.active = false;
  c.ordered = true;
  c.key = kNever;
  if (c.sibling->active) set_speed(*c.sibling);
  unsigned next = fibers.count();
  if (--running != 0) {
    if (options.run_ahead) {
      next = next_of(c.sibling->active ? *c.sibling : c);
    } else {
      next = cpu_of(waiting.top());
      waiting.pop();
    }
  }
  fibers.leave(c.number, next);
  std::abort();
}

unsigned Engine::State::next_of(Cpu& e) {
  if (!e.ordered || e.key == turns.winner()) return e.number;
  return cpu_of(turns.replace(e.unit, e.key));
}

void Engine::State::switch_to(Cpu& from, unsigned to) {
  ++switches;
  fibers.switch_to(from.number, to);
  if (from.core_cpus == 2) from.forget_recent();  // the other thread may have used the caches since
}

void Engine::State::wait(Cpu& c, bool ordered) {
  if (c.core_cpus == 1) {
    if (ordered) wait_turn(c);
    return;
  }
  c.ordered = ordered;
  for (;;) {
    const unsigned next = next_of(c.sibling->key < c.key ? *c.sibling : c);
    if (next == c.number) break;
    switch_to(c, next);
  }
  if (!ordered) return;
  ++ordered_accesses;
  c.horizon = c.key + (kHorizon << kCpuBits);
}

void Engine::State::wait_lockstep(Cpu& c) {
  ++ordered_accesses;
  if (waiting.empty() || c.key < waiting.top()) return;
  const unsigned next = cpu_of(waiting.top());
  waiting.pop();
  waiting.push(c.key);
  switch_to(c, next);
}

void Engine::State::in_turn(Cpu& c) {
  options.run_ahead ? wait(c, true) : wait_lockstep(c);
  set_attention(c);
}

void Engine::State::take_turn(Cpu& c) {
  c.last_key = c.key;
  in_turn(c);
}

void Engine::State::set_attention(Cpu& c) {
  c.due = options.run_ahead ? std::min(c.horizon, c.sibling->key) : 0;
  c.attention = c.busy() ? 0 : c.due;
  c.window_end = c.flight->window_end(c.limits);
}

}  // namespace hitmark::simulator
