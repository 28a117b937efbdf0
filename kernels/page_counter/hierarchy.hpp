// The hierarchy of counters, as sock-charge has it: the root, then for each group of CPUs a chain of depth - 1 counters
// with `memcgs` leaves below its end. Made and checked outside of all operations, in a variant's file because the
// layout is the variant's.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/family_state.hpp"
#include "kernels/memory/native_cpu.hpp"
#include "kernels/page_counter/layouts.hpp"

namespace hitmark::page_counter {

inline constexpr int kBatch = 64;  // MEMCG_CHARGE_BATCH

namespace {

template <typename Policy>
typename Policy::Counter* make_counter(FamilySetup& setup, const std::string& name, typename Policy::Counter* parent) {
  using Counter = typename Policy::Counter;
  const NativeCpu cpu;
  auto* counter = setup.shared<Counter>("page_counter[" + name + "]", Policy::kLayoutType);
  cpu.write(counter->parent, parent);
  cpu.write(counter->high, memcg::kPageCounterMax);
  cpu.write(counter->max, parent && setup.workload.limit_pages ? setup.workload.limit_pages : memcg::kPageCounterMax);
  if (parent) {
    cpu.write(counter->min, setup.workload.protected_pages);
    cpu.write(counter->low, setup.workload.protected_pages);
  }
  if constexpr (memcg::HasProtectionFlag<Counter>)
    cpu.write(counter->protection_support, Policy::kProtection != memcg::Protection::kNone);
  Policy::set_up(setup, *counter, "[" + name + "]");
  return counter;
}

template <typename Policy>
void* set_up_hierarchy(Arena& arena, const Workload& workload) {
  FamilyState* state = new_family_state(arena, workload, kBatch);
  FamilySetup& setup = *state->setup;
  auto* root = make_counter<Policy>(setup, "root", nullptr);
  for (unsigned group = 0; group < workload.groups; ++group) {
    const std::string prefix = "g" + std::to_string(group);
    auto* parent = root;
    for (unsigned level = 1; level < workload.depth; ++level)
      parent = make_counter<Policy>(setup, prefix + ".l" + std::to_string(level), parent);
    auto& leaves = setup.objects.emplace_back();
    for (unsigned i = 0; i < workload.memcgs; ++i)
      leaves.push_back(make_counter<Policy>(setup, prefix + ".m" + std::to_string(i), parent));
  }
  finish_set_up(state);
  return state;
}

// Every level's own fields, and each level against the sums of its children.
template <typename Policy>
std::string violated(void* s) {
  using Counter = typename Policy::Counter;
  auto* state = static_cast<FamilyState*>(s);
  const NativeCpu cpu;
  struct Level {
    Counter* counter;
    std::string name;
    bool leaf;
  };
  std::vector<Level> all;
  for (const ArenaObject& object : state->setup->arena.objects())
    if (object.name.starts_with("page_counter["))
      all.push_back(
          {reinterpret_cast<Counter*>(object.address), object.name, object.name.find(".m") != std::string::npos});

  for (const auto& [counter, name, leaf] : all) {
    const auto differ = [&name = name](const std::string& what, long left, long right) {
      return name + ": " + what + " (" + std::to_string(left) + ", " + std::to_string(right) + ")";
    };
    long usage = 0, min = 0, low = 0;
    for (const Level& child : all) {
      if (cpu.read(child.counter->parent) != counter) continue;
      usage += cpu.read_once(child.counter->usage);
      min += cpu.read_once(child.counter->min_usage);
      low += cpu.read_once(child.counter->low_usage);
    }
    const long own = cpu.read_once(counter->usage);
    if (!leaf && own != usage) return differ("usage differs from the sum of the children's", own, usage);
    if (leaf && own < Policy::stocked(state, *counter))
      return differ("stocks hold more pages than are charged", Policy::stocked(state, *counter), own);
    if (const long sum = cpu.read_once(counter->children_min_usage); sum != min)
      return differ("children_min_usage differs from the children's min_usage", sum, min);
    if (const long sum = cpu.read_once(counter->children_low_usage); sum != low)
      return differ("children_low_usage differs from the children's low_usage", sum, low);
    if (static_cast<unsigned long>(own) > cpu.read(counter->max))
      return differ("usage is above the limit", own, static_cast<long>(cpu.read(counter->max)));
    if (const std::string fault = Policy::fault(state, *counter); !fault.empty()) return name + ": " + fault;
  }
  return "";
}

}  // namespace
}  // namespace hitmark::page_counter
