// `hitmark list`: what there is to name on the command line, from the registries themselves.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/cli/command.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/counters/counter_source.hpp"
#include "harness/simulator/machine/machine_model.hpp"
#include "harness/workload_text.hpp"
#include "kernels/variant.hpp"
#include "reports/report.hpp"
#include "reports/text_fit.hpp"
#include "support/nearest.hpp"

namespace hitmark::cli {
namespace {

using Json = nlohmann::ordered_json;

// Each topic is an array of objects; the text is made from the same objects. list.schema.json describes them.
Json families() {
  Json list = Json::array();
  for (const Family& family : Registry<Family>::instance().all()) {
    Json arms = Json::array(), steps = Json::array(), questions = Json::array();
    for (const auto arm : family.default_arms) arms.push_back(arm);
    for (const auto& step : family.steps)
      steps.push_back({{"from", step.from}, {"to", step.to}, {"change", step.change}});
    for (const auto& question : family.questions)
      questions.push_back({{"baseline", question.baseline}, {"arm", question.arm}, {"asks", question.asks}});
    list.push_back({{"name", family.name},
                    {"title", family.title},
                    {"baseline", family.baseline},
                    {"headline", family.headline},
                    {"default_arms", arms},
                    {"steps", steps},
                    {"questions", questions}});
  }
  return list;
}

Json operations(std::span<const Operation> all) {
  Json list = Json::array();
  for (const Operation& operation : all) list.push_back({{"name", operation.name}, {"summary", operation.summary}});
  return list;
}

Json variants() {
  Json list = Json::array();
  for (const Variant& variant : Registry<Variant>::instance().all()) {
    Json traits = Json::object();
    for (const Trait& trait : variant.traits) traits[std::string(trait.aspect)] = trait.value;
    list.push_back({{"family", variant.family},
                    {"name", variant.name},
                    {"summary", variant.summary},
                    {"source", variant.source},
                    {"layout_type", variant.layout_type},
                    {"traits", traits},
                    {"operations", operations(variant.operations)},
                    {"events", operations(variant.events)}});
  }
  return list;
}

Json parameters() {
  const NameValues defaults = to_name_values(Workload{});
  Json list = Json::array();
  for (const WorkloadParameter& parameter : workload_parameters()) {
    Json entry = {{"name", parameter.name}, {"meaning", parameter.meaning}, {"default", nullptr}};
    for (const auto& [name, value] : defaults)
      if (name == parameter.name) entry["default"] = value;
    list.push_back(std::move(entry));
  }
  return list;
}

Json counters() {
  Json list = Json::array();
  for (const CounterSource& source : Registry<CounterSource>::instance().all())
    list.push_back({{"name", source.name}, {"summary", source.summary}, {"version", source.version()}});
  return list;
}

Json formats() {
  Json list = Json::array();
  for (const Renderer& renderer : Registry<Renderer>::instance().all())
    list.push_back({{"name", renderer.name}, {"summary", renderer.summary}});
  return list;
}

Json machines() {
  Json list = Json::array();
  for (const std::string& name : simulator::machine_names())
    if (const auto machine = simulator::load_machine(name))
      list.push_back({{"name", machine->name},
                      {"title", machine->title},
                      {"caution", machine->caution},
                      {"cpus", machine->cpus()},
                      {"file", Json::parse(simulator::machine_text(name))}});
  return list;
}

std::string text(const Json& value) { return value.is_null() ? "" : value.get<std::string>(); }

// "  name   text", continued under the text.
void print_entry(const std::string& name, const std::string& text) {
  constexpr int kWidth = 120;
  fmt::print("{}", text_fit::wrapped(text, std::min(kWidth, stdout_width(kWidth)), fmt::format("  {:<18} ", name),
                                     std::string(21, ' ')));
}

void print_families(const Json& list) {
  for (const Json& family : list) {
    print_entry(text(family["name"]), text(family["title"]));
    for (const Json& question : family["questions"])
      print_entry("", text(question["asks"]) + " --variants " + text(question["arm"]) + " --baseline " +
                          text(question["baseline"]));
  }
}

void print_variants(const Json& list) {
  for (const Json& variant : list) {
    print_entry(text(variant["name"]), text(variant["summary"]));
    print_entry("", "source: " + text(variant["source"]));
    std::string traits, names;
    for (const auto& [aspect, value] : variant["traits"].items())
      traits += (traits.empty() ? "" : ", ") + aspect + "=" + text(value);
    for (const Json& operation : variant["operations"]) names += (names.empty() ? "" : ", ") + text(operation["name"]);
    print_entry("", "traits: " + traits);
    print_entry("", "operations: " + names);
  }
}

void print_pairs(const Json& list, const char* second) {
  for (const Json& entry : list) {
    const std::string standard = entry.contains("default") ? text(entry["default"]) : "";
    print_entry(text(entry["name"]), text(entry[second]) + (standard.empty() ? "" : " [" + standard + "]"));
  }
}

void print_machines(const Json& list) {
  for (const Json& machine : list) {
    print_entry(text(machine["name"]), text(machine["title"]));
    if (machine["caution"] != "") print_entry("", "caution: " + text(machine["caution"]));
  }
}

struct Topic {
  const char* name;
  const char* heading;
  Json (*make)();
  void (*print)(const Json&);
};

const Topic kTopics[] = {
    {"families", "Studies (hitmark run NAME)", families, print_families},
    {"variants", "Variants (--variants, --baseline)", variants, print_variants},
    {"parameters", "Workload parameters (--set NAME=VALUE)", parameters,
     [](const Json& j) { print_pairs(j, "meaning"); }},
    {"counters", "Counter backends (--counters)", counters, [](const Json& j) { print_pairs(j, "summary"); }},
    {"formats", "Formats (--format)", formats, [](const Json& j) { print_pairs(j, "summary"); }},
    {"machines", "Machines to simulate (--machine NAME, or a machine file)", machines, print_machines},
};

int list(const std::string& wanted, bool json) {
  std::vector<std::string> known;
  Json all = Json::object();
  for (const Topic& topic : kTopics) {
    known.emplace_back(topic.name);
    if (!wanted.empty() && wanted != topic.name) continue;
    const Json content = topic.make();
    if (!json) {
      fmt::print("{}{}:\n", wanted.empty() && &topic != kTopics ? "\n" : "", topic.heading);
      topic.print(content);
    }
    all[topic.name] = content;
  }
  if (all.empty())
    return fail({ErrorKind::kUsage, "there is nothing called '" + wanted + "' to list" + did_you_mean(wanted, known),
                 "hitmark list"});
  if (json) fmt::print("{}\n", (wanted.empty() ? all : all[wanted]).dump(2));
  return kYes;
}

std::function<int()> declare(CLI::App& app) {
  auto topic = std::make_shared<std::string>();
  auto format = std::make_shared<std::string>("text");
  auto json = std::make_shared<bool>(false);
  app.add_option("TOPIC", *topic, "families, variants, parameters, counters, formats or machines; else all of them");
  app.add_option("--format", *format, "text or json")->capture_default_str()->type_name("F");
  app.add_flag("--json", *json, "Same as --format json");
  return [topic, format, json] {
    if (*format != "text" && *format != "json")
      return fail(
          {ErrorKind::kUsage,
           "list has no format '" + *format + "'" + did_you_mean(*format, std::vector<std::string>{"text", "json"}),
           "--format json"});
    return list(*topic, *json || *format == "json");
  };
}

const Registered<Command> registered{
    {"list", "List studies, variants, parameters, counters, formats and machines", declare}};

}  // namespace
}  // namespace hitmark::cli
