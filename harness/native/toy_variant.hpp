// A variant for tests: counts what was done to it, where and at which operation, and keeps pages in flight.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/memory/compiler.hpp"
#include "kernels/variant.hpp"

namespace hitmark::native::toy {

struct PerCpuCounts {  // the static per-CPU object, reached through the GS base
  std::uint64_t operations, work;
};

struct Event {
  char what;
  std::uint64_t at;  // operations of CPU 0 so far
  bool operator==(const Event&) const = default;
};

struct State {
  Arena* arena = nullptr;
  Workload workload;
  std::atomic<long>* pages_in_flight = nullptr;  // a shared object
  std::atomic<long> fewest_in_flight{0};
  std::vector<Event> events;  // by CPU 0 alone
  std::atomic<bool> broken{false};
};

inline PerCpuCounts& this_cpu() {
  std::uintptr_t area;
  asm volatile("movq %%gs:0, %0" : "=r"(area));
  return *reinterpret_cast<PerCpuCounts*>(area + kStaticPercpu);
}

inline void change(State& state, long pages) {
  ++this_cpu().operations;
  const long now = state.pages_in_flight->fetch_add(pages, std::memory_order_relaxed) + pages;
  if (now < 0) state.fewest_in_flight.store(now, std::memory_order_relaxed);
}

HITMARK_NOIPA inline void pair(void* state, void*, unsigned) { change(*static_cast<State*>(state), 0); }
HITMARK_NOIPA inline void charge(void* state, void*, unsigned amount) {
  change(*static_cast<State*>(state), static_cast<long>(amount));
}
HITMARK_NOIPA inline void uncharge(void* state, void*, unsigned amount) {
  change(*static_cast<State*>(state), -static_cast<long>(amount));
}
template <char what>
void event(void* state, void*, unsigned) {
  static_cast<State*>(state)->events.push_back({what, this_cpu().operations});
}
inline void work(void*, void*, unsigned) { ++this_cpu().work; }

inline PerCpuCounts& counts_of(State& state, unsigned cpu) {
  return *static_cast<PerCpuCounts*>(state.arena->percpu_address(cpu, kStaticPercpu));
}

inline const Variant& variant() {
  static const Operation operations[] = {
      {"pair", "", pair, nullptr}, {"charge", "", charge, nullptr}, {"uncharge", "", uncharge, nullptr}};
  static const Operation events[] = {{"work", "", work, nullptr},
                                     {"flush", "", event<'f'>, nullptr},
                                     {"drain", "", event<'d'>, nullptr},
                                     {"read", "", event<'r'>, nullptr}};
  static const Variant toy{
      .family = "toy",
      .name = "toy",
      .summary = "counts",
      .source = "test",
      .traits = {},
      .operations = operations,
      .events = events,
      .layout_type = "",
      .set_up = [](Arena& arena, const Workload& workload) -> void* {
        auto* state = new State;
        state->arena = &arena;
        state->workload = workload;
        arena.percpu("counts", "PerCpuCounts", sizeof(PerCpuCounts), 64, true);
        state->pages_in_flight = new (arena.shared("pages", "long", sizeof(long), 64)) std::atomic<long>(0);
        return state;
      },
      .tear_down = [](void* state) { delete static_cast<State*>(state); },
      .object = [](void* state, unsigned, unsigned) -> void* { return static_cast<State*>(state)->pages_in_flight; },
      .phase =
          [](void* state) {
            return static_cast<State*>(state)->events.empty() ? Phase::kAccumulating : Phase::kSaturated;
          },
      .violated_invariant = [](void* state) -> std::string {
        return static_cast<State*>(state)->broken ? "the toy is broken" : "";
      },
      .digest = [](void*) -> std::uint64_t { return 0; }};
  return toy;
}

}  // namespace hitmark::native::toy
