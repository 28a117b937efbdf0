// One arm of a condition on a simulated machine: its memory, its state, its engine, and on every CPU a loop that
// calls the variant's traced operation. What it does is told in stretches; a stretch may be repeated exactly.
//
// When the engine is surprised (it ran ahead on a line that proves to be shared), the arm is made again from nothing
// and does all its stretches again, with that line known; after some surprises it goes on in lockstep.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/plan.hpp"
#include "harness/simulator/engine/engine.hpp"
#include "harness/simulator/instructions/instruction_table.hpp"
#include "harness/simulator/sim_arena.hpp"
#include "harness/simulator/sim_events.hpp"
#include "support/result.hpp"

namespace hitmark::simulator {

struct SimArmOptions {
  SimArenaOptions arena;
  InstructionTable instructions;
  bool run_ahead = true;
  std::vector<bool> shared_lines = {};  // that an arm of the same variant, workload and CPUs found: saves surprises
};

// All CPUs at once from the latest of their clocks on, each after a delay of its own.
struct Stretch {
  std::uint64_t operations = 0;  // of each CPU
  std::uint64_t chunk = 64;      // operations whose time is told together; 0: no time is told
  std::uint64_t untold = 0;      // the first of each CPU's operations: neither their time nor their traffic is told
  int event_first = -1;          // of SimEvents::events: CPU 0 runs it before its operations, outside their time
  bool even_only = false;        // the charging CPUs of a split workload
  std::uint64_t jitter_seed = 0;
};

struct StretchLog {
  std::vector<std::vector<Picoseconds>> chunks;  // by CPU: time of its operations, events left out
  Picoseconds event_time = 0;                    // of event_first
  std::vector<Engine::Row> traffic;              // of the operations whose time it is, and of the events among them
};

class SimArm {
 public:
  // kUnsupported when the variant lacks an operation or event that the workload asks for, or when no instruction
  // counts of it are known. `arm.variant` null: the empty arm.
  static Result<std::unique_ptr<SimArm>> set_up(const MachineModel& machine, const Arm& arm, const Workload& workload,
                                                const SimArmOptions& options);
  ~SimArm();
  SimArm(const SimArm&) = delete;
  SimArm& operator=(const SimArm&) = delete;

  // Events with a longer period happen from now on only as Stretch::event_first. Before the first stretch.
  void take_off_the_clock(std::uint64_t longest_period);
  StretchLog run(const Stretch& stretch);
  // `operations` of each CPU in turn, one at a time, unseen by the engine: the state goes on, no cache does. Stops
  // early when the phase becomes kSaturated. Operations done.
  std::uint64_t fast_forward(std::uint64_t operations);
  // Every CPU looks into its mailbox.
  void answer_mail();

  const std::string& name() const { return name_; }
  const SimEvents& events() const { return events_; }
  const SimArena& arena() const { return *made_->arena; }
  const void* state() const { return made_->state; }  // the variant's; another one after a surprise
  Phase phase() const;
  std::string violated_invariant() const;
  std::uint64_t digest() const;
  std::uint64_t operations(unsigned cpu) const { return made_->cpus[cpu].operations; }  // simulated so far
  // Of all operations so far: those on a path whose instructions were measured, and all.
  std::uint64_t exact_paths() const { return made_->exact; }
  std::uint64_t all_paths() const { return made_->all; }
  unsigned surprises() const { return surprises_; }
  const std::vector<bool>& shared_lines() const { return made_->engine->shared_lines(); }

 private:
  struct OnCpu {
    const Operation* operation = nullptr;
    const OperationCounts* counts = nullptr;
    std::vector<void*> objects;
    std::size_t next_object = 0;
    std::uint64_t operations = 0;
    std::unique_ptr<TracedCpu> traced, unseen;
  };
  struct Made {  // all that is made again after a surprise
    std::unique_ptr<SimArena> arena;
    void* state = nullptr;
    std::unique_ptr<Engine> engine;
    std::vector<OnCpu> cpus;
    std::uint64_t exact = 0, all = 0;
  };
  struct Step {  // of the history
    Stretch stretch = {};
    std::uint64_t fast_forward = 0;
    bool mail = false;
  };

  SimArm(const MachineModel& machine, const Arm& arm, const Workload& workload, const SimArmOptions& options);
  Result<void> make(std::vector<bool> shared_lines);
  void unmake();
  Result<void> connect(unsigned cpu);
  bool try_step(const Step& step, StretchLog* log);
  void do_step(const Step& step, StretchLog* log);
  void make_again();
  bool try_run(const Stretch& stretch, StretchLog* log);
  void run_on(unsigned cpu, const Stretch& stretch, StretchLog* log);
  void operate(unsigned cpu);
  void run_event(unsigned cpu, const SimEvent& event);
  void account(unsigned cpu, const OperationCounts& counts, double more);

  MachineModel machine_;
  std::string name_;
  const Variant* variant_;
  Workload workload_;
  SimArmOptions options_;
  SimEvents events_;
  std::optional<SimArenaSizes> sizes_;
  std::unique_ptr<Made> made_;
  std::vector<Step> history_;
  unsigned surprises_ = 0;
};

}  // namespace hitmark::simulator
