// For tests: what TracedCpu tells of a path, and where the objects lie that it tells of.
#pragma once

#include <string>
#include <vector>

#include "kernels/codegen/lackey.hpp"
#include "kernels/codegen/paths.hpp"

namespace hitmark::codegen {

class Recorder final : public AccessObserver {
 public:
  void on_access(unsigned, const Access& access) override {
    if (recording) accesses.push_back(access);
  }
  bool recording = false;
  std::vector<Access> accesses;
};

// The arena's objects if its per-CPU areas and its first shared object lay there.
inline std::vector<AddressRange> ranges_of(Simulation& s, std::uintptr_t percpu, std::uintptr_t shared) {
  const auto here = reinterpret_cast<std::uintptr_t>(s.arena().percpu_address(0, 0));
  const auto moved = [&](unsigned cpu, std::uintptr_t offset) {
    return reinterpret_cast<std::uintptr_t>(s.arena().percpu_address(cpu, offset)) - here + percpu;
  };
  std::vector<AddressRange> ranges;
  for (unsigned cpu = 0; cpu < kCpus; ++cpu) {
    const std::string at = "@" + std::to_string(cpu);
    ranges.push_back({moved(cpu, 0), kLine, "area" + at});
    for (const ArenaObject& object : s.arena().objects())
      if (object.percpu) ranges.push_back({moved(cpu, object.address), object.size, object.name + at});
  }
  const auto first = reinterpret_cast<std::uintptr_t>(s.state());
  for (const ArenaObject& object : s.arena().objects())
    if (!object.percpu) ranges.push_back({object.address - first + shared, object.size, object.name});
  return ranges;
}

inline char letter(AccessKind kind) {
  if (kind == AccessKind::kLockedReadModifyWrite) return 'X';
  if (kind == AccessKind::kReadModifyWrite) return 'M';
  return kind == AccessKind::kStore ? 'S' : 'L';
}

}  // namespace hitmark::codegen
