#include "harness/cli/machine_argument.hpp"

#include "topology/hwloc_reader.hpp"

namespace hitmark::cli {

void add_machine_options(CLI::App& app, MachineArgument& argument) {
  app.add_option("--machine", argument.name,
                 "A simulated machine: rome-2s, rome-2s@nps4, ... (hitmark list machines), or a machine file")
      ->type_name("M");
  app.add_option("--machine-from", argument.from,
                 "A simulated machine with the structure of this host ('host') or of an hwloc 2 XML file, generic "
                 "latencies")
      ->type_name("FILE")
      ->excludes("--machine");
}

Result<simulator::MachineModel> load(const MachineArgument& argument) {
  if (argument.from.empty()) return simulator::load_machine(argument.name);
  const auto topology = argument.from == "host" ? read_host_topology() : read_topology_file(argument.from);
  if (!topology) return topology.error();
  return simulator::machine_from(*topology);
}

}  // namespace hitmark::cli
