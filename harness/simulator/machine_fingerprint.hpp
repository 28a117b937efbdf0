// Two machines with equal fingerprints give equal results: a hash over every number of the model.
#pragma once

#include <string>

#include "harness/simulator/machine/machine_model.hpp"

namespace hitmark::simulator {

std::string fingerprint(const MachineModel& model);  // 16 hexadecimal digits

}  // namespace hitmark::simulator
