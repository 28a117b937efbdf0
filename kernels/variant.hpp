// A kernel variant as the rest of hitmark sees it: names, traits, and plain function pointers. The concrete
// types stay inside the variant's own source file, which registers one `const Registered<Variant>`.
//
// Every source file of a variant is compiled twice: once as the variant, once (HITMARK_KERNEL_COPY defined)
// as its copy, with all code internal to the file, so that the same instructions exist at a second address.
// Comparing a variant with its copy measures what code placement alone does (the second null of a run).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "kernels/memory/arena.hpp"
#include "kernels/workload.hpp"
#include "support/registry.hpp"

namespace hitmark {

class TracedCpu;

// One operation or event of a variant, on the CPU that calls it. `state` comes from set_up, `object` from
// Variant::object (for events: null), `amount` is the family's unit (sock-charge: pages; events: ignored).
// `native` is a function of its own (noipa), so that its code has one address and one symbol. It expects
// the thread's GS base at the arena's per-CPU area of the CPU that it plays.
struct Operation {
  std::string_view name;  // "pair", "charge", "uncharge"; events: "work", "flush", "drain", "read"
  std::string_view summary;
  void (*native)(void* state, void* object, unsigned amount);
  void (*traced)(void* state, void* object, unsigned amount, TracedCpu& cpu);
};

// What a variant is made of, by aspect ("slots", "statistics", "update-rule"; policy.hpp has a family's).
// Two variants of a family differ in exactly the aspects whose values differ.
struct Trait {
  std::string_view aspect;
  std::string_view value;
};

// Of the statistics behind the hot path, read without disturbing them.
enum class Phase : std::uint8_t {
  kNone,          // the variant has no phases
  kAccumulating,  // updates still reach the shared counter
  kSaturated,     // the flush threshold is exceeded; the shared counter is only read
};

struct Variant {
  std::string_view family;   // "sock-charge"
  std::string_view name;     // "packed6"
  std::string_view summary;  // one line for `hitmark list`
  std::string_view source;   // kernel release or Message-ID that it stands for, or "counter-example"
  std::span<const Trait> traits;
  std::span<const Operation> operations;  // the first is what one CPU does when the workload is not split
  std::span<const Operation> events;      // "work" must be called by every CPU between operations when drains run
  std::string_view layout_type;           // the struct that the variant is about, as DWARF names it

  void* (*set_up)(Arena& arena, const Workload& workload);
  void (*tear_down)(void* state);
  void* (*object)(void* state, unsigned cpu, unsigned index);  // what `cpu` works on; index < workload.memcgs
  Phase (*phase)(void* state);
  // Empty when every invariant of the family holds; else the first that does not. Only at quiescent points.
  std::string (*violated_invariant)(void* state);
  // Equal for two runs (native or traced) that did the same operations in the same order.
  std::uint64_t (*digest)(void* state);
  // What the operations have left of their amounts on `object` (from Variant::object): what was added, charged or
  // counted, less what was taken back. Exact at quiescent points. No part of the program depends on it, only tests.
  long (*net)(void* state, void* object) = nullptr;
};

inline std::string registry_key(const Variant& v) { return std::string(v.family) + "/" + std::string(v.name); }

// The copies: the same sources, compiled a second time.
struct VariantCopy {
  Variant variant;
};
inline std::string registry_key(const VariantCopy& c) { return registry_key(c.variant); }

#ifdef HITMARK_KERNEL_COPY
using VariantEntry = VariantCopy;
#else
using VariantEntry = Variant;
#endif
using RegisteredVariant = Registered<VariantEntry>;

// A family as a study: which arms run by default, against which baseline, and what the headline says.
struct Family {
  std::string_view name;      // "sock-charge"
  std::string_view title;     // "Socket memory charging, patch of 2026 (Message-ID)"
  std::string_view baseline;  // "percall7"
  std::string_view headline;  // "packed6": compared with the baseline in the headline
  std::span<const std::string_view> default_arms;
  // A chain of variants, each differing from the one before in one named change: the changes' shares.
  struct Step {
    std::string_view from, to, change;
  };
  std::span<const Step> steps;
  // Workload parameters that mean nothing to the family, by their names on the command line: not varied by default, and
  // a value other than the default is refused.
  std::span<const std::string_view> refused = {};
  // Comparisons of their own beside the headline: a variant against one that differs from it in one change.
  struct Question {
    std::string_view baseline, arm, asks;
  };
  std::span<const Question> questions = {};
};
inline std::string registry_key(const Family& f) { return std::string(f.name); }

}  // namespace hitmark
