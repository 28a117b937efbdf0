#include "harness/cli/machine_argument.hpp"

namespace hitmark::cli {

void add_machine_options(CLI::App& app, MachineChoice& choice) {
  app.add_option("--machine", choice.name,
                 "A simulated machine instead: rome-2s, rome-2s@nps4, ... (hitmark list machines), or a machine file")
      ->type_name("M");
  app.add_option("--machine-from", choice.from,
                 "A simulated machine with the structure of this host ('host') or of an hwloc 2 XML file, and generic "
                 "latencies")
      ->type_name("FILE")
      ->excludes("--machine");
}

}  // namespace hitmark::cli
