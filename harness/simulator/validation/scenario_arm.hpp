// A server of the scenarios: every CPU handles requests at a fixed rate, each with private data to touch, a charge and
// an uncharge, and the accesses of each call are told apart by the function that makes them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/simulator/engine/engine.hpp"
#include "harness/simulator/instructions/instruction_table.hpp"
#include "harness/simulator/machine/machine_model.hpp"
#include "harness/simulator/sim_arena.hpp"
#include "harness/simulator/validation/scenario_functions.hpp"
#include "kernels/variant.hpp"
#include "support/result.hpp"
#include "support/seeds.hpp"

namespace hitmark::simulator {

struct ScenarioLoad {
  std::vector<unsigned> os_cpus;  // the machine's CPUs that are simulated; the first also flushes
  unsigned online_cpus = 0;       // for the flush threshold, 64 updates each
  unsigned depth = 2;             // levels below the root
  unsigned pressure_lines = 0;    // private lines touched before each charge, and again before each uncharge
  double pairs_per_second = 0;    // of one CPU: a charge and an uncharge; 0: one after the other
  std::uint64_t seed = 1;
  bool run_ahead = true;  // of the engine; false: lockstep, which is never surprised
};

// What calls of one kind cost, by who spends it: sums over calls.
struct CallTally {
  std::uint64_t calls = 0, exact = 0;      // exact: the instructions of that very path were measured
  double own = 0, rstat = 0, callees = 0;  // instructions of the function itself, css_rstat_updated and the others
  Picoseconds own_stall = 0, rstat_stall = 0, callees_stall = 0;
  CallTally& operator+=(const CallTally& other);
};
struct PairTally {
  CallTally charge, uncharge;
  PairTally& operator+=(const PairTally& other);
};

class ScenarioArm {
 public:
  // `shared_lines`: from an arm that was surprised.
  static Result<std::unique_ptr<ScenarioArm>> create(const MachineModel& machine, const Variant& variant,
                                                     const ScenarioLoad& load, const InstructionTable& instructions,
                                                     std::vector<bool> shared_lines);
  ~ScenarioArm();
  ScenarioArm(const ScenarioArm&) = delete;
  ScenarioArm& operator=(const ScenarioArm&) = delete;

  // Pairs of all CPUs, not simulated, until the statistics are saturated; false: they never are.
  bool fast_forward();
  bool saturated() const;

  // Simulates `pairs` on every CPU. Null: the engine was surprised, and all must begin anew with shared_lines().
  // The flushing CPU's calls are not counted.
  std::unique_ptr<PairTally> run(unsigned pairs);

  struct Flush {
    PairTally tally;
    double flush_seconds = 0;        // of the flush itself
    double seconds = 0;              // from its start until the statistics are saturated again
    std::uint64_t accumulating = 0;  // updates meanwhile, of all CPUs
    std::uint64_t calls = 0;         // of the whole window, all CPUs
  };
  // The first CPU flushes while all others go on, until the statistics are saturated (unless they never are) and
  // then `tail` pairs more of each CPU.
  std::unique_ptr<Flush> run_flush(unsigned tail);

  const std::vector<bool>& shared_lines() const { return engine_->shared_lines(); }
  double cycles_per_instruction() const { return cycles_per_instruction_; }
  double cycles(Picoseconds time) const { return static_cast<double>(time) * machine_.core.ghz / 1000; }
  // Simulated calls whose CPU came later than the rate asked for, and all.
  double late_share() const { return pairs_ ? static_cast<double>(late_) / static_cast<double>(pairs_) : 0; }

 private:
  enum Call : unsigned { kCharge, kUncharge };
  struct Word {  // of those that a CPU's calls touched
    std::uintptr_t address;
    Part part;
    Picoseconds stall;  // when last looked at
    bool touched;       // by the latest call
  };
  class OnCpu;

  ScenarioArm(const MachineModel& machine, const Variant& variant, const ScenarioLoad& load);
  Result<void> set_up(const InstructionTable& instructions, std::vector<bool> shared_lines);
  void pair(unsigned cpu);
  void wait_for_turn(unsigned cpu);
  void touch_pressure(unsigned cpu);
  void call(unsigned cpu, Call call);
  std::unique_ptr<PairTally> collect();

  MachineModel machine_;
  const Variant& variant_;
  ScenarioLoad load_;
  double cycles_per_instruction_ = 0;
  std::unique_ptr<SimArena> arena_;
  void* state_ = nullptr;
  std::unique_ptr<Engine> engine_;
  const Operation* operations_[2] = {};
  const Operation* flush_ = nullptr;
  const OperationCounts* counts_[2] = {};
  const OperationCounts* flush_counts_ = nullptr;
  std::vector<std::vector<double>> part_shares_[2];
  std::vector<std::unique_ptr<OnCpu>> cpus_;
  bool saturates_ = false;
  std::uint64_t late_ = 0, pairs_ = 0;
};

}  // namespace hitmark::simulator
