// `hitmark doctor`: what this host can and cannot measure, and what to type to change that.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/command.hpp"
#include "harness/cli/doctor.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/counters/counter_source.hpp"
#include "harness/counters/event_names.hpp"
#include "harness/counters/probe_all.hpp"
#include "harness/environment.hpp"
#include "reports/text_fit.hpp"

namespace hitmark::cli {
namespace {

using State = Check::State;

struct Options {
  std::string format = "text";
  bool json = false;
  bool overhead = false;
};

struct Diagnosis {
  Environment environment;
  std::vector<Check> checks;
  std::vector<Probe> probes;
  std::vector<Overhead> overhead;

  std::string fact(std::string_view name) const {
    for (const auto& [key, value] : environment.manifest)
      if (key == name) return value;
    return "unknown";
  }
  bool study_can_run() const {
    return std::ranges::none_of(checks, [](const Check& c) { return c.vital && c.state == State::kMissing; });
  }
};

// "  label   text", continued under the text.
void print_item(std::string_view label, std::string_view text) {
  constexpr int kWidth = 100, kLabel = 17;
  fmt::print("{}", text_fit::wrapped(text, std::min(kWidth, stdout_width(kWidth)),
                                     fmt::format("  {:<{}} ", label, kLabel), std::string(kLabel + 3, ' ')));
}

void print_hint(std::string_view hint) {
  if (!hint.empty()) print_item("", fmt::format("try: {}", hint));
}

void print_checks(const Diagnosis& found, bool works) {
  for (const Check& check : found.checks) {
    if ((check.state == State::kWorks) != works) continue;
    print_item(check.name, check.finding);
    print_hint(check.hint);
  }
}

std::string source_label(const std::string& source) {
  const CounterSource* known = Registry<CounterSource>::instance().find(source);
  if (!known) return source;
  const std::string version = known->version();
  return version.empty() || version == "not built in" || version.starts_with("Linux") ? source : source + " " + version;
}

std::string counted(const Probe& probe) {
  const bool time = probe.reading.unit == "ns";
  std::string text =
      fmt::format("{} counted {:.0f}{}", source_label(probe.reading.source), *probe.reading.value, time ? " ns" : "");
  if (probe.expected > 0) text += fmt::format(" where {:.0f} were due", probe.expected);
  if (!probe.reading.reason.empty()) text += "; " + probe.reading.reason;
  return text;
}

// One entry per source and reason, with all the events that it stops.
void print_unavailable(const std::vector<Probe>& probes) {
  std::vector<bool> printed(probes.size());
  for (std::size_t i = 0; i < probes.size(); ++i) {
    const Reading& reading = probes[i].reading;
    if (printed[i] || reading.value) continue;
    std::string events;
    for (std::size_t j = i; j < probes.size(); ++j) {
      const Reading& other = probes[j].reading;
      if (other.value || other.source != reading.source || other.reason != reading.reason || other.hint != reading.hint)
        continue;
      events += (events.empty() ? "" : ", ") + other.event;
      printed[j] = true;
    }
    print_item(source_label(reading.source), events);
    print_item("", reading.reason);
    print_hint(reading.hint);
  }
}

void print_text(const Diagnosis& found) {
  fmt::print("hitmark {} on {} ({}), Linux {}{}\n", found.fact("hitmark"), found.fact("cpu"), found.fact("cpu_id"),
             found.fact("kernel"), found.fact("virtual_machine").starts_with("yes") ? ", virtual machine" : "");
  const bool hardware = std::ranges::any_of(
      found.probes, [](const Probe& p) { return p.reading.value && is_hardware_event(p.reading.event); });
  fmt::print("{}\n", !found.study_can_run() ? "A study cannot run here."
                     : hardware             ? "A study can run here: timing, with hardware counters beside it."
                                            : "A study can run here: timing. Hardware counters are not measured.");
  fmt::print("\nWorks\n");
  print_checks(found, true);
  for (const Probe& probe : found.probes)
    if (probe.reading.value) print_item(probe.reading.event, counted(probe));

  fmt::print("\nDoes not, or not fully\n");
  print_checks(found, false);
  print_unavailable(found.probes);

  fmt::print("\nSettings\n");
  for (const char* name : {"governor", "boost", "smt", "nps", "numa_balancing", "nmi_watchdog", "mitigations",
                           "container", "page_sizes", "compiler", "revision"})
    print_item(name, found.fact(name));
  if (!found.environment.warnings.empty()) fmt::print("\nMakes results doubtful\n");
  for (const std::string& warning : found.environment.warnings) print_item("", warning);

  if (!found.overhead.empty())
    fmt::print("\nThe trial loop, in executed instructions per operation beyond the operation\n");
  for (const Overhead& one : found.overhead)
    print_item(one.driver, fmt::format("{:.2f} ({})", one.instructions_per_operation, one.setting));
}

const char* state_name(State state) {
  return state == State::kWorks ? "works" : state == State::kLimited ? "limited" : "missing";
}

void print_json(const Diagnosis& found) {
  using nlohmann::ordered_json;
  ordered_json root;
  root["study_can_run"] = found.study_can_run();
  root["checks"] = ordered_json::array();
  for (const Check& check : found.checks)
    root["checks"].push_back({{"name", check.name},
                              {"state", state_name(check.state)},
                              {"vital", check.vital},
                              {"finding", check.finding},
                              {"hint", check.hint}});
  root["counters"] = ordered_json::array();
  for (const Probe& probe : found.probes) {
    const Reading& reading = probe.reading;
    const CounterSource* source = Registry<CounterSource>::instance().find(reading.source);
    const EventName* event = find_event(reading.event);
    root["counters"].push_back({{"source", reading.source},
                                {"version", source ? ordered_json(source->version()) : ordered_json()},
                                {"event", reading.event},
                                {"meaning", event ? event->meaning : ""},
                                {"unit", reading.unit},
                                {"available", reading.value.has_value()},
                                {"counted", reading.value ? ordered_json(*reading.value) : ordered_json()},
                                {"expected", probe.expected > 0 ? ordered_json(probe.expected) : ordered_json()},
                                {"reason", reading.reason},
                                {"hint", reading.hint}});
  }
  if (!found.overhead.empty()) {
    root["overhead"] = ordered_json::array();
    for (const Overhead& one : found.overhead)
      root["overhead"].push_back({{"driver", one.driver},
                                  {"setting", one.setting},
                                  {"instructions_per_operation", one.instructions_per_operation}});
  }
  for (const auto& [name, value] : found.environment.manifest) root["environment"][name] = value;
  root["warnings"] = found.environment.warnings;
  // Whatever the kernel says may hold any byte; JSON may not.
  fmt::print("{}\n", root.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

int run(const Options& options) {
  Diagnosis found;
  found.environment = read_environment();
  found.checks = check_host();
  found.probes = probe_all();
  Result<std::vector<Overhead>> measured = std::vector<Overhead>{};
  if (options.overhead) measured = measure_overhead();
  if (measured) found.overhead = *measured;
  if (options.json || options.format == "json")
    print_json(found);
  else
    print_text(found);
  std::fflush(stdout);
  if (!measured) return fail(measured.error());  // the diagnosis is there all the same
  return found.study_can_run() ? kYes : kEnvironment;
}

std::function<int()> declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("--format", options->format, "text or json")->check(CLI::IsMember({"text", "json"}));
  app.add_flag("--json", options->json, "the same as --format json (schema: harness/cli/doctor.schema.json)");
  app.add_flag("--overhead", options->overhead, "also count the instructions of the trial loops, by single-stepping");
  return [options] { return run(*options); };
}

const Registered<Command> registered({"doctor", "What this host can and cannot measure, and what would change it",
                                      declare});

}  // namespace
}  // namespace hitmark::cli
