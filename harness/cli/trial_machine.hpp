// What runs the trials of a run: this host, or a simulated machine by name, from a file, or built from a topology.
#pragma once

#include <memory>
#include <string>

#include "harness/machine.hpp"
#include "harness/results/sample.hpp"
#include "harness/simulator/machine/machine_model.hpp"
#include "support/result.hpp"
#include "topology/topology.hpp"

namespace hitmark::cli {

struct MachineChoice {
  std::string name{kNative};  // or a simulated machine's name, or the path of its file
  std::string from = {};      // "host" or an hwloc XML file: simulate a machine of that structure instead
};

struct TrialMachine {
  Topology topology;  // placements are resolved on it
  std::unique_ptr<Machine> machine;
  NameValues facts;  // for the manifest: with what a stored run's machine is opened again
  bool simulated() const { return machine->deterministic(); }
};

bool wants_simulated(const MachineChoice& choice);  // else this host
// A machine that is not there: kUsage with the nearest names, "native" among them.
Result<simulator::MachineModel> load_simulated(const MachineChoice& choice);
Result<TrialMachine> open_machine(const MachineChoice& choice);

MachineChoice choice_of(const RunRecord& run);
// Why a stored run cannot go on with this machine; empty when it can.
std::string machine_differs(const RunRecord& run, const TrialMachine& now);

}  // namespace hitmark::cli
