// Makes a Variant of a Policy: a Counter (one of the layouts), the rule of its protections, and how a charge and an
// uncharge come to it. The walks themselves are those of kernels/memcg/page_counter.hpp. The policy must be in an
// unnamed namespace of the variant's file, so that all of this is the file's own.
#pragma once

#include <array>

#include "kernels/family_state.hpp"
#include "kernels/memory/native_cpu.hpp"
#include "kernels/memory/traced_cpu.hpp"
#include "kernels/page_counter/hierarchy.hpp"
#include "kernels/variant.hpp"

namespace hitmark::page_counter {
namespace {

// No stock: every operation is a walk to the root.
template <typename C, memcg::Protection kRule>
struct Direct {
  using Counter = C;
  static constexpr memcg::Protection kProtection = kRule;
  static void set_up(FamilySetup&, C&, const std::string&) {}
  template <typename Cpu>
  HITMARK_INLINE static bool charge(Cpu cpu, FamilyState*, C* counter, unsigned nr_pages) {
    return !memcg::page_counter_try_charge<kRule>(cpu, counter, nr_pages);
  }
  template <typename Cpu>
  HITMARK_INLINE static void uncharge(Cpu cpu, FamilyState*, C* counter, unsigned nr_pages) {
    memcg::page_counter_uncharge<kRule>(cpu, counter, nr_pages);
  }
  template <typename Cpu>
  HITMARK_INLINE static void drain(Cpu, FamilyState*) {}
  static long stocked(FamilyState*, C&) { return 0; }
  static std::string fault(FamilyState*, C&) { return ""; }
};

template <typename Cpu>
HITMARK_NOIPA void charge_failed(Cpu cpu, FamilyState* state) {
  cpu.this_cpu_add(PerCpu<FamilyDriver>(cpu.read(state->driver)).field(&FamilyDriver::failed_charges), 1);
}

template <typename Policy, typename Cpu>
HITMARK_INLINE void charge_body(Cpu cpu, void* s, void* object, unsigned nr_pages) {
  auto* state = static_cast<FamilyState*>(s);
  if (unlikely(!Policy::charge(cpu, state, static_cast<typename Policy::Counter*>(object), nr_pages)))
    charge_failed(cpu, state);
}

template <typename Policy, typename Cpu>
HITMARK_INLINE void uncharge_body(Cpu cpu, void* s, void* object, unsigned nr_pages) {
  Policy::uncharge(cpu, static_cast<FamilyState*>(s), static_cast<typename Policy::Counter*>(object), nr_pages);
}

template <typename Policy, typename Cpu>
HITMARK_INLINE void pair_body(Cpu cpu, void* s, void* object, unsigned nr_pages) {
  auto* state = static_cast<FamilyState*>(s);
  auto* counter = static_cast<typename Policy::Counter*>(object);
  if (likely(Policy::charge(cpu, state, counter, nr_pages)))
    Policy::uncharge(cpu, state, counter, nr_pages);
  else
    charge_failed(cpu, state);
}

// memory.current of the CPU's first counter and of every level above it, added up.
template <typename Policy, typename Cpu>
HITMARK_INLINE void read_body(Cpu cpu, void* s) {
  auto* state = static_cast<FamilyState*>(s);
  FamilyDriver& driver = cpu.this_cpu_ptr(PerCpu<FamilyDriver>(cpu.read(state->driver)));
  long sum = 0;
  for (auto* c = static_cast<typename Policy::Counter*>(cpu.read(driver.object)); c; c = cpu.read(c->parent))
    sum += cpu.read_once(c->usage);
  cpu.write(driver.reading, sum);
}

template <typename Policy>
struct Native {
  static constexpr NativeCpu kCpu{};
  HITMARK_NOIPA static void pair(void* state, void* object, unsigned n) { pair_body<Policy>(kCpu, state, object, n); }
  HITMARK_NOIPA static void charge(void* state, void* object, unsigned n) {
    charge_body<Policy>(kCpu, state, object, n);
  }
  HITMARK_NOIPA static void uncharge(void* state, void* object, unsigned n) {
    uncharge_body<Policy>(kCpu, state, object, n);
  }
  HITMARK_NOIPA static void run_work(void*, void*, unsigned) {}
  HITMARK_NOIPA static void run_flush(void*, void*, unsigned) {}
  HITMARK_NOIPA static void run_drain(void* state, void*, unsigned) {
    Policy::drain(kCpu, static_cast<FamilyState*>(state));
  }
  HITMARK_NOIPA static void run_read(void* state, void*, unsigned) { read_body<Policy>(kCpu, state); }
};

template <typename Policy>
struct Traced {
  static void pair(void* state, void* object, unsigned n, TracedCpu& cpu) { pair_body<Policy>(cpu, state, object, n); }
  static void charge(void* state, void* object, unsigned n, TracedCpu& cpu) {
    charge_body<Policy>(cpu, state, object, n);
  }
  static void uncharge(void* state, void* object, unsigned n, TracedCpu& cpu) {
    uncharge_body<Policy>(cpu, state, object, n);
  }
  static void run_work(void*, void*, unsigned, TracedCpu&) {}
  static void run_flush(void*, void*, unsigned, TracedCpu&) {}
  static void run_drain(void* state, void*, unsigned, TracedCpu& cpu) {
    Policy::drain(cpu, static_cast<FamilyState*>(state));
  }
  static void run_read(void* state, void*, unsigned, TracedCpu& cpu) { read_body<Policy>(cpu, state); }
};

template <typename P>
constexpr Operation kOperations[] = {
    {"pair", "one charge and one uncharge", Native<P>::pair, Traced<P>::pair},
    {"charge", "one charge; counted when refused at the limit", Native<P>::charge, Traced<P>::charge},
    {"uncharge", "one uncharge", Native<P>::uncharge, Traced<P>::uncharge},
};
template <typename P>
constexpr Operation kEvents[] = {
    {"work", "nothing: no CPU leaves work to another", Native<P>::run_work, Traced<P>::run_work},
    {"flush", "nothing: page counters have no statistics", Native<P>::run_flush, Traced<P>::run_flush},
    {"drain", "uncharge the stocks of all counters on all CPUs", Native<P>::run_drain, Traced<P>::run_drain},
    {"read", "read the usage of every level", Native<P>::run_read, Traced<P>::run_read},
};

template <typename Policy>
VariantEntry page_counter_variant(std::string_view name, std::string_view summary, std::string_view source) {
  Variant variant = variant_on_family_state<Policy>("page-counter", name, summary, source);
  variant.operations = kOperations<Policy>;
  variant.events = kEvents<Policy>;
  variant.set_up = set_up_hierarchy<Policy>;
  variant.violated_invariant = violated<Policy>;
  variant.net = [](void* s, void* object) -> long {
    auto& counter = *static_cast<typename Policy::Counter*>(object);
    return NativeCpu{}.read_once(counter.usage) - Policy::stocked(static_cast<FamilyState*>(s), counter);
  };
  return {variant};
}

}  // namespace
}  // namespace hitmark::page_counter
