// For tests: every access that a simulation makes, by the name of the arena's object that it falls into.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "kernels/simulation.hpp"

namespace hitmark {

constexpr bool reads(AccessKind kind) { return kind != AccessKind::kStore; }
constexpr bool writes(AccessKind kind) { return kind != AccessKind::kLoad; }

struct Touch {
  unsigned cpu;        // that made it
  std::string object;  // per CPU "lhead@2"; "elsewhere" when in none
  std::size_t offset;  // of the object
  AccessKind kind;
};

class Recorder : public AccessObserver {
 public:
  // From here on, with an empty record.
  void start(Simulation& simulation) {
    Arena& arena = simulation.arena();
    ranges_.clear();
    for (unsigned cpu = 0; cpu < arena.cpu_count(); ++cpu)
      add(arena.percpu_address(cpu, 0), kLine, "area@" + std::to_string(cpu));
    for (const ArenaObject& object : arena.objects()) {
      if (!object.percpu) add(reinterpret_cast<void*>(object.address), object.size, object.name);
      for (unsigned cpu = 0; object.percpu && cpu < arena.cpu_count(); ++cpu)
        add(arena.percpu_address(cpu, object.address), object.size, object.name + "@" + std::to_string(cpu));
    }
    touches.clear();
  }

  void on_access(unsigned cpu, const Access& access) override {
    if (ranges_.empty()) return;
    auto after = ranges_.upper_bound(access.address);
    if (after != ranges_.begin()) {
      const auto& [start, range] = *std::prev(after);
      if (access.address - start < range.size) {
        touches.push_back({cpu, range.name, access.address - start, access.kind});
        return;
      }
    }
    touches.push_back({cpu, "elsewhere", access.address, access.kind});
  }

  // Offsets in `object`, in units of `unit` bytes, that were read (or written).
  std::set<std::size_t> read(const std::string& object, std::size_t unit) const { return units(object, unit, reads); }
  std::set<std::size_t> written(const std::string& object, std::size_t unit) const {
    return units(object, unit, writes);
  }
  std::size_t count(const std::string& object, std::size_t offset, bool (*which)(AccessKind)) const {
    std::size_t found = 0;
    for (const Touch& t : touches) found += t.object == object && t.offset == offset && which(t.kind);
    return found;
  }
  // Of the first access of that kind; touches.size() when there is none.
  std::size_t first(const std::string& object, std::size_t offset, AccessKind kind, std::size_t from = 0) const {
    for (; from < touches.size(); ++from)
      if (touches[from].object == object && touches[from].offset == offset && touches[from].kind == kind) break;
    return from;
  }

  std::vector<Touch> touches;

 private:
  struct Range {
    std::size_t size;
    std::string name;
  };

  void add(const void* at, std::size_t size, const std::string& name) {
    ranges_[reinterpret_cast<std::uintptr_t>(at)] = {size, name};
  }
  std::set<std::size_t> units(const std::string& object, std::size_t unit, bool (*which)(AccessKind)) const {
    std::set<std::size_t> found;
    for (const Touch& t : touches)
      if (t.object == object && which(t.kind)) found.insert(t.offset / unit);
    return found;
  }

  std::map<std::uintptr_t, Range> ranges_;
};

}  // namespace hitmark
