// A machine of harness/simulator/machine as a Machine: the same plan, conditions, blocks and records as on a host,
// with simulated cycles for ticks. Everything it says is modelled, and the same for the same plan and seed.
#pragma once

#include <memory>
#include <optional>

#include "harness/machine.hpp"
#include "harness/simulator/instructions/instruction_table.hpp"
#include "harness/simulator/machine/machine_model.hpp"
#include "harness/simulator/sim_readings.hpp"

namespace hitmark::simulator {

struct SimulatedMachineOptions {
  FieldNames fields = {};                                       // for readings by field; empty: offsets are told
  std::optional<InstructionTable> instructions = std::nullopt;  // instead of the built-in ones
  bool run_ahead = true;                                        // false: the lockstep reference
};

Result<std::unique_ptr<Machine>> make_simulated_machine(const MachineModel& model,
                                                        const SimulatedMachineOptions& options = {});

}  // namespace hitmark::simulator
