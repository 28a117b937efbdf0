// struct page_counter (Linux 6.18, layout L4 of the reference, section 2.2) and its walks up the hierarchy
// (mm/page_counter.c, section 2.3).
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

namespace {

// One of the two protections (min, low) of one level: the share that is in use, and the parent's sum of it.
template <typename Cpu>
HITMARK_INLINE void propagate_one(Cpu cpu, PageCounter& parent, unsigned long usage, Cell<unsigned long>& limit,
                                  Cell<long>& own, Cell<long> PageCounter::*children) {
  const unsigned long bound = cpu.read_once(limit);
  const long protected_now = static_cast<long>(usage < bound ? usage : bound);
  if (likely(protected_now == cpu.read_once(own))) return;
  const long before = cpu.atomic_xchg(own, protected_now);
  if (protected_now != before) cpu.atomic_add(parent.*children, protected_now - before);
}

template <typename Cpu>
HITMARK_INLINE void propagate_protected_usage(Cpu cpu, PageCounter& counter, unsigned long usage) {
  PageCounter* parent = cpu.read(counter.parent);
  if (!parent) return;
  propagate_one(cpu, *parent, usage, counter.min, counter.min_usage, &PageCounter::children_min_usage);
  propagate_one(cpu, *parent, usage, counter.low, counter.low_usage, &PageCounter::children_low_usage);
}

// One level's part of an uncharge.
template <typename Cpu>
HITMARK_INLINE void page_counter_cancel(Cpu cpu, PageCounter& counter, unsigned long nr_pages, bool protection) {
  const long usage = cpu.atomic_add_return(counter.usage, -static_cast<long>(nr_pages));
  if (protection) propagate_protected_usage(cpu, counter, static_cast<unsigned long>(usage));
}

template <typename Cpu>
HITMARK_NOIPA void page_counter_uncharge(Cpu cpu, PageCounter* counter, unsigned long nr_pages) {
  const bool protection = cpu.read(counter->protection_support);
  for (PageCounter* c = counter; c; c = cpu.read(c->parent)) page_counter_cancel(cpu, *c, nr_pages, protection);
}

// Null when every level took the charge; else the level whose limit refused it, and no level is charged.
template <typename Cpu>
HITMARK_NOIPA PageCounter* page_counter_try_charge(Cpu cpu, PageCounter* counter, unsigned long nr_pages) {
  const bool protection = cpu.read(counter->protection_support);
  for (PageCounter* c = counter; c; c = cpu.read(c->parent)) {
    const unsigned long usage =
        static_cast<unsigned long>(cpu.atomic_add_return(c->usage, static_cast<long>(nr_pages)));
    if (unlikely(usage > cpu.read_once(c->max))) {
      cpu.atomic_add(c->usage, -static_cast<long>(nr_pages));
      if (cpu.read(c->track_failcnt)) cpu.write_once(c->failcnt, cpu.read_once(c->failcnt) + 1);
      for (PageCounter* below = counter; below != c; below = cpu.read(below->parent))
        page_counter_cancel(cpu, *below, nr_pages, protection);
      return c;
    }
    if (protection) propagate_protected_usage(cpu, *c, usage);
    if (usage > cpu.read_once(c->local_watermark)) {
      cpu.write_once(c->local_watermark, usage);
      if (usage > cpu.read_once(c->watermark)) cpu.write_once(c->watermark, usage);
    }
  }
  return nullptr;
}

}  // namespace
}  // namespace hitmark::memcg
