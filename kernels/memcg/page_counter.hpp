// struct page_counter (Linux 6.18, layout L4 of the reference, section 2.2) and its walks up the hierarchy
// (mm/page_counter.c, section 2.3), for this layout and, in kernels/page_counter, those of other releases.
//
// The code of every header in this folder is in an unnamed namespace on purpose: each variant's file gets all
// of it as its own, so that a variant and its copy share no function.
#pragma once

#include <limits>

#include "kernels/memory/cell.hpp"
#include "kernels/memory/compiler.hpp"

namespace hitmark::memcg {

inline constexpr unsigned long kPageCounterMax = std::numeric_limits<long>::max() / 4096;  // PAGE_COUNTER_MAX

struct alignas(64) PageCounter {  // pages throughout
  Cell<long> usage;
  Cell<unsigned long> failcnt;
  unsigned char pad1[48];
  Cell<unsigned long> emin;
  Cell<long> min_usage;
  Cell<long> children_min_usage;
  Cell<unsigned long> elow;
  Cell<long> low_usage;
  Cell<long> children_low_usage;
  Cell<unsigned long> watermark;
  Cell<unsigned long> local_watermark;
  Cell<bool> protection_support;
  Cell<bool> track_failcnt;
  Cell<unsigned long> min;
  Cell<unsigned long> low;
  Cell<unsigned long> high;
  Cell<unsigned long> max;
  Cell<PageCounter*> parent;
};

// What a charge does to the protections (min, low) of the counters that it passes.
enum class Protection {
  kNone,      // nothing
  kAlways,    // up to 6.0: two atomics whenever the protection is set or in use
  kOnChange,  // since 6.1: only when the share in use changes
};

// The layouts of other releases (kernels/page_counter) have not all of the fields.
template <typename Counter>
concept HasProtectionFlag = requires(Counter& c) {
  c.protection_support;
};
template <typename Counter>
concept HasLocalWatermark = requires(Counter& c) {
  c.local_watermark;
};

namespace {

// One of the two protections of one level: the share that is in use, and the parent's sum of it.
template <Protection kRule, typename Cpu, typename Counter>
HITMARK_INLINE void propagate_one(Cpu cpu, Counter& parent, unsigned long usage, Cell<unsigned long>& limit,
                                  Cell<long>& own, Cell<long> Counter::*children) {
  const unsigned long bound = cpu.read_once(limit);
  if constexpr (kRule == Protection::kAlways)
    if (!bound && !cpu.read_once(own)) return;
  const long protected_now = static_cast<long>(usage < bound ? usage : bound);
  if constexpr (kRule == Protection::kOnChange)
    if (likely(protected_now == cpu.read_once(own))) return;
  const long before = cpu.atomic_xchg(own, protected_now);
  if (protected_now != before) cpu.atomic_add(parent.*children, protected_now - before);
}

template <Protection kRule, typename Cpu, typename Counter>
HITMARK_INLINE void propagate_protected_usage(Cpu cpu, Counter& counter, unsigned long usage) {
  Counter* parent = cpu.read(counter.parent);
  if (!parent) return;
  propagate_one<kRule>(cpu, *parent, usage, counter.min, counter.min_usage, &Counter::children_min_usage);
  propagate_one<kRule>(cpu, *parent, usage, counter.low, counter.low_usage, &Counter::children_low_usage);
}

// Whether the counter that a walk begins at has protections at all.
template <Protection kRule, typename Cpu, typename Counter>
HITMARK_INLINE bool supports_protection(Cpu cpu, Counter& counter) {
  if constexpr (kRule == Protection::kNone)
    return false;
  else if constexpr (HasProtectionFlag<Counter>)
    return cpu.read(counter.protection_support);
  else
    return true;
}

// One level's part of an uncharge.
template <Protection kRule, typename Cpu, typename Counter>
HITMARK_INLINE void page_counter_cancel(Cpu cpu, Counter& counter, unsigned long nr_pages, bool protection) {
  const long usage = cpu.atomic_add_return(counter.usage, -static_cast<long>(nr_pages));
  if (protection) propagate_protected_usage<kRule>(cpu, counter, static_cast<unsigned long>(usage));
}

template <Protection kRule = Protection::kOnChange, typename Cpu, typename Counter>
HITMARK_NOIPA void page_counter_uncharge(Cpu cpu, Counter* counter, unsigned long nr_pages) {
  const bool protection = supports_protection<kRule>(cpu, *counter);
  for (Counter* c = counter; c; c = cpu.read(c->parent)) page_counter_cancel<kRule>(cpu, *c, nr_pages, protection);
}

template <typename Cpu, typename Counter>
HITMARK_INLINE void count_failure(Cpu cpu, Counter& counter) {
  if constexpr (HasProtectionFlag<Counter>)  // both flags came with the same layout
    if (!cpu.read(counter.track_failcnt)) return;
  cpu.write_once(counter.failcnt, cpu.read_once(counter.failcnt) + 1);
}

template <typename Cpu, typename Counter>
HITMARK_INLINE void update_watermark(Cpu cpu, Counter& counter, unsigned long usage) {
  if constexpr (HasLocalWatermark<Counter>) {
    if (usage <= cpu.read_once(counter.local_watermark)) return;
    cpu.write_once(counter.local_watermark, usage);
  }
  if (usage > cpu.read_once(counter.watermark)) cpu.write_once(counter.watermark, usage);
}

// Null when every level took the charge; else the level whose limit refused it, and no level is charged.
template <Protection kRule = Protection::kOnChange, typename Cpu, typename Counter>
HITMARK_NOIPA Counter* page_counter_try_charge(Cpu cpu, Counter* counter, unsigned long nr_pages) {
  const bool protection = supports_protection<kRule>(cpu, *counter);
  for (Counter* c = counter; c; c = cpu.read(c->parent)) {
    const unsigned long usage =
        static_cast<unsigned long>(cpu.atomic_add_return(c->usage, static_cast<long>(nr_pages)));
    if (unlikely(usage > cpu.read_once(c->max))) {
      cpu.atomic_add(c->usage, -static_cast<long>(nr_pages));
      count_failure(cpu, *c);
      for (Counter* below = counter; below != c; below = cpu.read(below->parent))
        page_counter_cancel<kRule>(cpu, *below, nr_pages, protection);
      return c;
    }
    if (protection) propagate_protected_usage<kRule>(cpu, *c, usage);
    update_watermark(cpu, *c, usage);
  }
  return nullptr;
}

}  // namespace
}  // namespace hitmark::memcg
