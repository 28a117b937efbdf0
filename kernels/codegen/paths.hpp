// Every path through the operations of a family's variants: what to do to a fresh state, then the one operation that
// takes the path. Used to count instructions (instructions_test.cpp) and to compare accesses
// (trace_equivalence_test.cpp); that together they execute every instruction is tested, too.
//
// A family is known here by the file that registers its TestedFamily: its paths, and what its code may differ in.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/simulation.hpp"
#include "kernels/workload.hpp"

namespace hitmark::codegen {

struct Path {
  std::string name;
  Workload workload;
  std::function<void(Simulation&)> prepare;  // on kCpus simulated CPUs, from a fresh state
  std::string_view operation;                // then this Operation or event of the variant, on CPU 0
  unsigned index = 0;                        // of the object among those that CPU 0 uses
  unsigned amount = 1;
  bool has_reference = true;  // false: what the family's reference C leaves out
};

inline constexpr unsigned kCpus = 3;

// Those variants whose trait of that aspect begins so; by default all.
struct OfTrait {
  std::string_view aspect = "", begins = "";
  bool holds(const Variant& variant) const { return trait(variant, aspect).starts_with(begins); }
};

// What no path can execute on one CPU without interrupts, in instructions.
struct Unreachable {
  std::string_view function;
  std::size_t instructions;
  std::string_view reason;
  OfTrait of = {};
};

// A function that the C must have.
struct Hot {
  std::string function;
  OfTrait of = {};
};

struct TestedFamily {
  std::string_view name;
  std::string_view references;  // the folder of its reference C, from here, with a slash; empty: this one
  std::vector<Path> (*paths_of)(const Variant&);
  std::unique_ptr<Simulation> (*simulate)(const Variant&, const Workload&, AccessObserver*);
  // Of the hot paths, and what they may execute beyond C with plain accesses, as gcc uses no volatile access as an
  // operand (README.md).
  bool (*is_hit)(const Path&);
  std::size_t more_than_plain_c = 0;
  std::size_t least_compared = 0;                   // functions of a variant with equal text
  std::vector<Hot> hot = {};                        // those that must be among them
  std::vector<std::string> without_reference = {};  // functions that the C leaves out
  // Functions for which gcc makes other code than g++ (README.md), in all variants or, as "VARIANT/FUNCTION", in one.
  std::vector<std::string> other_text = {};
  std::vector<Unreachable> unreachable = {};
  // What a variant may execute on a path beyond C, where it is more than one instruction (README.md).
  std::vector<std::pair<std::string_view, std::size_t>> more_than_c = {};
  bool (*is_cmpxchg)(std::string_view access) = nullptr;  // words that only a locked cmpxchg updates, or null
  bool (*is_exchanged)(std::string_view access) =
      nullptr;                                           // words that both a locked cmpxchg and an xchg update, or null
  std::vector<std::string_view> may_touch_nothing = {};  // events that have nothing to do in some variants
};

inline const TestedFamily& tested_family(const Variant& variant) {
  const TestedFamily* found = Registry<TestedFamily>::instance().find(std::string(variant.family));
  HITMARK_CHECK(found, "a family without paths: add kernels/codegen/paths_FAMILY.cpp");
  return *found;
}

inline bool has_other_text(const Variant& variant, const std::string& function) {
  for (const std::string& entry : tested_family(variant).other_text)
    if (entry == function || entry == std::string(variant.name) + "/" + function) return true;
  return false;
}

inline std::size_t more_than_c(const Variant& variant) {
  for (const auto& [name, instructions] : tested_family(variant).more_than_c)
    if (name == variant.name) return instructions;
  return 1;
}

inline std::vector<Path> paths_of(const Variant& variant) { return tested_family(variant).paths_of(variant); }

template <typename S = Simulation>
std::unique_ptr<Simulation> simulate(const Variant& variant, const Workload& workload, AccessObserver* observer) {
  return std::make_unique<S>(variant, workload, kCpus, observer);
}

// For paths_of: adds a path of `workload` to `all`.
inline auto adding_to(std::vector<Path>& all, const Workload& workload) {
  return [&all, workload](std::string name, std::string_view operation, unsigned amount, auto prepare) -> Path& {
    all.push_back({std::move(name), workload, prepare, operation, 0, amount});
    return all.back();
  };
}

inline bool may_touch_nothing(const Path& path, const TestedFamily& family) {
  return std::ranges::find(family.may_touch_nothing, path.operation) != family.may_touch_nothing.end();
}

// lackey runs under valgrind, which has no rseq: those variants are single-stepped (stepped_accesses.hpp).
inline bool is_restartable(const Variant& variant) {
  for (const Trait& trait : variant.traits)
    if (trait.value == "restartable") return true;
  return false;
}

}  // namespace hitmark::codegen
