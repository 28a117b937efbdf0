// What is done to a variant, the same for every arm of a comparison: parameters of the workload are never
// properties of a variant. Set by name on the command line (harness/workload_text.hpp) and stored with
// each result.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace hitmark {

// What a refill does when the slot's count would exceed `high` (reference, sections 1.4 and 1.5).
struct RefillRule {
  enum class Kind : std::uint8_t {
    kDrain,      // uncharge everything in the slot and release it (G4, G5)
    kWatermark,  // uncharge the excess above `low`, keep the slot (G6)
  };
  Kind kind = Kind::kDrain;
  unsigned low = 0;    // pages kept by kWatermark: 0, 32 or 64
  unsigned high = 64;  // pages, MEMCG_CHARGE_BATCH
};

struct Workload {
  unsigned groups = 1;  // the arena's CPUs in this many equal runs of neighbours; a group shares its memcgs
  unsigned memcgs = 1;  // objects that a CPU (and every CPU of its group) uses, cyclically, one per operation
  unsigned depth = 2;   // levels of the hierarchy below the root
  unsigned pages = 1;   // pages per charge and per uncharge
  bool split = false;   // even CPUs charge, odd CPUs uncharge; neighbours 2i and 2i+1 are partners
  RefillRule refill;
  unsigned batch = 0;                    // updates or pages that a CPU keeps to itself (README); 0: the family's own
  std::uint64_t protected_pages = 0;     // memory.min and memory.low of every level below the root
  unsigned online_cpus = 0;              // for the flush threshold 64 x online CPUs; 0: the CPUs of the arena
  std::uint64_t limit_pages = 0;         // memory.max of every memcg; 0: no limit
  std::uint64_t flush_period = 100'000;  // operations of one CPU between two flushes; 0: never
  std::uint64_t drain_period = 0;        // operations of one CPU between two drains of all CPUs; 0: never
  std::uint64_t read_period = 0;         // operations of one CPU between two reads of memory.stat; 0: never
  unsigned pressure_kib = 0;             // KiB of private data touched between two operations
  std::map<std::string, int> homes;      // NUMA node of shared objects, see find_home
};

// "vmstats[g0.l1]" is one of the objects called "vmstats".
inline std::string_view base_name(std::string_view object) { return object.substr(0, object.find('[')); }

// The node that `homes` gives to a shared object, by its arena name or else by its base name; null: none.
inline const int* find_home(const std::map<std::string, int>& homes, std::string_view object) {
  auto at = homes.find(std::string(object));
  if (at == homes.end()) at = homes.find(std::string(base_name(object)));
  return at == homes.end() ? nullptr : &at->second;
}

}  // namespace hitmark
