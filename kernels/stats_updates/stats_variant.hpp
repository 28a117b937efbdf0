// Makes a Variant of a Policy: a Stats struct, and how an update is counted so that a reader knows when to flush. The
// update of the item itself, the flusher and the reader are here, the same for all. The policy must be in an unnamed
// namespace of the variant's file, so that all of this is the file's own.
#pragma once

#include <array>

#include "kernels/adding_variant.hpp"
#include "kernels/family_state.hpp"
#include "kernels/stats_updates/layouts.hpp"
#include "kernels/variant.hpp"

namespace hitmark::stats_updates {
namespace {

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

template <typename Policy>
struct Bodies {
  using Stats = typename Policy::Stats;

  // mod_memcg_state() for one level: the item, then the update's magnitude.
  template <typename Cpu>
  HITMARK_INLINE static void add(Cpu cpu, void* s, void* object, int amount) {
    auto* state = static_cast<FamilyState*>(s);
    auto& stats = *static_cast<Stats*>(object);
    const PerCpu<StatsCpu> statc(cpu.read(stats.percpu));
    cpu.this_cpu_add(statc.field(&StatsCpu::state), amount);
    if (unlikely(!amount)) return;
    const unsigned magnitude = amount < 0 ? -static_cast<unsigned>(amount) : static_cast<unsigned>(amount);
    Policy::count(cpu, state, stats, statc, magnitude);
  }
  template <typename Cpu>
  HITMARK_INLINE static void flush(Cpu cpu, void* s) {
    auto* state = static_cast<FamilyState*>(s);
    FamilyDriver& driver = cpu.this_cpu_ptr(PerCpu<FamilyDriver>(cpu.read(state->driver)));
    flush_stats<Policy>(cpu, state, *static_cast<Stats*>(cpu.read(driver.object)));
  }
  // A reader flushes only when enough updates wait.
  template <typename Cpu>
  HITMARK_INLINE static void read(Cpu cpu, void* s) {
    auto* state = static_cast<FamilyState*>(s);
    FamilyDriver& driver = cpu.this_cpu_ptr(PerCpu<FamilyDriver>(cpu.read(state->driver)));
    auto& stats = *static_cast<Stats*>(cpu.read(driver.object));
    if (Policy::needs_flush(cpu, state, stats)) flush_stats<Policy>(cpu, state, stats);
    cpu.write(driver.reading, cpu.read_once(stats.state));
  }
};

template <typename P>
constexpr Operation kOperations[] = {
    {"add", "update the item by the amount", Native<Bodies<P>>::add, Traced<Bodies<P>>::add},
    {"sub", "update the item by minus the amount", Native<Bodies<P>>::sub, Traced<Bodies<P>>::sub},
};
template <typename P>
constexpr Operation kEvents[] = {
    {"work", "nothing: no CPU leaves work to another", Native<Bodies<P>>::run_work, Traced<Bodies<P>>::run_work},
    {"flush", "flush the CPU's first statistics", Native<Bodies<P>>::run_flush, Traced<Bodies<P>>::run_flush},
    {"read", "read them, flushing when enough updates wait", Native<Bodies<P>>::run_read, Traced<Bodies<P>>::run_read},
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
  Variant variant = variant_on_family_state<Policy>("stats-updates", name, summary, source);
  variant.operations = kOperations<Policy>;
  variant.events = kEvents<Policy>;
  variant.set_up = set_up_stats<Policy>;
  variant.phase = phase_of<Policy>;
  variant.violated_invariant = violated<Policy>;
  variant.net = [](void* state, void* object) -> long {
    auto& stats = *static_cast<typename Policy::Stats*>(object);
    return sums_of(static_cast<FamilyState*>(state), NativeCpu{}.read(stats.percpu)).now;
  };
  return {variant};
}

}  // namespace
}  // namespace hitmark::stats_updates
