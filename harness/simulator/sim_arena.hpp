// The arena of one arm on a simulated machine: one contiguous host mapping, in which equal requests get equal
// offsets, and for every line of it the home that its *simulated* physical address has. Nothing of the simulation
// depends on where the host put the mapping.
//
//   [shared objects, by home node | per-CPU areas, whole pages each | pressure buffers, one per CPU]
//
// Shared objects and pressure buffers lie on 2 MiB pages, per-CPU areas on 4 KiB pages, as on a host.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/simulator/machine/machine_model.hpp"
#include "harness/simulator/memory/coherent_memory.hpp"
#include "kernels/memory/arena.hpp"
#include "support/result.hpp"

namespace hitmark::simulator {

// Node of a CPU, as topology_of() numbers nodes: NPS1 a socket, NPS4 a quadrant.
unsigned node_of_cpu(const MachineModel& machine, unsigned os_cpu);
// Home of a physical address in the memory of `node`: the machine's interleaving over the node's channels. The
// channel number is the exclusive or of all groups of address bits above the interleave unit, so that no power of
// two is a stride that stays on one channel; which bits Rome really takes is not published.
Home home_of(const MachineModel& machine, unsigned node, std::uint64_t physical_address);

struct SimArenaOptions {
  std::vector<unsigned> os_cpus;          // the machine's CPU of each arena CPU
  unsigned home_node = 0;                 // of shared objects without a home of their own
  std::map<std::string, int> homes = {};  // node by object name
  std::size_t pressure_bytes = 0;         // private to each CPU
  std::uint64_t frames_seed = 0;          // of the physical page frames: equal for all arms of an invocation
};

// Bytes in use. What a first arena took is what a second one, for the same variant and workload, needs.
struct SimArenaSizes {
  std::map<unsigned, std::size_t> shared;  // by node
  std::size_t percpu = 0;                  // of each area
};

class SimArena final : public Arena {
 public:
  // Without `sizes` there is room for any workload, but the lines are too many to be simulated.
  static Result<std::unique_ptr<SimArena>> create(const MachineModel& machine, SimArenaOptions options,
                                                  const std::optional<SimArenaSizes>& sizes = std::nullopt);
  ~SimArena() override;
  SimArena(const SimArena&) = delete;
  SimArena& operator=(const SimArena&) = delete;

  // Throw std::bad_alloc when there is no room left.
  void* shared(std::string_view name, std::string_view type, std::size_t size, std::size_t alignment) override;
  std::uintptr_t percpu(std::string_view name, std::string_view type, std::size_t size, std::size_t alignment,
                        bool at_static = false) override;
  void* percpu_address(unsigned cpu, std::uintptr_t offset) override;
  unsigned cpu_count() const override { return static_cast<unsigned>(options_.os_cpus.size()); }
  const std::vector<unsigned>& os_cpus() const { return options_.os_cpus; }
  const std::vector<ArenaObject>& objects() const override { return objects_; }

  std::uintptr_t base() const { return reinterpret_cast<std::uintptr_t>(memory_); }
  std::uint64_t* pressure(unsigned cpu) const;  // null without pressure
  const SimArenaSizes& used() const { return used_; }

  // For Engine, by line from base().
  std::vector<Home> homes() const;
  std::vector<bool> huge() const;

  // What lies `offset` bytes from base(). Name "per-CPU area" for an area's own address, "pressure" for the
  // buffers; empty for what is in no object.
  struct Place {
    std::string object, type;
    std::uint64_t in_object = 0;  // bytes
  };
  Place find(std::uint64_t offset) const;

 private:
  struct SharedRange {
    std::uint64_t begin = 0;
    std::size_t size = 0;
  };
  SimArena(const MachineModel& machine, SimArenaOptions options) : machine_(machine), options_(std::move(options)) {}
  std::uint64_t physical(std::uint64_t offset, unsigned& node, bool& huge) const;

  MachineModel machine_;
  SimArenaOptions options_;
  std::map<unsigned, SharedRange> shared_;  // by node
  std::uint64_t areas_begin_ = 0, pressure_begin_ = 0, size_ = 0;
  std::size_t area_size_ = 0, pressure_size_ = 0;
  SimArenaSizes used_;
  bool has_static_ = false;
  char* memory_ = nullptr;
  std::vector<ArenaObject> objects_;
};

}  // namespace hitmark::simulator
