// For tests: any variant on simulated CPUs in plain memory, one thread playing all of them.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/memory/plain_arena.hpp"
#include "kernels/memory/traced_cpu.hpp"
#include "kernels/variant.hpp"
#include "support/check.hpp"

namespace hitmark {

inline std::vector<const Variant*> variants_of(std::string_view family) {
  std::vector<const Variant*> all;
  for (const Variant& variant : Registry<Variant>::instance().all())
    if (variant.family == family) all.push_back(&variant);
  return all;
}

inline std::vector<const Variant*> every_variant() {
  std::vector<const Variant*> all;
  for (const Variant& variant : Registry<Variant>::instance().all()) all.push_back(&variant);
  return all;
}

// "percpu-counter/rseq-add" as a part of a test's or a file's name: "percpu_counter_rseq_add".
inline std::string as_identifier(std::string text) {
  for (char& c : text)
    if (c == '-' || c == '/') c = '_';
  return text;
}

// Null when the variant has none of that name.
inline const Operation* find_operation(const Variant& variant, std::string_view name) {
  for (const auto& list : {variant.operations, variant.events})
    for (const Operation& operation : list)
      if (operation.name == name) return &operation;
  return nullptr;
}

inline const Operation& operation_named(const Variant& variant, std::string_view name) {
  const Operation* found = find_operation(variant, name);
  HITMARK_CHECK(found, "no such operation");
  return *found;
}

// Empty when the variant has no such aspect.
inline std::string_view trait(const Variant& variant, std::string_view aspect) {
  for (const Trait& trait : variant.traits)
    if (trait.aspect == aspect) return trait.value;
  return "";
}

class Simulation {
 public:
  Simulation(const Variant& variant, const Workload& workload, unsigned cpus, AccessObserver* observer = nullptr)
      : arena_(cpus), variant_(variant), state_(variant.set_up(arena_, workload)) {
    for (unsigned cpu = 0; cpu < cpus; ++cpu)
      cpus_.emplace_back(cpu, reinterpret_cast<std::uintptr_t>(arena_.percpu_address(cpu, 0)), observer);
  }
  virtual ~Simulation() { variant_.tear_down(state_); }
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  void run(const Operation& operation, unsigned cpu, void* on = nullptr, unsigned amount = 0) {
    operation.traced(state_, on, amount, cpus_[cpu]);
  }
  void run(std::string_view name, unsigned cpu, unsigned index = 0, unsigned amount = 1) {
    run(operation_named(variant_, name), cpu, variant_.object(state_, cpu, index), amount);
  }

  PlainArena& arena() { return arena_; }
  const Variant& variant() const { return variant_; }
  void* state() { return state_; }
  unsigned cpu_count() const { return static_cast<unsigned>(cpus_.size()); }

 private:
  PlainArena arena_;
  const Variant& variant_;
  void* state_;
  std::vector<TracedCpu> cpus_;
};

}  // namespace hitmark
