#include "harness/cli/trial_machine.hpp"

#include "harness/cli/field_names.hpp"
#include "harness/environment.hpp"
#include "harness/native/native_machine.hpp"
#include "harness/simulator/machine_fingerprint.hpp"
#include "harness/simulator/simulated_machine.hpp"
#include "support/nearest.hpp"
#include "topology/hwloc_reader.hpp"

namespace hitmark::cli {
namespace {

constexpr const char* kMachineSource = "machine_source";            // facts of the manifest
constexpr const char* kMachineFrom = "machine_from";                // ...
constexpr const char* kMachineFingerprint = "machine_fingerprint";  // ...

bool is_path(const std::string& name) { return name.find('/') != std::string::npos || name.ends_with(".json"); }

Result<simulator::MachineModel> model_from(const std::string& from) {
  auto topology = from == "host" ? read_host_topology() : read_topology_file(from);
  if (!topology) return topology.error();
  return simulator::machine_from(*topology);
}

Result<TrialMachine> open_native() {
  auto topology = read_host_topology();
  if (!topology) return topology.error();
  auto machine = make_native_machine(*topology);
  if (!machine) return machine.error();
  return TrialMachine{std::move(*topology), std::move(*machine), {}};
}

}  // namespace

bool wants_simulated(const MachineChoice& choice) { return !choice.from.empty() || choice.name != kNative; }

Result<simulator::MachineModel> load_simulated(const MachineChoice& choice) {
  if (!choice.from.empty()) return model_from(choice.from);
  auto model = simulator::load_machine(choice.name);
  if (!model) {
    const Error& error = model.error();
    if (error.kind != ErrorKind::kUsage || is_path(choice.name) || choice.name.find('@') != std::string::npos)
      return error;
    auto known = simulator::machine_names();
    known.insert(known.begin(), std::string(kNative));
    return Error{ErrorKind::kUsage, "there is no machine '" + choice.name + "'" + did_you_mean(choice.name, known),
                 "hitmark list machines, or the path of a machine file"};
  }
  // Results with other nodes are another machine's.
  if (const auto nodes = choice.name.rfind('@'); nodes != std::string::npos) model->name += choice.name.substr(nodes);
  if (model->name == kNative)
    return Error{ErrorKind::kInvalid, choice.name + " calls its machine 'native', which is the name of this host",
                 "give the machine another \"name\""};
  return model;
}

Result<TrialMachine> open_machine(const MachineChoice& choice) {
  if (!wants_simulated(choice)) return open_native();
  const auto model = load_simulated(choice);
  if (!model) return model.error();
  auto topology = simulator::topology_of(*model);
  if (!topology) return topology.error();
  simulator::SimulatedMachineOptions options;
  options.fields = field_names();
  auto machine = simulator::make_simulated_machine(*model, options);
  if (!machine) return machine.error();
  NameValues facts = {{kMachineSource, choice.name}, {kMachineFingerprint, simulator::fingerprint(*model)}};
  if (!choice.from.empty()) facts.front() = {kMachineFrom, choice.from};
  return TrialMachine{std::move(*topology), std::move(*machine), std::move(facts)};
}

MachineChoice choice_of(const RunRecord& run) {
  if (!is_simulated(run)) return {};
  MachineChoice choice{fact(run.environment, kMachineSource), fact(run.environment, kMachineFrom)};
  if (choice.name.empty()) choice.name = run.machine;
  return choice;
}

std::string machine_differs(const RunRecord& run, const TrialMachine& now) {
  const std::string was = fact(run.environment, kMachineFingerprint), is = fact(now.facts, kMachineFingerprint);
  return was == is ? "" : "its machine " + run.machine + " is no longer described by the same numbers";
}

}  // namespace hitmark::cli
