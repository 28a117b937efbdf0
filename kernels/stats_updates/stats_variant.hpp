// Makes a Variant of a Policy: a Stats struct, and how an update is counted so that a reader knows when to flush. The
// update of the item itself, the flusher and the reader are here, the same for all. The policy must be in an unnamed
// namespace of the variant's file, so that all of this is the file's own.
#pragma once

#include <array>

#include "kernels/family_state.hpp"
#include "kernels/memory/native_cpu.hpp"
#include "kernels/memory/traced_cpu.hpp"
#include "kernels/stats_updates/layouts.hpp"
#include "kernels/variant.hpp"

namespace hitmark::stats_updates {
namespace {

// mod_memcg_state() for one level: the item, then the update's magnitude.
template <typename Policy, typename Cpu>
HITMARK_INLINE void update_body(Cpu cpu, void* s, void* object, int amount) {
  auto* state = static_cast<FamilyState*>(s);
  auto& stats = *static_cast<typename Policy::Stats*>(object);
  const PerCpu<StatsCpu> statc(cpu.read(stats.percpu));
  cpu.this_cpu_add(statc.field(&StatsCpu::state), amount);
  if (unlikely(!amount)) return;
  const unsigned magnitude = amount < 0 ? -static_cast<unsigned>(amount) : static_cast<unsigned>(amount);
  Policy::count(cpu, state, stats, statc, magnitude);
}

// Takes over what every CPU has, and begins counting anew. Remote stores may lose an update of a count, which only
// delays the next flush, as in the kernel.
template <typename Policy, typename Cpu>
HITMARK_INLINE void flush_stats(Cpu cpu, FamilyState* state, typename Policy::Stats& stats) {
  spin_lock(cpu, stats.lock);
  const std::uintptr_t percpu = cpu.read(stats.percpu);
  const std::size_t cpus = cpu.read(state->nr_cpus);
  long delta = 0;
  for (std::size_t i = 0; i < cpus; ++i) {
    StatsCpu& statc = per_cpu<StatsCpu>(cpu, state, percpu, i);
    const long now = cpu.read_once(statc.state);
    delta += now - cpu.read(statc.state_prev);
    cpu.write(statc.state_prev, now);
    cpu.write_once(statc.stats_updates, 0);
  }
  if (delta) cpu.write_once(stats.state, cpu.read_once(stats.state) + delta);
  Policy::restart(cpu, state, stats);
  spin_unlock(cpu, stats.lock);
}

template <typename Policy, typename Cpu>
HITMARK_INLINE typename Policy::Stats& first_stats(Cpu cpu, FamilyState* state) {
  return *static_cast<typename Policy::Stats*>(
      cpu.read(cpu.this_cpu_ptr(PerCpu<FamilyDriver>(cpu.read(state->driver))).object));
}

template <typename Policy, typename Cpu>
HITMARK_INLINE void flush_body(Cpu cpu, void* s) {
  auto* state = static_cast<FamilyState*>(s);
  flush_stats<Policy>(cpu, state, first_stats<Policy>(cpu, state));
}

// A reader flushes only when enough updates wait.
template <typename Policy, typename Cpu>
HITMARK_INLINE void read_body(Cpu cpu, void* s) {
  auto* state = static_cast<FamilyState*>(s);
  FamilyDriver& driver = cpu.this_cpu_ptr(PerCpu<FamilyDriver>(cpu.read(state->driver)));
  auto& stats = *static_cast<typename Policy::Stats*>(cpu.read(driver.object));
  if (Policy::needs_flush(cpu, state, stats)) flush_stats<Policy>(cpu, state, stats);
  cpu.write(driver.reading, cpu.read_once(stats.state));
}

template <typename Policy>
struct Native {
  static constexpr NativeCpu kCpu{};
  HITMARK_NOIPA static void add(void* state, void* object, unsigned n) {
    update_body<Policy>(kCpu, state, object, static_cast<int>(n));
  }
  HITMARK_NOIPA static void sub(void* state, void* object, unsigned n) {
    update_body<Policy>(kCpu, state, object, -static_cast<int>(n));
  }
  HITMARK_NOIPA static void run_work(void*, void*, unsigned) {}
  HITMARK_NOIPA static void run_flush(void* state, void*, unsigned) { flush_body<Policy>(kCpu, state); }
  HITMARK_NOIPA static void run_read(void* state, void*, unsigned) { read_body<Policy>(kCpu, state); }
};

template <typename Policy>
struct Traced {
  static void add(void* state, void* object, unsigned n, TracedCpu& cpu) {
    update_body<Policy>(cpu, state, object, static_cast<int>(n));
  }
  static void sub(void* state, void* object, unsigned n, TracedCpu& cpu) {
    update_body<Policy>(cpu, state, object, -static_cast<int>(n));
  }
  static void run_work(void*, void*, unsigned, TracedCpu&) {}
  static void run_flush(void* state, void*, unsigned, TracedCpu& cpu) { flush_body<Policy>(cpu, state); }
  static void run_read(void* state, void*, unsigned, TracedCpu& cpu) { read_body<Policy>(cpu, state); }
};

template <typename P>
constexpr Operation kOperations[] = {
    {"add", "update the item by the amount", Native<P>::add, Traced<P>::add},
    {"sub", "update the item by minus the amount", Native<P>::sub, Traced<P>::sub},
};
template <typename P>
constexpr Operation kEvents[] = {
    {"work", "nothing: no CPU leaves work to another", Native<P>::run_work, Traced<P>::run_work},
    {"flush", "flush the CPU's first statistics", Native<P>::run_flush, Traced<P>::run_flush},
    {"read", "read them, flushing when enough updates wait", Native<P>::run_read, Traced<P>::run_read},
};

inline constexpr int kBatch = 64;  // MEMCG_CHARGE_BATCH

template <typename Policy>
void* set_up_stats(Arena& arena, const Workload& workload) {
  FamilyState* state = new_family_state(arena, workload, kBatch);
  FamilySetup& setup = *state->setup;
  setup.objects.resize(1);  // every CPU updates all of them; the groups are group-count's
  for (unsigned i = 0; i < workload.memcgs; ++i) {
    const std::string index = "[" + std::to_string(i) + "]";
    auto* stats = setup.shared<typename Policy::Stats>("stats" + index, Policy::kLayoutType);
    NativeCpu{}.write(stats->percpu, setup.percpu<StatsCpu>("stats_cpu" + index, "hitmark::stats_updates::StatsCpu"));
    Policy::set_up(setup, *stats, index);
    setup.objects[0].push_back(stats);
  }
  finish_set_up(state);
  return state;
}

struct Sums {
  long now = 0, flushed = 0;
};
inline Sums sums_of(FamilyState* state, std::uintptr_t percpu) {
  const NativeCpu cpu;
  Sums sums;
  for (unsigned i = 0; i < cpu.read(state->nr_cpus); ++i) {
    auto& statc = state->setup->on<StatsCpu>(i, percpu);
    sums.now += cpu.read_once(statc.state);
    sums.flushed += cpu.read(statc.state_prev);
  }
  return sums;
}

// How many updates are counted is no invariant where operations overlap: a flush may clear what it has not seen.
// stats_updates_test.cpp checks it where they do not.
template <typename Policy>
std::string violated(void* s) {
  auto* state = static_cast<FamilyState*>(s);
  const NativeCpu cpu;
  for (const auto& group : state->setup->objects)
    for (void* object : group) {
      auto& stats = *static_cast<typename Policy::Stats*>(object);
      const Sums sums = sums_of(state, cpu.read(stats.percpu));
      if (cpu.read_once(stats.lock)) return "the flusher's lock is held";
      if (cpu.read_once(stats.state) != sums.flushed)
        return "state " + std::to_string(cpu.read_once(stats.state)) + " differs from what was flushed, " +
               std::to_string(sums.flushed);
      for (unsigned i = 0; i < cpu.read(state->nr_cpus); ++i) {
        const long own = cpu.read_once(state->setup->on<StatsCpu>(i, cpu.read(stats.percpu)).stats_updates);
        if (own >= cpu.read(state->batch)) return "cpu " + std::to_string(i) + " keeps a batch of updates or more";
      }
    }
  return "";
}

template <typename Policy>
Phase phase_of(void* s) {
  auto* state = static_cast<FamilyState*>(s);
  for (const auto& group : state->setup->objects)
    for (void* object : group)
      if (!Policy::needs_flush(NativeCpu{}, state, *static_cast<typename Policy::Stats*>(object)))
        return Phase::kAccumulating;
  return Phase::kSaturated;
}

template <typename Policy>
VariantEntry stats_variant(std::string_view name, std::string_view summary, std::string_view source) {
  return {Variant{
      .family = "stats-updates",
      .name = name,
      .summary = summary,
      .source = source,
      .traits = Policy::kTraits,
      .operations = kOperations<Policy>,
      .events = kEvents<Policy>,
      .layout_type = Policy::kLayoutType,
      .set_up = set_up_stats<Policy>,
      .tear_down = tear_down_family_state,
      .object = family_object,
      .phase = phase_of<Policy>,
      .violated_invariant = violated<Policy>,
      .digest = family_digest,
      .net = [](void* state, void* object) -> long {
        auto& stats = *static_cast<typename Policy::Stats*>(object);
        return sums_of(static_cast<FamilyState*>(state), NativeCpu{}.read(stats.percpu)).now;
      },
  }};
}

}  // namespace
}  // namespace hitmark::stats_updates
