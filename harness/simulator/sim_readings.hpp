// What an engine counted, as readings: by arm, by arena object and field, and each of these by CPU where few CPUs run.
// Counts are those of the operations that a slice stands for, not only of the simulated ones, and so need not be whole
// numbers.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/results/sample.hpp"
#include "harness/simulator/engine/engine.hpp"
#include "harness/simulator/machine/machine_model.hpp"
#include "harness/simulator/sim_arena.hpp"

namespace hitmark::simulator {

// Of `type`, what lies `offset` bytes from its begin: "stats_updates", "state[34]"; empty when not known.
using FieldNames = std::function<std::string(const std::string& type, std::uint64_t offset, unsigned size)>;

inline constexpr std::size_t kSimEvents = 39;
using EventCounts = std::array<double, kSimEvents>;

// Logical names as on hardware (harness/counters), in the order of EventCounts.
struct SimEventName {
  const char* name;
  const char* unit;
};
const std::array<SimEventName, kSimEvents>& sim_event_names();

EventCounts counts_of(const Traffic& traffic, double ghz);

// "vmstats[g0.m0]"; where an arena has more than eight objects of a base name, their numbers become '*':
// "vmstats[g*.m*]", so that what a reader sees does not grow with the workload.
std::map<std::string, std::string> display_names(const std::vector<ArenaObject>& objects);

// With more, a run's readings would outgrow its slices many times over.
inline constexpr std::size_t kMostCpusTold = 8;

class TrafficTally {
 public:
  using Find = std::function<SimArena::Place(std::uint64_t offset)>;
  TrafficTally(const MachineModel& machine, const SimArena& arena, Find find, FieldNames fields);
  void add(const std::vector<Engine::Row>& rows, double weight);
  void add(const TrafficTally& other, double weight);  // of an arena that lies alike
  void clear();
  // Totals of all events; and by object and field what is not 0 of those that have more than 1 % of the arm's stall, or
  // of its transfers, upgrades and invalidations. Of up to kMostCpusTold CPUs the same by CPU, where it is not 0.
  std::vector<Reading> readings(int arm) const;

 private:
  using Key = std::pair<std::string, std::string>;  // object, field
  std::vector<EventCounts>& counts(const Key& key);
  const Key& key_of(std::uint64_t offset, unsigned size);

  double ghz_;
  Find find_;
  FieldNames fields_;
  std::map<std::string, std::string> display_;
  std::map<std::pair<std::uint64_t, unsigned>, Key> keys_;
  std::vector<unsigned> cpus_;                      // OS numbers
  std::map<Key, std::vector<EventCounts>> counts_;  // by CPU where that is told, else all in one
};

}  // namespace hitmark::simulator
