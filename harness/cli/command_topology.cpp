// hitmark topology: the machine as the studies see it, and where each placement would run; `latency` is nested.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "harness/cli/command.hpp"
#include "harness/cli/machine_argument.hpp"
#include "harness/cli/topology_latency.hpp"
#include "harness/cli/topology_output.hpp"
#include "topology/hwloc_reader.hpp"

namespace hitmark::cli {
namespace {

struct Options {
  MachineChoice machine;
  std::string input, synthetic, format = "text";
  std::vector<std::string> placements;
  bool json = false;
};

Result<Topology> read(const CLI::App& app, const Options& options) {
  if (app.count("--input") > 0) return read_topology_file(options.input);
  if (app.count("--synthetic") > 0) return read_synthetic_topology(options.synthetic);
  if (wants_simulated(options.machine)) {
    const auto model = load_simulated(options.machine);
    return model ? simulator::topology_of(*model) : model.error();
  }
  return read_host_topology();
}

void print_text(const Topology& topology, const std::vector<Placement>& placements, bool asked) {
  std::string text;
  if (!asked)
    text = topology_text(topology) + "\nPlacements, with @home:local, @home:remote or @home:NODE on request\n";
  text += placements_text(placements);
  if (!asked) {
    text += "also spread:N, fill:N, groups:KxN, likwid's pin expressions and lists such as 0-3,8\n";
    for (const MissingPlacement& missing : missing_placements(topology))
      text += "no " + missing.name + ": " + missing.reason + '\n';
  }
  std::fputs(text.c_str(), stdout);
}

int run(const CLI::App& app, const Options& options) {
  const auto topology = read(app, options);
  if (!topology) return fail(topology.error());
  const bool asked = !options.placements.empty();
  std::vector<Placement> placements;
  for (const std::string& name : asked ? options.placements : available_placements(*topology)) {
    auto placement = resolve_placement(*topology, name);
    if (!placement) return fail(placement.error());
    placements.push_back(std::move(*placement));
  }
  if (options.json || options.format == "json")
    std::puts(topology_json(*topology, placements)
                  .dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
                  .c_str());
  else
    print_text(*topology, placements, asked);
  return kYes;
}

std::function<int()> declare(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("--input", options->input, "An hwloc 2 XML file (lstopo --of xml) instead of this host");
  app.add_option("--synthetic", options->synthetic,
                 "An hwloc synthetic string instead of this host: 'pack:2 [numa] l3:16(size=16777216) core:4 pu:2'")
      ->excludes("--input");
  add_machine_options(app, options->machine);
  for (const char* option : {"--machine", "--machine-from"})
    app.get_option(option)->excludes("--input")->excludes("--synthetic");
  app.add_option("--placement", options->placements, "Show where this placement would run; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--format", options->format, "text or json")->check(CLI::IsMember({"text", "json"}));
  app.add_flag("--json", options->json, "The same as --format json");
  CLI::App* latency = app.add_subcommand("latency", "What a cache line costs between each two CPUs, here or simulated");
  const auto run_latency = declare_topology_latency(*latency);
  return [&app, options, latency, run_latency] {
    if (!latency->parsed()) return run(app, *options);
    for (const CLI::Option* option : app.get_options())
      if (option->count() > 0)  // of `topology` itself: it would be ignored
        return fail({ErrorKind::kUsage, option->get_name() + " must stand after 'latency', or cannot go with it",
                     "hitmark topology latency --help"});
    return run_latency();
  };
}

const Registered<Command> registered{{"topology", "Which CPUs share what, and where each placement runs", declare}};

}  // namespace
}  // namespace hitmark::cli
