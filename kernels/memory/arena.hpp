// Where a variant puts its objects. Every object has a name, the name of its C++ type (found again in our
// own DWARF) and a home; natively the harness backs the arena by pages bound to NUMA nodes, in the
// simulator and in tests by plain memory (plain_arena.hpp).
//
// Each arm of a comparison has an arena of its own, so the arms share no line. The first 64 bytes of every
// per-CPU area hold the area's own address (`this_cpu_off` in Linux); from kStaticPercpu on lies the
// variant's one static per-CPU object, at a compile-time offset as in the kernel; dynamic objects follow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hitmark {

inline constexpr std::size_t kLine = 64;                // bytes of a cache line
inline constexpr std::uintptr_t kStaticPercpu = 64;     // offset of the static per-CPU object
inline constexpr std::size_t kStaticPercpuSize = 1024;  // bytes reserved for it

struct ArenaObject {
  std::string name;        // "vmstats[a]", "memcg_stock"
  std::string type;        // C++ type as DWARF names it, namespace included
  std::uintptr_t address;  // of a shared object; offset into the per-CPU areas of a per-CPU one
  std::size_t size;
  bool percpu;
};

class Arena {
 public:
  virtual ~Arena() = default;
  // Zeroed memory, aligned to `alignment` (a power of two up to 4096). The memory lives as long as the arena.
  virtual void* shared(std::string_view name, std::string_view type, std::size_t size, std::size_t alignment) = 0;
  // The offset of `size` zeroed bytes in every CPU's area. The static object is the first to be asked for,
  // with `name` ending in no special way: pass at_static = true exactly once.
  virtual std::uintptr_t percpu(std::string_view name, std::string_view type, std::size_t size, std::size_t alignment,
                                bool at_static = false) = 0;
  virtual void* percpu_address(unsigned cpu, std::uintptr_t offset) = 0;
  virtual unsigned cpu_count() const = 0;  // CPUs are numbered 0 .. cpu_count() - 1 inside an arena
  virtual const std::vector<ArenaObject>& objects() const = 0;
};

}  // namespace hitmark
