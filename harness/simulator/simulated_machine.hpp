// A machine of harness/simulator/machine as a Machine: the same plan, conditions, blocks and records as on a host,
// with simulated cycles for ticks. Everything it says is modelled, and the same for the same plan and seed.
#pragma once

#include <memory>

#include "harness/machine.hpp"
#include "harness/simulator/machine/machine_model.hpp"

namespace hitmark::simulator {

Result<std::unique_ptr<Machine>> make_simulated_machine(const MachineModel& model);

}  // namespace hitmark::simulator
