// Runs the CPUs of a simulated machine: one fiber each, accesses in the order of simulated time, each priced by
// timing.hpp. The same inputs give the same run, to the last bit, on any host.
//
// What only one core ever touches runs ahead of the others without being ordered; that is exact, not a slack:
// when a line turns out to be shared although somebody ran ahead on it, run() says so and the caller starts
// again from a fresh state, with that line known to be shared.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "harness/simulator/memory/coherent_memory.hpp"
#include "kernels/memory/traced_cpu.hpp"

namespace hitmark::simulator {

using Picoseconds = std::uint64_t;

struct EngineOptions {
  bool run_ahead = true;  // false: the lockstep reference, every access in order
  std::vector<bool> shared_lines;  // learned by an earlier try
};

// What happened to one word of memory, seen from one CPU; the sum over words and CPUs is what a report shows.
struct Traffic {
  std::uint64_t loads = 0, stores = 0, locked = 0;  // accesses by kind; a read-modify-write is a load and a store
  std::uint64_t l1 = 0, l2 = 0, l3 = 0, dram_local = 0, dram_remote = 0;  // served
  std::uint64_t smt = 0, ccx_clean = 0, ccx_dirty = 0;                   // transfers inside the CCX
  std::uint64_t quadrant = 0, cross_quadrant = 0, cross_socket = 0;      // through the home, by where the supplier is
  std::uint64_t from_modified = 0, from_owned = 0, from_clean = 0;       // the same transfers by the supplier's state
  std::uint64_t upgrades = 0, invalidations_suffered = 0;
  std::uint64_t true_sharing = 0, false_sharing = 0;  // transfers: had the bytes been accessed by the other side?
  std::uint64_t hitm_true = 0, hitm_ibs = 0;          // dirty transfers; those that perf c2c flags on Zen 2
  Picoseconds stall = 0;                              // waited for this access, beyond an L1 hit
  Traffic& operator+=(const Traffic& other);
};

class Engine : public AccessObserver {
 public:
  // `memory_base`, `homes`, `huge`: the simulated memory starts at host address `memory_base`; homes by line; `huge`
  // by line: 2 MiB pages, else 4 KiB. `os_cpus`: the simulated machine's CPU of each arena CPU.
  Engine(const MachineModel& machine, std::uintptr_t memory_base, std::vector<Home> homes, std::vector<bool> huge,
         std::vector<unsigned> os_cpus, EngineOptions options);
  ~Engine() override;

  // Runs `body(cpu)` for every arena CPU until all have returned. May be called again: caches and clocks go on,
  // all CPUs starting at the latest clock. False: a surprise; the Engine is of no more use, see shared_lines().
  bool run(const std::function<void(unsigned cpu)>& body);
  const std::vector<bool>& shared_lines() const;

  // By the running body only.
  void on_access(unsigned cpu, const Access& access) override;
  void on_relax(unsigned cpu) override;
  void spend_instructions(unsigned cpu, double instructions);
  void spend(unsigned cpu, Picoseconds time);
  Picoseconds now(unsigned cpu) const;

  // Traffic since the last clear, by CPU and byte offset (from memory_base) of the word that was accessed.
  struct Row {
    unsigned cpu;
    std::uint64_t offset;
    unsigned size;
    Traffic traffic;
  };
  std::vector<Row> traffic() const;
  void clear_traffic();
};

}  // namespace hitmark::simulator
