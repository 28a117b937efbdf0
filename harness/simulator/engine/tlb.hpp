// Data TLBs, one per core: an L1 of any page sizes, fully associative, and an L2; both replace the least recently
// used. A page is a small number; where its translation lies in an L1 is a table, so that a hit is one look-up.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/simulator/engine/scheduler.hpp"
#include "harness/simulator/machine/machine_model.hpp"
#include "harness/simulator/memory/zeroed_array.hpp"

namespace hitmark::simulator {

class Tlb {
 public:
  enum class Level : std::uint8_t { kL1, kL2, kWalk };

  Tlb(const TlbGeometry& geometry, unsigned cores, std::size_t pages);

  struct Entry {
    Key used = 0;            // when, in the order of the core's accesses; 0: never
    std::uint32_t page = 0;  // number + 1; 0: empty
  };

  // Of a core's L1: by page, its entry + 1, or 0 when it misses; and the entries.
  const std::uint8_t* slots(unsigned core) const { return slots_.data() + core * pages_; }
  Entry* entries(unsigned core) { return &l1_[std::size_t{core} * l1_entries_]; }

  // `now` orders the uses of a core. When the L1 misses, `evicted` is the page + 1 that it had to give up, or 0.
  Level access(unsigned core, std::uint32_t page, Key now, std::uint32_t& evicted);

 private:
  Level fill_from_l2(unsigned core, std::uint32_t page, Key now);

  std::size_t pages_;
  unsigned l1_entries_, l2_sets_, l2_ways_;
  ZeroedArray<std::uint8_t> slots_;  // by core and page: entry of the L1 + 1
  std::vector<Entry> l1_, l2_;
};

}  // namespace hitmark::simulator
