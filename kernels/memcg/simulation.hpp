// For tests: a variant of sock-charge on simulated CPUs in plain memory, one thread playing all of them.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "kernels/memcg/state.hpp"
#include "kernels/memory/plain_arena.hpp"
#include "kernels/memory/traced_cpu.hpp"
#include "kernels/variant.hpp"
#include "support/check.hpp"

namespace hitmark::memcg {

inline const Variant& variant_named(std::string_view name) {
  const Variant* found = Registry<Variant>::instance().find("sock-charge/" + std::string(name));
  HITMARK_CHECK(found, "no such variant");
  return *found;
}

inline std::vector<const Variant*> sock_charge_variants() {
  std::vector<const Variant*> all;
  for (const Variant& variant : Registry<Variant>::instance().all())
    if (variant.family == "sock-charge") all.push_back(&variant);
  return all;
}

inline std::string_view trait(const Variant& variant, std::string_view aspect) {
  for (const Trait& trait : variant.traits)
    if (trait.aspect == aspect) return trait.value;
  return "";
}

// Of sock-charge, those whose trait begins so ("update-rule", "V4").
inline std::vector<const Variant*> variants_with(std::string_view aspect, std::string_view value) {
  std::vector<const Variant*> all = sock_charge_variants();
  std::erase_if(all, [&](const Variant* variant) { return !trait(*variant, aspect).starts_with(value); });
  return all;
}

inline const Operation& operation_named(const Variant& variant, std::string_view name) {
  for (const auto& list : {variant.operations, variant.events})
    for (const Operation& operation : list)
      if (operation.name == name) return operation;
  HITMARK_CHECK(false, "no such operation");
  std::abort();
}

// Of a test with a variant as its parameter.
inline std::string test_name_of(const Variant& variant) {
  std::string name(variant.name);
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

class Simulation {
 public:
  Simulation(const Variant& variant, const Workload& workload, unsigned cpus, AccessObserver* observer = nullptr)
      : arena_(cpus), variant_(variant), state_(variant.set_up(arena_, workload)) {
    for (unsigned cpu = 0; cpu < cpus; ++cpu)
      cpus_.emplace_back(cpu, reinterpret_cast<std::uintptr_t>(arena_.percpu_address(cpu, 0)), observer);
  }
  ~Simulation() { variant_.tear_down(state_); }
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  void run(const Operation& operation, unsigned cpu, void* object = nullptr, unsigned amount = 0) {
    operation.traced(state_, object, amount, cpus_[cpu]);
  }
  void run(std::string_view name, unsigned cpu, unsigned index = 0, unsigned amount = 1) {
    run(operation_named(variant_, name), cpu, variant_.object(state_, cpu, index), amount);
  }
  // False when the limit refused it.
  bool charge(unsigned cpu, unsigned index = 0, unsigned amount = 1) {
    const unsigned long before = failed_charges(globals(), cpu);
    run("charge", cpu, index, amount);
    return failed_charges(globals(), cpu) == before;
  }

  Globals* globals() { return static_cast<Globals*>(state_); }
  MemCgroup* memcg(unsigned cpu, unsigned index = 0) { return object(globals(), cpu, index); }
  Slot slot(unsigned cpu, unsigned index) { return slots(globals())[cpu * globals()->setup->stock.slots + index]; }
  PlainArena& arena() { return arena_; }
  const Variant& variant() const { return variant_; }
  void* state() { return state_; }

 private:
  PlainArena arena_;
  const Variant& variant_;
  void* state_;
  std::vector<TracedCpu> cpus_;
};

}  // namespace hitmark::memcg
