// Machine files to MachineModels: {"name", "title", "caution"?, "based_on"?, sections of
// "field": {"value", "unit" where there is one, "source"}}. Every error names the place in the JSON.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "embedded/machine_files.hpp"
#include "harness/simulator/machine/machine_fields.hpp"
#include "harness/simulator/machine/machine_model.hpp"
#include "support/file.hpp"
#include "support/nearest.hpp"
#include "support/printable.hpp"

namespace hitmark::simulator {
namespace {

using Json = nlohmann::json;
constexpr std::size_t kLargestFile = 1 << 20;
constexpr int kDeepestBase = 4;  // of files that are based on each other

// What is wrong, without the name of the file.
using Complaint = std::string;

// nlohmann keeps the last of two equal keys without a word; a number that is set twice is a mistake.
Result<Json> parse_json(std::string_view text, const std::string& name) {
  std::vector<std::set<std::string>> keys;
  std::string twice;
  const auto watch = [&](int, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second && twice.empty())
      twice = value.get<std::string>();
    return true;
  };
  try {
    Json json = Json::parse(text, watch);
    if (twice.empty()) return json;
    return Error{ErrorKind::kInvalid, name + ": the key \"" + twice + "\" stands twice in one object", ""};
  } catch (const Json::parse_error& error) {
    const std::string_view before = text.substr(0, std::min(error.byte, text.size()));
    return Error{ErrorKind::kInvalid,
                 name + " is not JSON: line " + std::to_string(1 + std::count(before.begin(), before.end(), '\n')) +
                     " cannot be read",
                 "hitmark list machines"};
  } catch (const Json::exception&) {
    // Not a parse error, but a number like 1e999 that no double can hold.
    return Error{ErrorKind::kInvalid, name + " is not JSON: it holds a number that is too large",
                 "hitmark list machines"};
  }
}

std::string shown(double value) {
  std::string text = Json(value).dump();
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

Complaint read_number(const Json& value, const MachineField& field, bool whole, double& number) {
  if (!value.is_number()) return "must be a number";
  number = value.get<double>();
  if (whole && !value.is_number_integer()) return "must be a whole number";
  if (!(number >= field.least && number <= field.most))
    return shown(number) + " is outside " + shown(field.least) + " to " + shown(field.most) +
           (field.unit.empty() ? "" : " " + std::string(field.unit));
  return {};
}

struct ReadValue {
  const Json& value;
  const MachineField& field;

  Complaint operator()(unsigned* target) const {
    double number = 0;
    if (auto wrong = read_number(value, field, true, number); !wrong.empty()) return wrong;
    *target = static_cast<unsigned>(number);
    return {};
  }
  Complaint operator()(double* target) const { return read_number(value, field, false, *target); }
  Complaint operator()(std::array<double, 4>* target) const {
    if (!value.is_array() || value.size() != target->size()) return "must be a list of 4 numbers";
    for (std::size_t i = 0; i < target->size(); ++i)
      if (auto wrong = read_number(value[i], field, false, (*target)[i]); !wrong.empty())
        return "[" + std::to_string(i) + "] " + wrong;
    return {};
  }
  Complaint operator()(bool* target) const {
    if (!value.is_boolean()) return "must be true or false";
    *target = value.get<bool>();
    return {};
  }
  Complaint operator()(Replacement* target) const {
    if (value != "lru" && value != "tree-plru") return "must be \"lru\" or \"tree-plru\"";
    *target = value == "lru" ? Replacement::kLru : Replacement::kTreePlru;
    return {};
  }
};

Complaint read_field(const Json& entry, const MachineField& field) {
  if (!entry.is_object()) return "must be {\"value\": ..., \"source\": \"...\"}";
  for (const auto& [key, value] : entry.items())
    if (key != "value" && key != "unit" && key != "source")
      return "has an unknown key \"" + key + "\"" +
             did_you_mean(key, std::vector<std::string>{"value", "unit", "source"});
  if (!entry.contains("value")) return "has no \"value\"";
  const auto source = entry.find("source");
  if (source == entry.end() || !source->is_string() || source->get<std::string>().empty())
    return "has no \"source\": say where the number comes from";
  const auto unit = entry.find("unit");
  if (field.unit.empty() && unit != entry.end()) return "takes no \"unit\"";
  if (!field.unit.empty() && (unit == entry.end() || *unit != std::string(field.unit)))
    return "must have \"unit\": \"" + std::string(field.unit) + "\"";
  return std::visit(ReadValue{entry["value"], field}, field.target);
}

Complaint unknown_key(const Json& object, const std::string& where, const std::vector<std::string>& known) {
  for (const auto& [key, value] : object.items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      return where + "has an unknown key \"" + key + "\"" + did_you_mean(key, known);
  return {};
}

Complaint read_fields(const Json& json, bool all_needed, MachineModel& model) {
  const std::vector<MachineField> fields = machine_fields(model);
  std::vector<std::string> top = {"$schema", "name", "title", "caution", "based_on"};
  for (const MachineField& field : fields)
    if (top.back() != field.section) top.emplace_back(field.section);
  if (auto wrong = unknown_key(json, "", top); !wrong.empty()) return wrong;
  for (const MachineField& field : fields) {
    const std::string section(field.section), where = section + "." + std::string(field.name);
    const auto found = json.find(section);
    if (found != json.end()) {
      if (!found->is_object()) return section + " must be an object";
      std::vector<std::string> names;
      for (const MachineField& other : fields)
        if (other.section == field.section) names.emplace_back(other.name);
      if (auto wrong = unknown_key(*found, section + " ", names); !wrong.empty()) return wrong;
    }
    if (found == json.end() || !found->contains(field.name)) {
      if (all_needed) return where + " is missing, and there is no \"based_on\" to take it from";
      continue;
    }
    if (auto wrong = read_field((*found)[std::string(field.name)], field); !wrong.empty()) return where + " " + wrong;
  }
  return {};
}

Complaint read_texts(const Json& json, MachineModel& model) {
  model.caution.clear();  // a caution is about one file's numbers, never inherited
  for (const auto& [key, target] :
       {std::pair{"name", &model.name}, std::pair{"title", &model.title}, std::pair{"caution", &model.caution}}) {
    const auto found = json.find(key);
    const bool optional = target == &model.caution;
    if (found == json.end() && optional) continue;
    if (found == json.end() || !found->is_string() || (found->get<std::string>().empty() && !optional))
      return std::string(key) + " must be a text";
    *target = found->get<std::string>();
    // They are printed as they are, and a terminal obeys such bytes.
    if (std::any_of(target->begin(), target->end(), is_control))
      return std::string(key) + " must be one line without control characters";
  }
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  if (!std::all_of(model.name.begin(), model.name.end(), plain) || model.name.size() > 40)
    return "name must be at most 40 of a-z, 0-9 and -";
  return {};
}

const std::string_view* built_in(std::string_view name) {
  for (const auto& [known, text] : embedded::kMachineFiles)
    if (known == name) return text;
  return nullptr;
}

Result<MachineModel> parse(std::string_view text, const std::string& name, int depth) {
  const auto invalid = [&](const Complaint& what) {
    return Error{ErrorKind::kInvalid, name + ": " + what, "hitmark list machines --json shows complete machines"};
  };
  const auto json = parse_json(text, name);
  if (!json) return json.error();
  if (!json->is_object()) return invalid("a machine file is one JSON object");
  MachineModel model;
  const auto base = json->find("based_on");
  if (base != json->end()) {
    if (!base->is_string()) return invalid("based_on must be the name of a machine");
    const std::string_view* base_text = built_in(base->get<std::string>());
    if (!base_text)
      return invalid("based_on names no machine" + did_you_mean(base->get<std::string>(), machine_names()));
    if (depth == kDeepestBase) return invalid("based_on leads through too many files");
    auto parsed = parse(*base_text, base->get<std::string>(), depth + 1);
    if (!parsed) return parsed.error();
    model = std::move(*parsed);
  }
  if (auto wrong = read_texts(*json, model); !wrong.empty()) return invalid(wrong);
  if (auto wrong = read_fields(*json, base == json->end(), model); !wrong.empty()) return invalid(wrong);
  if (auto wrong = machine_contradiction(model); !wrong.empty()) return invalid(wrong);
  return model;
}

// "@nps4" off the end of `name`.
Result<unsigned> take_nodes_per_socket(std::string_view& name) {
  const auto at = name.rfind('@');
  if (at == std::string_view::npos) return 0u;
  const std::string_view suffix = name.substr(at + 1);
  if (suffix != "nps1" && suffix != "nps2" && suffix != "nps4")
    return Error{ErrorKind::kUsage, "'" + std::string(suffix) + "' after the machine's name is not nps1, nps2 or nps4",
                 "--machine " + std::string(name.substr(0, at)) + "@nps4"};
  name = name.substr(0, at);
  return static_cast<unsigned>(suffix.back() - '0');
}

}  // namespace

std::vector<std::string> machine_names() {
  std::vector<std::string> names;
  for (const auto& [name, text] : embedded::kMachineFiles) names.emplace_back(name);
  return names;
}

std::string_view machine_text(std::string_view name) {
  const std::string_view* text = built_in(name);
  return text ? *text : std::string_view{};
}

Result<MachineModel> parse_machine(std::string_view text, const std::string& name) {
  if (text.size() > kLargestFile)
    return Error{ErrorKind::kInvalid, name + " is larger than a machine file can be (1 MiB)", ""};
  return parse(text, name, 0);
}

std::string_view without_nodes(std::string_view name) { return name.substr(0, name.find('@')); }
bool is_built_in(std::string_view name) { return built_in(without_nodes(name)) != nullptr; }

Result<MachineModel> load_machine(std::string_view name_or_path) {
  std::string_view name = name_or_path;
  const auto nodes = take_nodes_per_socket(name);
  if (!nodes) return nodes.error();
  const std::string_view* text = built_in(name);
  Result<MachineModel> model =
      Error{ErrorKind::kUsage, "there is no machine '" + std::string(name) + "'" + did_you_mean(name, machine_names()),
            "hitmark list machines, or the path of a machine file"};
  if (text) {
    model = parse_machine(*text, std::string(name));
  } else if (name.find('/') != std::string_view::npos || name.ends_with(".json")) {
    const auto file = read_file(std::string(name), kLargestFile);
    if (!file) return file.error();
    model = parse_machine(*file, std::string(name));
    if (const std::string_view* taken = model ? built_in(model->name) : nullptr; taken && *taken != *file)
      return Error{ErrorKind::kInvalid,
                   std::string(name) + ": " + model->name + " is the name of a built-in machine, and this is another",
                   "give it a name of its own"};
  }
  if (!model || *nodes == 0) return model;
  model->nodes_per_socket = *nodes;
  if (const auto wrong = machine_contradiction(*model); !wrong.empty())
    return Error{ErrorKind::kUsage, "'" + std::string(name_or_path) + "': " + wrong, ""};
  return model;
}

}  // namespace hitmark::simulator
