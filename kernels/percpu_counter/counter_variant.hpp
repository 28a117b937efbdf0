// Makes a Variant of a Policy: a Counter struct and the bodies `add`, `sum` (exact when nobody adds) and `read` (cheap,
// off by at most `error_bound`). The policy must be in an unnamed namespace of the variant's file, so that all of this
// is the file's own. What is common to the bodies is in the headers beside this one.
#pragma once

#include <array>

#include "kernels/adding_variant.hpp"
#include "kernels/family_state.hpp"
#include "kernels/memory/arena.hpp"
#include "kernels/percpu_counter/layouts.hpp"
#include "kernels/variant.hpp"

namespace hitmark::percpu_counter {

// percpu_counter_batch of Linux: at least 32, and twice the CPUs.
inline int default_batch(unsigned cpus) { return cpus < 16 ? 32 : static_cast<int>(2 * cpus); }

namespace {

constexpr PerCpu<CpuNumbers> kCpuNumbers(kStaticPercpu);

// The sum over all CPUs of one field of their parts.
template <typename Cpu, typename Part, typename T>
HITMARK_INLINE long sum_of_parts(Cpu cpu, FamilyState* state, std::uintptr_t part, Cell<T> Part::*count) {
  const std::size_t cpus = cpu.read(state->nr_cpus);
  long sum = 0;
  for (std::size_t i = 0; i < cpus; ++i) sum += cpu.read_once(per_cpu<Part>(cpu, state, part, i).*count);
  return sum;
}
template <typename Cpu, typename Slot>
HITMARK_INLINE long sum_of_slots(Cpu cpu, Slot* slots, std::size_t count) {
  long sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += cpu.read_once(slots[i].count);
  return sum;
}

template <typename Policy>
struct Bodies {
  using Counter = typename Policy::Counter;

  template <typename Cpu>
  HITMARK_INLINE static void add(Cpu cpu, void* state, void* object, long amount) {
    Policy::add(cpu, static_cast<FamilyState*>(state), *static_cast<Counter*>(object), amount);
  }
  template <typename Cpu>
  HITMARK_INLINE static void flush(Cpu cpu, void* s) {
    auto* state = static_cast<FamilyState*>(s);
    FamilyDriver& driver = cpu.this_cpu_ptr(PerCpu<FamilyDriver>(cpu.read(state->driver)));
    cpu.write(driver.sum, Policy::sum(cpu, state, *static_cast<Counter*>(cpu.read(driver.object))));
  }
  template <typename Cpu>
  HITMARK_INLINE static void read(Cpu cpu, void* s) {
    auto* state = static_cast<FamilyState*>(s);
    FamilyDriver& driver = cpu.this_cpu_ptr(PerCpu<FamilyDriver>(cpu.read(state->driver)));
    cpu.write(driver.reading, Policy::read(cpu, state, *static_cast<Counter*>(cpu.read(driver.object))));
  }
};

template <typename P>
constexpr Operation kOperations[] = {
    {"add", "add the amount to the counter", Native<Bodies<P>>::add, Traced<Bodies<P>>::add},
    {"sub", "take the amount from the counter", Native<Bodies<P>>::sub, Traced<Bodies<P>>::sub},
};
template <typename P>
constexpr Operation kEvents[] = {
    {"work", "nothing: no CPU leaves work to another", Native<Bodies<P>>::run_work, Traced<Bodies<P>>::run_work},
    {"flush", "sum the CPU's first counter over all CPUs", Native<Bodies<P>>::run_flush, Traced<Bodies<P>>::run_flush},
    {"read", "read the CPU's first counter as cheaply as its error allows", Native<Bodies<P>>::run_read,
     Traced<Bodies<P>>::run_read},
};

template <typename Policy>
void* set_up_counters(Arena& arena, const Workload& workload) {
  FamilyState* state = new_family_state(arena, workload, default_batch(arena.cpu_count()));
  FamilySetup& setup = *state->setup;
  const NativeCpu cpu;
  const auto at = setup.percpu<CpuNumbers>("cpu_numbers", "hitmark::percpu_counter::CpuNumbers", kLine, true);
  for (unsigned i = 0; i < arena.cpu_count(); ++i) {
    auto& numbers = setup.on<CpuNumbers>(i, at);
    cpu.write(numbers.cpu, i);
    cpu.write(numbers.half, kSockets * i / arena.cpu_count());
    cpu.write(numbers.rseq.cpu_id, i);
  }
  setup.objects.resize(1);  // every CPU adds to every counter
  for (unsigned i = 0; i < workload.memcgs; ++i) {
    const std::string index = "[" + std::to_string(i) + "]";
    auto* counter = setup.shared<typename Policy::Counter>("counter" + index, Policy::kCounterType);
    Policy::set_up(setup, *counter, index);
    setup.objects[0].push_back(counter);
  }
  finish_set_up(state);
  return state;
}

// The first counter for which the cheap reading is off by more than its bound, or whose policy finds a fault.
template <typename Policy>
std::string violated(void* s) {
  auto* state = static_cast<FamilyState*>(s);
  const NativeCpu cpu;
  for (std::size_t i = 0; i < state->setup->objects[0].size(); ++i) {
    auto& counter = *static_cast<typename Policy::Counter*>(state->setup->objects[0][i]);
    const long sum = Policy::sum(cpu, state, counter), reading = Policy::read(cpu, state, counter);
    const long bound = Policy::error_bound(cpu, state), off = reading < sum ? sum - reading : reading - sum;
    const std::string who = "counter[" + std::to_string(i) + "]: ";
    if (off > bound)
      return who + "the reading is off by " + std::to_string(off) + ", more than " + std::to_string(bound);
    if (const std::string fault = Policy::fault(cpu, state, counter); !fault.empty()) return who + fault;
  }
  return "";
}

// For policies whose cheap reading is exact and that have nothing else to check.
struct Exact {
  template <typename Cpu>
  static long error_bound(Cpu, FamilyState*) {
    return 0;
  }
  template <typename Cpu, typename Counter>
  static std::string fault(Cpu, FamilyState*, Counter&) {
    return "";
  }
};

template <typename Policy>
VariantEntry counter_variant(std::string_view name, std::string_view summary, std::string_view source) {
  Variant variant = variant_on_family_state<Policy>("percpu-counter", name, summary, source);
  variant.operations = kOperations<Policy>;
  variant.events = kEvents<Policy>;
  variant.set_up = set_up_counters<Policy>;
  variant.violated_invariant = violated<Policy>;
  variant.net = [](void* state, void* object) -> long {
    return Policy::sum(NativeCpu{}, static_cast<FamilyState*>(state), *static_cast<typename Policy::Counter*>(object));
  };
  return {variant};
}

}  // namespace
}  // namespace hitmark::percpu_counter
