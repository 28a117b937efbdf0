// For tests: a variant of sock-charge on simulated CPUs, with its memcgs and its slots.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/memcg/state.hpp"
#include "kernels/simulation.hpp"

namespace hitmark::memcg {

using hitmark::operation_named;
using hitmark::trait;

inline const Variant& variant_named(std::string_view name) {
  const Variant* found = Registry<Variant>::instance().find("sock-charge/" + std::string(name));
  HITMARK_CHECK(found, "no such variant");
  return *found;
}

inline std::vector<const Variant*> sock_charge_variants() { return variants_of("sock-charge"); }

// Of sock-charge, those whose trait begins so ("update-rule", "V4").
inline std::vector<const Variant*> variants_with(std::string_view aspect, std::string_view value) {
  std::vector<const Variant*> all = sock_charge_variants();
  std::erase_if(all, [&](const Variant* variant) { return !trait(*variant, aspect).starts_with(value); });
  return all;
}

// Of a test with a variant as its parameter.
inline std::string test_name_of(const Variant& variant) {
  std::string name(variant.name);
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

class Simulation : public hitmark::Simulation {
 public:
  using hitmark::Simulation::Simulation;

  // False when the limit refused it.
  bool charge(unsigned cpu, unsigned index = 0, unsigned amount = 1) {
    const unsigned long before = failed_charges(globals(), cpu);
    run("charge", cpu, index, amount);
    return failed_charges(globals(), cpu) == before;
  }

  Globals* globals() { return static_cast<Globals*>(state()); }
  MemCgroup* memcg(unsigned cpu, unsigned index = 0) { return object(globals(), cpu, index); }
  Slot slot(unsigned cpu, unsigned index) { return slots(globals())[cpu * globals()->setup->stock.slots + index]; }
};

}  // namespace hitmark::memcg
