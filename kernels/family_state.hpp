// What the families of plain counters (percpu-counter, stats-updates, page-counter) have in common: the state that
// every operation gets, how its objects come into an arena, and the functions of a Variant that are the same for all.
// sock-charge has its own (memcg/state.hpp). Nothing here is measured but the cells of FamilyState itself.
#pragma once

#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/memory/arena.hpp"
#include "kernels/memory/cell.hpp"
#include "kernels/memory/compiler.hpp"
#include "kernels/variant.hpp"
#include "kernels/workload.hpp"
#include "support/check.hpp"

namespace hitmark {

struct FamilySetup;

// The first shared object of each arena, "state". Its first line is written at set-up only.
struct alignas(64) FamilyState {
  static constexpr unsigned kMaxCpus = 512;

  Cell<unsigned> nr_cpus;
  Cell<int> batch;                // Workload::batch, or the family's own
  Cell<unsigned long> threshold;  // stats-updates: updates that may wait for a flush
  Cell<std::uintptr_t> driver;    // per-CPU offset of a FamilyDriver
  Cell<unsigned> nr_objects;      // of objects[]: all that operations work on
  Cell<void*>* objects;           // an object of the arena; set once, so that a plain pointer is enough
  FamilySetup* setup;             // ours; no operation reads it
  alignas(64) Cell<std::uintptr_t> per_cpu_offset[kMaxCpus];  // __per_cpu_offset
};

// A CPU's caller, per CPU, on a line of its own: what events work on and what they found.
struct alignas(64) FamilyDriver {
  Cell<void*> object;                  // the CPU's first object: what the events "flush" and "read" are about
  Cell<long> sum;                      // that the last "flush" of this CPU found
  Cell<long> reading;                  // that the last "read" of this CPU found
  Cell<unsigned long> failed_charges;  // page-counter: refused at the limit
};

// Behind FamilyState::setup, in ordinary memory.
struct FamilySetup {
  Arena& arena;
  Workload workload;
  std::vector<std::vector<void*>> objects = {};  // by group of CPUs
  std::vector<const void*> not_digested = {};    // words that equal runs may differ in (arena_digest.hpp)

  template <typename T>
  T* shared(const std::string& name, const char* type, std::size_t alignment = kLine) {
    return new (arena.shared(name, type, sizeof(T), alignment)) T;
  }
  template <typename T>
  T* shared_array(const std::string& name, const char* type, std::size_t count, std::size_t alignment = kLine) {
    T* first = static_cast<T*>(arena.shared(name, type, count * sizeof(T), alignment));
    for (std::size_t i = 0; i < count; ++i) new (first + i) T;
    return first;
  }
  // The offset of one T in every CPU's area.
  template <typename T>
  std::uintptr_t percpu(const std::string& name, const char* type, std::size_t alignment = alignof(T),
                        bool at_static = false) {
    const std::uintptr_t offset = arena.percpu(name, type, sizeof(T), alignment, at_static);
    for (unsigned cpu = 0; cpu < arena.cpu_count(); ++cpu) new (arena.percpu_address(cpu, offset)) T;
    return offset;
  }
  template <typename T>
  T& on(unsigned cpu, std::uintptr_t offset) const {
    return *static_cast<T*>(arena.percpu_address(cpu, offset));
  }
  unsigned group_of(unsigned cpu) const;
  unsigned long threshold() const;  // FamilyState::threshold
};

// The state and nothing else yet. The family's set-up makes the objects and then calls finish_set_up(). Requires as
// many groups as CPUs at most, and kMaxCpus of those.
FamilyState* new_family_state(Arena& arena, const Workload& workload, int default_batch);
// Tells state and drivers of setup->objects.
void finish_set_up(FamilyState* state);

// The functions of a Variant (variant.hpp).
void tear_down_family_state(void* state);
void* family_object(void* state, unsigned cpu, unsigned index);  // of the CPU's group; of the partner's when split
Phase no_phase(void* state);
std::uint64_t family_digest(void* state);

// What a CPU's driver knows; for tests.
unsigned long failed_charges(FamilyState* state, unsigned cpu);
long last_sum(FamilyState* state, unsigned cpu);
long last_reading(FamilyState* state, unsigned cpu);

// The parts of a Variant that are the same for all of these families; the rest is the family's to fill.
template <typename Policy>
Variant variant_on_family_state(std::string_view family, std::string_view name, std::string_view summary,
                                std::string_view source) {
  Variant variant{};
  variant.family = family;
  variant.name = name;
  variant.summary = summary;
  variant.source = source;
  variant.traits = Policy::kTraits;
  variant.layout_type = Policy::kLayoutType;
  variant.tear_down = tear_down_family_state;
  variant.object = family_object;
  variant.phase = no_phase;
  variant.digest = family_digest;
  return variant;
}

namespace {

// For bodies: the address of a per-CPU object of any CPU.
template <typename T, typename Cpu>
HITMARK_INLINE T& per_cpu(Cpu cpu, FamilyState* state, std::uintptr_t offset, std::size_t of) {
  return *reinterpret_cast<T*>(cpu.read(state->per_cpu_offset, of) + offset);
}

template <typename Cpu>
HITMARK_INLINE void spin_lock(Cpu cpu, Cell<unsigned>& lock) {
  for (unsigned free = 0; unlikely(!cpu.try_cmpxchg(lock, free, 1)); free = 0)
    while (cpu.read_once(lock)) cpu.relax();
}

template <typename Cpu>
HITMARK_INLINE void spin_unlock(Cpu cpu, Cell<unsigned>& lock) {
  cpu.store_release(lock, 0);
}

}  // namespace
}  // namespace hitmark
