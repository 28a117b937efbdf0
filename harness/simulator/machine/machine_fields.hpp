// Every number of a machine file: its path in the JSON, unit and range, and the member of MachineModel it fills.
// One table for reading, for checking ranges, and for the test that holds machine.schema.json to it.
#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "harness/simulator/machine/machine_model.hpp"

namespace hitmark::simulator {

struct MachineField {
  using Target = std::variant<unsigned*, double*, bool*, Replacement*, std::array<double, 4>*>;
  std::string_view section, name;  // "path", "r_other"
  std::string_view unit;           // "ns"; empty: a count, a factor or a switch, without a unit in the file
  double least, most;              // of numbers, both allowed
  Target target;                   // member of the model that the table was made for
};

std::vector<MachineField> machine_fields(MachineModel& model);

// What fields allow one by one but not together, as "structure.cores_per_ccx: ..."; empty when all is well.
std::string machine_contradiction(const MachineModel& model);

}  // namespace hitmark::simulator
