// All arms of one condition on a simulated machine. A block depends on the plan's seed, the condition and the numbers
// of invocation and block, on nothing that ran before: every arm is set up anew for it, at physical addresses that
// the invocation decides, as a process of a host gets other page frames than the one before.
#pragma once

#include <memory>

#include "harness/machine.hpp"
#include "harness/simulator/simulated_machine.hpp"
#include "harness/simulator/slice_sampler.hpp"

namespace hitmark::simulator {

// Lines that arms proved to share, by condition and arm: what one invocation learned saves the next one surprises,
// and changes no result.
using KnownLines = std::map<std::string, std::vector<bool>>;

class SimBench : public Bench {
 public:
  static Result<std::unique_ptr<SimBench>> create(const MachineModel& machine, const SimulatedMachineOptions& options,
                                                  const InstructionTable& instructions, const Plan& plan,
                                                  const Condition& condition, std::shared_ptr<KnownLines> known);
  Result<BlockRecord> run(const Trial& trial) override;
  std::uint64_t operations_per_slice() const override { return operations_; }
  NameValues notes() const override { return notes_; }

 private:
  SimBench(const MachineModel& machine, const SimulatedMachineOptions& options, const Plan& plan,
           const Condition& condition);
  SimArmOptions arm_options(int invocation, const InstructionTable& instructions) const;
  Result<void> check_limit() const;
  Result<void> check_arms();
  Result<void> run_arm(const Trial& trial, int arm, BlockRecord& block) const;

  MachineModel machine_;
  SimulatedMachineOptions options_;
  InstructionTable instructions_;
  Plan plan_;  // its arms and seed
  Condition condition_;
  std::shared_ptr<KnownLines> known_;
  std::vector<unsigned> os_cpus_;
  std::uint64_t operations_ = 0;
  NameValues notes_;
};

}  // namespace hitmark::simulator
