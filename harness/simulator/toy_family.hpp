// Variants for tests whose costs and events can be worked out by hand, and the instruction counts that go with them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/simulator/instructions/instruction_table.hpp"
#include "kernels/memory/traced_cpu.hpp"
#include "kernels/variant.hpp"

namespace hitmark::simulator::toy {

inline constexpr unsigned kInstructions = 94;  // of every operation; with the bare loop's 6 a round number

struct Own {  // the static per-CPU object
  Cell<unsigned long> operations, mail;
};
struct Shared {
  Cell<unsigned long> value;
};

struct Event {
  char what;
  std::uint64_t at;  // operations of CPU 0 so far
  bool operator==(const Event&) const = default;
};

struct State {
  Arena* arena;
  Workload workload;
  Shared* shared;
  std::vector<Event> events;
  long in_flight = 0, fewest_in_flight = 0;
  bool broken = false;
};

inline PerCpu<Own> own() { return PerCpu<Own>(kStaticPercpu); }
inline std::uint64_t operations_of(State& state, unsigned cpu) {
  return *static_cast<std::uint64_t*>(state.arena->percpu_address(cpu, kStaticPercpu));
}
inline void count(TracedCpu& cpu) { cpu.this_cpu_add(own().field(&Own::operations), 1); }

// One private read-modify-write.
inline void alone(void*, void*, unsigned, TracedCpu& cpu) { count(cpu); }
// That, and a locked one of a line that all CPUs share.
inline void contended(void* state, void*, unsigned, TracedCpu& cpu) {
  count(cpu);
  cpu.atomic_add(static_cast<State*>(state)->shared->value, 1);
}
template <int sign>
void change(void* state, void*, unsigned amount, TracedCpu& cpu) {
  auto* toy = static_cast<State*>(state);
  count(cpu);
  toy->in_flight += sign * static_cast<long>(amount);
  toy->fewest_in_flight = std::min(toy->fewest_in_flight, toy->in_flight);
}
template <char what>
void event(void* state, void*, unsigned, TracedCpu&) {
  auto* toy = static_cast<State*>(state);
  toy->events.push_back({what, operations_of(*toy, 0)});
}
inline void work(void*, void*, unsigned, TracedCpu& cpu) { cpu.this_cpu_add(own().field(&Own::mail), 1); }

template <void (*pair)(void*, void*, unsigned, TracedCpu&)>
Variant variant(std::string_view name) {
  static const Operation operations[] = {
      {"pair", "", nullptr, pair}, {"charge", "", nullptr, change<1>}, {"uncharge", "", nullptr, change<-1>}};
  static const Operation events[] = {{"work", "", nullptr, work},
                                     {"flush", "", nullptr, event<'f'>},
                                     {"drain", "", nullptr, event<'d'>},
                                     {"read", "", nullptr, event<'r'>}};
  return {.family = "toy",
          .name = name,
          .summary = "",
          .source = "test",
          .traits = {},
          .operations = operations,
          .events = events,
          .layout_type = "",
          .set_up = [](Arena& arena, const Workload& workload) -> void* {
            arena.percpu("own", "hitmark::simulator::toy::Own", sizeof(Own), 64, true);
            auto* shared = static_cast<Shared*>(arena.shared("shared", "hitmark::simulator::toy::Shared", 64, 64));
            return new State{&arena, workload, shared, {}};
          },
          .tear_down = [](void* state) { delete static_cast<State*>(state); },
          .object = [](void* state, unsigned, unsigned) -> void* { return static_cast<State*>(state)->shared; },
          .phase = [](void*) { return Phase::kNone; },
          .violated_invariant = [](void* state) -> std::string {
            return static_cast<State*>(state)->broken ? "the toy is broken" : "";
          },
          .digest = [](void* state) -> std::uint64_t {
            auto* toy = static_cast<State*>(state);
            std::uint64_t sum = 0;
            for (unsigned cpu = 0; cpu < toy->arena->cpu_count(); ++cpu) sum = sum * 31 + operations_of(*toy, cpu);
            return sum;
          }};
}

inline const Variant& private_variant() {
  static const Variant made = variant<alone>("private");
  return made;
}
inline const Variant& contended_variant() {
  static const Variant made = variant<contended>("contended");
  return made;
}

inline InstructionTable instructions() {
  const std::string path = "[1, \"1\", " + std::to_string(kInstructions) + "]";
  const std::string operation = "{\"paths\": [" + path + "]}", event = "{\"paths\": [[0, \"1\", 10]]}";
  std::string variants;
  for (const char* name : {"private", "contended"}) {
    variants += std::string(variants.empty() ? "" : ", ") + "\"" + name + "\": {";
    for (const char* each : {"pair", "charge", "uncharge"})
      variants += std::string("\"") + each + "\": " + operation + ", ";
    for (const char* each : {"flush", "drain", "read"}) variants += std::string("\"") + each + "\": " + event + ", ";
    variants += "\"work\": " + event + "}";
  }
  auto table = InstructionTable::parse("{\"format\": 1, \"families\": {\"toy\": {" + variants + "}}}", "toy");
  HITMARK_CHECK(table, "the toy's instruction counts can be read");
  return *std::move(table);
}

}  // namespace hitmark::simulator::toy
