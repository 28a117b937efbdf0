// `hitmark validate-model`: how far simulated machines agree with published measurements. Exit 1 when one misses.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/command.hpp"
#include "harness/cli/machine_argument.hpp"
#include "harness/simulator/validation/validate_model.hpp"

namespace hitmark::cli {
namespace {

using Json = nlohmann::ordered_json;
using simulator::Basis;
using simulator::Check;
using simulator::Figure;

struct Options {
  MachineChoice machine;
  std::string against, format = "text";
  bool json = false, details = false;
};

Json to_json(const std::vector<Check>& checks, bool passed, const std::string& note) {
  Json list = Json::array();
  for (const Check& check : checks) {
    Json values = Json::array(), figures = Json::array();
    for (const auto& value : check.values)
      values.push_back({{"what", value.what},
                        {"reference", value.reference},
                        {"simulated", value.simulated},
                        {"deviation_percent", 100 * value.deviation()}});
    for (const Figure& figure : check.figures)
      figures.push_back({{"name", figure.name},
                         {"unit", figure.unit},
                         {"value", figure.value},
                         {"target", figure.target},
                         {"passed", figure.passed()}});
    list.push_back({{"name", check.name},
                    {"basis", name_of(check.basis)},
                    {"foundation", check.foundation},
                    {"reference", check.reference},
                    {"unit", check.unit},
                    {"passed", check.passed()},
                    {"figures", figures},
                    {"values", values}});
  }
  return {{"format", 1}, {"quality", "modelled"}, {"passed", passed}, {"note", note}, {"checks", list}};
}

std::string shown(const Figure& figure) {
  const char* unit = figure.unit.empty() ? "" : " ";
  if (figure.target == 0) return fmt::format("{}: {:.0f}{}{}", figure.name, figure.value, unit, figure.unit);
  return fmt::format("{} {:.2f}{}{} (<= {:g})", figure.name, figure.value, unit, figure.unit, figure.target);
}

void print_check(const Check& check, bool details) {
  std::string figures;
  for (const Figure& figure : check.figures) figures += (figures.empty() ? "" : ", ") + shown(figure);
  fmt::print("{} {}: {}\n", check.passed() ? "  ok  " : "MISSED", check.name, figures);
  fmt::print("       {}: {}\n", name_of(check.basis), check.foundation);
  if (!details) return;
  fmt::print("       against {}\n", check.reference);
  std::size_t width = 12;
  for (const auto& value : check.values) width = std::max(width, value.what.size());
  fmt::print("       {:<{}} {:>10} {:>10} {:>9}   {}\n", "", width, "reference", "simulated", "deviation", check.unit);
  for (const auto& value : check.values)
    fmt::print("       {:<{}} {:>10.2f} {:>10.2f} {:>+8.2f}%\n", value.what, width, value.reference, value.simulated,
               100 * value.deviation());
}

void print_text(const std::vector<Check>& checks, bool passed, const std::string& note, bool details) {
  const auto missed = std::ranges::count_if(checks, [](const Check& check) { return !check.passed(); });
  fmt::print("{}: {} of {} checks of the simulated machine{}\n\n", passed ? "passed" : "MISSED",
             static_cast<long>(checks.size()) - missed, checks.size(), passed ? "" : " are within their targets");
  for (const Check& check : checks) print_check(check, details);
  if (!note.empty()) fmt::print("\nNote: {}\n", note);
  fmt::print(
      "\nfitted: the parameters were chosen to agree; predicted: from elsewhere; exact: by rule;\n"
      "stated: by the machine file.\n"
      "What a published CAS loop measures is that loop simulated, transfer by transfer. Not modelled: transient\n"
      "races, which a serialising home excludes by construction.\n");
}

int run(const Options& options, bool named, bool against) {  // what was typed
  if (named && options.machine.name == kNative)
    return fail({ErrorKind::kUsage, "native is this host, and validate-model is about simulated machines",
                 "hitmark topology latency measures this host"});
  if (against && (options.against.empty() || !wants_simulated(options.machine)))
    return fail({ErrorKind::kUsage, "--against NAME is about a machine of your own", "add --machine FILE"});
  std::string note;
  auto checks = Result<std::vector<Check>>(std::vector<Check>{});
  if (wants_simulated(options.machine)) {
    const auto machine = load_simulated(options.machine);
    if (!machine) return fail(machine.error());
    checks = simulator::validate_machine(*machine, options.against);
    note = simulator::lacks_measurement(*machine, options.against);
  } else {
    checks = simulator::validate_all();
  }
  if (!checks) return fail(checks.error());
  const bool passed = std::ranges::all_of(*checks, [](const Check& check) { return check.passed(); });
  if (options.json || options.format == "json")
    fmt::print("{}\n", to_json(*checks, passed, note).dump(2));
  else
    print_text(*checks, passed, note, options.details);
  return passed ? kYes : kNo;
}

std::function<int()> declare(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  add_machine_options(app, options->machine);
  const CLI::Option* against =
      app.add_option("--against", options->against, "Compare the machine with the published matrix of this one")
          ->type_name("NAME");
  app.add_flag("--details", options->details, "Every value behind the figures");
  app.add_option("--format", options->format, "text or json")->check(CLI::IsMember({"text", "json"}));
  app.add_flag("--json", options->json, "The same as --format json");
  return [options, against, machine = app.get_option("--machine")] {
    return run(*options, machine->count() > 0, against->count() > 0);
  };
}

const Registered<Command> registered{
    {"validate-model", "How far the simulated machines agree with published measurements", declare}};

}  // namespace
}  // namespace hitmark::cli
