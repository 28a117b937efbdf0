// struct page_counter in its layouts (reference, section 2.2). L4 is memcg::PageCounter. The offsets of L0 to L3 follow
// from the published order of the fields; inside struct mem_cgroup L0 and L1 were not aligned to lines, here all begin
// one.
#pragma once

#include <cstdint>

#include "kernels/memcg/page_counter.hpp"

namespace hitmark::page_counter {

// Up to 5.11: usage, limits and parent on one line.
struct PageCounterL0 {
  Cell<long> usage;
  Cell<unsigned long> min, low, high, max;
  Cell<PageCounterL0*> parent;
  Cell<unsigned long> emin;
  Cell<long> min_usage, children_min_usage;
  Cell<unsigned long> elow;
  Cell<long> low_usage, children_low_usage;
  Cell<unsigned long> watermark, failcnt;
};

// 5.12 to 6.0: the parent is on the second line.
struct PageCounterL1 {
  Cell<long> usage;
  Cell<unsigned long> min, low, high, max;
  Cell<unsigned long> emin;
  Cell<long> min_usage, children_min_usage;
  Cell<unsigned long> elow;
  Cell<long> low_usage, children_low_usage;
  Cell<unsigned long> watermark, failcnt;
  Cell<PageCounterL1*> parent;
};

// 6.1 to 6.11: usage alone, protections, what is only read.
struct alignas(64) PageCounterL2 {
  Cell<long> usage;
  alignas(64) Cell<unsigned long> emin;
  Cell<long> min_usage, children_min_usage;
  Cell<unsigned long> elow;
  Cell<long> low_usage, children_low_usage;
  Cell<unsigned long> watermark, failcnt;
  alignas(64) Cell<unsigned long> min;
  Cell<unsigned long> low, high, max;
  Cell<PageCounterL2*> parent;
};

// 6.12 to 6.14: local_watermark pushes failcnt onto a line of its own, a fourth.
struct alignas(64) PageCounterL3 {
  Cell<long> usage;
  alignas(64) Cell<unsigned long> emin;
  Cell<long> min_usage, children_min_usage;
  Cell<unsigned long> elow;
  Cell<long> low_usage, children_low_usage;
  Cell<unsigned long> watermark, local_watermark, failcnt;
  alignas(64) Cell<bool> protection_support;
  Cell<bool> track_failcnt;
  Cell<unsigned long> min, low, high, max;
  Cell<PageCounterL3*> parent;
};

using PageCounterL4 = memcg::PageCounter;

// L4 with the stock of 2026 behind it, on the line that is only read (reference, section 2.4).
struct alignas(64) StockedPageCounter {
  Cell<long> usage;
  Cell<unsigned long> failcnt;
  alignas(64) Cell<unsigned long> emin;
  Cell<long> min_usage, children_min_usage;
  Cell<unsigned long> elow;
  Cell<long> low_usage, children_low_usage;
  Cell<unsigned long> watermark, local_watermark;
  Cell<bool> protection_support, track_failcnt;
  Cell<unsigned long> min, low, high, max;
  Cell<StockedPageCounter*> parent;
  Cell<std::uintptr_t> stock;  // per-CPU offset of a PackedStock or PaddedStock
};

// What a CPU has charged to one counter in advance. Sixteen packed ones share a line, all of the same CPU.
struct PackedStock {
  Cell<int> nr_pages;
};
struct alignas(64) PaddedStock {
  Cell<int> nr_pages;
};

}  // namespace hitmark::page_counter
