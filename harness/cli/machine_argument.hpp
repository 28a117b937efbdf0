// --machine and --machine-from: which simulated machine a command is about.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "harness/simulator/machine/machine_model.hpp"
#include "support/result.hpp"

namespace hitmark::cli {

struct MachineArgument {
  std::string name;  // of --machine: a name, a file, with @npsN
  std::string from;  // of --machine-from: "host", or an hwloc XML file
  bool given() const { return !name.empty() || !from.empty(); }
};

void add_machine_options(CLI::App& app, MachineArgument& argument);
Result<simulator::MachineModel> load(const MachineArgument& argument);

}  // namespace hitmark::cli
