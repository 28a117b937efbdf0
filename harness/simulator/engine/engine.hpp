// Runs the CPUs of a simulated machine: one fiber each, accesses in the order of simulated time, each priced by
// timing.hpp and core_model.hpp. The same inputs give the same run, to the last bit, on any host.
//
// What only one core ever touches runs ahead of the others without being ordered; that is exact, not a slack:
// when a line turns out to be shared although somebody ran ahead on it, run() says so and the caller starts
// again from a fresh state, with that line known to be shared.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "harness/simulator/engine/traffic.hpp"
#include "harness/simulator/memory/coherent_memory.hpp"
#include "kernels/memory/traced_cpu.hpp"

namespace hitmark::simulator {

struct Cpu;

struct EngineOptions {
  bool run_ahead = true;           // false: the lockstep reference, every access in order
  std::vector<bool> shared_lines;  // learned by an earlier try
};

class Engine final : public AccessObserver {
 public:
  // `memory_base`, `homes`, `huge`: the simulated memory starts at host address `memory_base`, a multiple of 64, and
  // has a home by line; `huge` by line: 2 MiB pages, else 4 KiB. `os_cpus`: the simulated machine's CPU of each arena
  // CPU. An access lies within one line of that memory.
  Engine(const MachineModel& machine, std::uintptr_t memory_base, std::vector<Home> homes, std::vector<bool> huge,
         std::vector<unsigned> os_cpus, EngineOptions options);
  ~Engine() override;

  // Runs `body(cpu)` for every arena CPU until all have returned; what a body throws is thrown from here. May be
  // called again: caches and clocks go on, all CPUs starting at the latest clock. False: a surprise; all bodies have
  // run, but the Engine is of no more use, see shared_lines().
  bool run(const std::function<void(unsigned cpu)>& body);
  // Known to be shared at the start, or found to be since; of a surprise, at least one is new.
  const std::vector<bool>& shared_lines() const;
  // Already now: a body may as well stop.
  bool surprised() const;

  // By the running body only.
  void on_access(unsigned cpu, const Access& access) override;
  // A pause; what has been loaded is waited for.
  void on_relax(unsigned cpu) override;
  // An access costs one instruction when it is made. This spends the rest of `instructions`: those that are more than
  // the accesses since the last call. So call it with all instructions of an operation after (or before) each one,
  // and with 0 after accesses that are to cost no more than themselves.
  void spend_instructions(unsigned cpu, double instructions);
  void spend(unsigned cpu, Picoseconds time);
  // Waits until all that other CPUs do before now() has been done, and nothing after it: only then may a body read or
  // write what the simulated memory does not hold and other bodies do.
  void in_turn(unsigned cpu);
  // Of the accesses since the last call: how many, and their access_signature().
  struct Path {
    std::uint32_t accesses = 0;
    std::uint64_t signature = 0;
  };
  Path take_path(unsigned cpu);
  Picoseconds now(unsigned cpu) const;

  // Traffic since the last clear, by CPU and byte offset (from memory_base) of the word that was accessed.
  struct Row {
    unsigned cpu;
    std::uint64_t offset;
    unsigned size;  // bytes, of the first access
    Traffic traffic;
  };
  std::vector<Row> traffic() const;  // by CPU, then offset
  void clear_traffic();
  // Of one CPU, at its place in the order: by the running body only.
  void clear_traffic(unsigned cpu);
  // Traffic::stall so far of the word at `address`, which may be asked for while a body runs.
  Picoseconds stall(unsigned cpu, std::uintptr_t address) const;

  struct Work {  // of this engine, not of the machine
    std::uint64_t accesses = 0, ordered = 0, switches = 0;
  };
  Work work() const;
  const CoherentMemory& memory() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
  Cpu* cpus_;
};

}  // namespace hitmark::simulator
