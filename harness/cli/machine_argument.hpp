// --machine and --machine-from of the commands that look at a machine without running trials on it.
#pragma once

#include <CLI/CLI.hpp>

#include "harness/cli/trial_machine.hpp"

namespace hitmark::cli {

void add_machine_options(CLI::App& app, MachineChoice& choice);

}  // namespace hitmark::cli
