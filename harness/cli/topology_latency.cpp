// Core-to-core latencies of this host, or of a simulated machine, by the kernels of kernels/calibration.
#include "harness/cli/topology_latency.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <map>
#include <memory>

#include "harness/cli/command.hpp"
#include "harness/cli/latency_output.hpp"
#include "harness/cli/machine_argument.hpp"
#include "harness/cli/run_arguments.hpp"
#include "harness/environment.hpp"
#include "harness/native/core_to_core.hpp"
#include "harness/native/tsc.hpp"
#include "harness/simulator/validation/latency_probe.hpp"
#include "support/file.hpp"
#include "topology/hwloc_reader.hpp"

namespace hitmark::cli {
namespace {

struct Options {
  MachineChoice machine;
  bool cas = false, dirty_load = false, json = false;
  std::string format = "text", output;
  unsigned pairs = 3;
  double seconds = 100;
};

using native::CoreToCore;
using native::CoreToCoreKind;

struct Kind {
  const char* name;
  CoreToCoreKind kind;
};

std::vector<Kind> kinds_of(const Options& options) {
  const bool both = options.cas == options.dirty_load;
  std::vector<Kind> kinds;
  if (both || options.cas) kinds.push_back({"hand-off", CoreToCoreKind::kHandOff});
  if (both || options.dirty_load) kinds.push_back({"dirty-load", CoreToCoreKind::kDirtyLoad});
  return kinds;
}

// A line of a node lies in any of the node's quadrants, by its address: the mean over them.
Result<std::vector<double>> simulate_pair(const simulator::MachineModel& model, CoreToCoreKind kind, int a, int b,
                                          int node) {
  const unsigned of_node = model.quadrants / model.nodes_per_socket;
  const auto number = static_cast<unsigned>(node);
  double sum = 0;
  for (unsigned i = 0; i < of_node; ++i) {
    simulator::Home home;
    home.socket = static_cast<std::uint8_t>(number / model.nodes_per_socket);
    home.quadrant = static_cast<std::uint8_t>(number % model.nodes_per_socket * of_node + i);
    const auto from = static_cast<unsigned>(a), to = static_cast<unsigned>(b);
    sum += kind == CoreToCoreKind::kHandOff ? simulator::simulate_hand_off(model, from, to, home)
                                            : simulator::simulate_dirty_load(model, from, to, home);
  }
  return std::vector<double>{sum / of_node};
}

Result<LatencyResult> survey_machine(const Options& options) {
  const auto model = load_simulated(options.machine);
  if (!model) return model.error();
  const auto topology = simulator::topology_of(*model);
  if (!topology) return topology.error();
  LatencyResult result{model->name, model->title, true, {}, {}, topology->remarks, {}};
  for (const Kind& kind : kinds_of(options))
    result.surveys.emplace_back(
        kind.name,
        survey_latency(
            *topology, options.pairs,
            [&](int a, int b, int home) { return simulate_pair(*model, kind.kind, a, b, home); }, [] { return true; }));
  return result;
}

Result<LatencyResult> survey_host(const Options& options) {
  const auto topology = read_host_topology();
  if (!topology) return topology.error();
  if (topology->cpus().size() < 2)
    return Error{ErrorKind::kUnavailable, "this host has one usable CPU, and a latency is between two",
                 "--machine rome-2s"};
  const auto ticks = native::tsc_ticks_per_second();
  if (!ticks) return ticks.error();
  const bool must_bind = topology->nodes().size() > 1;
  std::map<int, CoreToCore> lines;  // by home
  Environment environment = read_environment();
  LatencyResult result{
      topology->source, topology->cpu_model, false, {}, {}, topology->remarks, std::move(environment.manifest)};
  result.remarks.insert(result.remarks.end(), environment.warnings.begin(), environment.warnings.end());
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(options.seconds);
  for (const Kind& kind : kinds_of(options)) {
    native::CoreToCoreOptions how;
    how.kind = kind.kind;
    how.ticks_per_second = *ticks;
    const auto measure = [&](int a, int b, int home) -> Result<std::vector<double>> {
      auto at = lines.find(home);
      if (at == lines.end()) {
        auto created = CoreToCore::create(home == kUnknown ? native::kAnyNode : home, must_bind);
        if (!created) return created.error();
        at = lines.emplace(home, std::move(*created)).first;
        for (const auto& [name, value] : at->second.evidence())
          result.evidence.emplace_back(must_bind ? fmt::format("lines for node {}, {}", home, name) : name, value);
      }
      return at->second.measure(a, b, how);
    };
    result.surveys.emplace_back(kind.name, survey_latency(*topology, options.pairs, measure,
                                                          [&] { return std::chrono::steady_clock::now() < end; }));
  }
  return result;
}

int run(const Options& options) {
  const auto result = wants_simulated(options.machine) ? survey_machine(options) : survey_host(options);
  if (!result) return fail(result.error());
  const std::string json = latency_json(*result).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  const bool as_json = options.json || options.format == "json";
  std::fputs(as_json ? json.c_str() : latency_text(*result).c_str(), stdout);
  const auto path =
      beside_the_store(options.output, "latency-" + (result->modelled ? result->machine : "host") + ".json");
  if (!path) return fail(path.error());
  if (const auto written = write_file(*path, json); !written) return fail(written.error());
  if (!as_json) fmt::print("\nstored in {}\n", *path);
  for (const auto& [kind, survey] : result->surveys)
    if (survey.measured == 0)
      return fail({ErrorKind::kUnavailable, "no pair of CPUs could be measured (" + kind + ")",
                   "stop other work on this host, or --machine rome-2s"});
  return kYes;
}

}  // namespace

std::function<int()> declare_topology_latency(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  add_machine_options(app, options->machine);
  app.add_flag("--cas", options->cas, "Only the hand-off by lock cmpxchg");
  app.add_flag("--dirty-load", options->dirty_load, "Only the dependent load of a dirty line");
  app.add_option("--pairs", options->pairs, "Pairs of CPUs measured for each pair of units and relation")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--seconds", options->seconds, "On a host: begin no further pair after this time")
      ->check(CLI::Range(0.1, 86400.0))
      ->check([](const std::string& text) { return text.find("nan") == std::string::npos ? "" : "not a number"; })
      ->capture_default_str();
  app.add_option("--output", options->output, "Where the JSON is stored; else beside the results of runs")
      ->type_name("FILE");
  app.add_option("--format", options->format, "text or json")->check(CLI::IsMember({"text", "json"}));
  app.add_flag("--json", options->json, "The same as --format json");
  return [options] { return run(*options); };
}

}  // namespace hitmark::cli
