// The conditions of a run: placements x modes x refill rules x whatever else was given several values.
#include <algorithm>
#include <set>

#include "harness/plan_parts.hpp"
#include "harness/workload_text.hpp"

namespace hitmark {
namespace {

using Values = std::vector<std::pair<std::string, std::string>>;  // of parameters, by name

constexpr const char* kL1SweepKib = "64";  // more than any L1D of today, far less than L2

struct Choice {  // one parameter and the values that it takes in turn
  std::string name;
  std::vector<std::string> values;
};

bool is_refused(const Family* family, std::string_view parameter) {
  return family && std::find(family->refused.begin(), family->refused.end(), parameter) != family->refused.end();
}

// A parameter that means nothing to the family may only be what it is anyway.
Result<void> check_refused(const Family* family, const Workload& workload) {
  const NameValues asked = to_name_values(workload), usual = to_name_values(Workload{});
  for (std::size_t i = 0; i < usual.size(); ++i)
    if (asked[i] != usual[i] && is_refused(family, asked[i].first))
      return Error{ErrorKind::kUsage,
                   "'" + asked[i].first + "' means nothing to " + std::string(family->name) + ": only " +
                       asked[i].first + "=" + usual[i].second + " is possible",
                   "hitmark list parameters"};
  return {};
}

// In the order in which the names were first given; each value once.
std::vector<Choice> choices_of(const RunRequest& request, const Family* family) {
  std::vector<Choice> choices;
  for (const auto& [name, value] : request.settings) {
    auto at = std::find_if(choices.begin(), choices.end(), [&n = name](const Choice& c) { return c.name == n; });
    if (at == choices.end()) at = choices.insert(at, Choice{name, {}});
    if (std::find(at->values.begin(), at->values.end(), value) == at->values.end()) at->values.push_back(value);
  }
  const auto add_default = [&](std::size_t at, const char* name, std::vector<std::string> values) {
    if (is_refused(family, name)) return;
    if (std::none_of(choices.begin(), choices.end(), [&](const Choice& c) { return c.name == name; }))
      choices.insert(choices.begin() + static_cast<std::ptrdiff_t>(at), Choice{name, std::move(values)});
  };
  add_default(0, "mode", {"paired", "split"});
  add_default(choices.size(), "refill", {"drain", "watermark:0", "watermark:32"});
  return choices;
}

// Neighbours 2i and 2i+1 are partners of one group, or somebody charges for ever.
bool can_split(const Placement& placement) {
  const auto odd = [](const std::vector<int>& cpus) { return cpus.size() % 2 != 0; };
  return placement.cpus.size() >= 2 && !odd(placement.cpus) &&
         std::none_of(placement.groups.begin(), placement.groups.end(), odd);
}

Result<void> check_homes(const Workload& workload, const Topology& topology) {
  std::string known;
  for (const NumaNode& node : topology.nodes()) known += (known.empty() ? "" : ", ") + std::to_string(node.os);
  if (known.empty()) known = "0";
  for (const auto& [object, home] : workload.homes) {
    const bool there = topology.nodes().empty()
                           ? home == 0
                           : std::any_of(topology.nodes().begin(), topology.nodes().end(),
                                         [node = home](const NumaNode& n) { return n.os == node; });
    if (!there)
      return Error{ErrorKind::kUsage,
                   "home." + object + "=" + std::to_string(home) + ": the machine has no such node; it has " + known,
                   "hitmark topology"};
  }
  return {};
}

// "same-ccx@home:local split refill=watermark:32 memcgs=8"
std::string condition_name(const Placement& placement, const Values& values) {
  std::string name = placement.name;
  for (const auto& [parameter, value] : values)
    name += parameter == "mode" ? " " + value : " " + parameter + "=" + value;
  return name;
}

Result<Condition> make_condition(const Placement& placement, const Topology& topology, const Values& values) {
  Condition condition;
  condition.placement = placement;
  condition.workload.groups = static_cast<unsigned>(std::max<std::size_t>(1, placement.groups.size()));
  for (const auto& [name, value] : values) {
    if (name == "groups")
      return Error{ErrorKind::kUsage, "groups of CPUs are part of the placement, not a workload parameter",
                   "--placements groups:" + value + "x2"};
    if (const auto set = set_parameter(condition.workload, name, value); !set) return set.error();
  }
  if (const auto homes = check_homes(condition.workload, topology); !homes) return homes.error();
  condition.record = {condition_name(placement, values),
                      placement.name,
                      placement.relation,
                      placement.home,
                      placement.cpus,
                      to_name_values(condition.workload),
                      {}};
  return condition;
}

Error no_conditions(const Placement* placement) {
  return {ErrorKind::kUsage,
          (placement ? placement->name + " has" : std::string("no placement of this machine has")) +
              " no pairs of CPUs, which mode=split needs",
          "--set mode=paired, or --placements same-ccx"};
}

}  // namespace

Result<std::vector<Condition>> plan_conditions(const RunRequest& request, const Topology& topology) {
  const Family* family = Registry<Family>::instance().find(request.family);
  const std::vector<Choice> choices = choices_of(request, family);
  const bool asked_for = !request.placements.empty();
  std::vector<Condition> conditions;
  std::set<std::string> names, seen;
  for (const std::string& text : asked_for ? request.placements : available_placements(topology)) {
    const auto placement = resolve_placement(topology, text);
    if (!placement) return placement.error();
    if (!seen.insert(placement->name).second) continue;
    const std::size_t before = conditions.size();
    const auto add = [&](const Values& values) -> Result<void> {
      auto condition = make_condition(*placement, topology, values);
      if (!condition) return condition.error();
      if (const auto possible = check_refused(family, condition->workload); !possible) return possible.error();
      if ((!condition->workload.split || can_split(*placement)) && names.insert(condition->record.name).second)
        conditions.push_back(std::move(*condition));
      return {};
    };
    // Counts through the cross product, the first choice turning slowest.
    std::vector<std::size_t> digits(choices.size(), 0);
    for (bool more = true; more;) {
      Values values;
      for (std::size_t i = 0; i < choices.size(); ++i)
        values.emplace_back(choices[i].name, choices[i].values[digits[i]]);
      if (const auto added = add(values); !added) return added.error();
      more = false;
      for (std::size_t i = choices.size(); i-- > 0 && !more;) {
        more = ++digits[i] < choices[i].values.size();
        if (!more) digits[i] = 0;
      }
    }
    // A loop that touches nothing else keeps all lines of every layout in L1, where one line more costs least. So
    // a study that was asked for nothing in particular has one condition more, in which L1 is swept between
    // operations (the reference on hot paths, section 9).
    if (request.settings.empty()) {
      Values values;
      for (const auto& [name, value] : Values{{"mode", "paired"}, {"refill", "drain"}, {"pressure", kL1SweepKib}})
        if (!is_refused(family, name)) values.emplace_back(name, value);
      const auto added = add(values);
      if (!added) return added.error();
    }
    if (asked_for && conditions.size() == before) return no_conditions(&*placement);
  }
  if (conditions.empty()) return no_conditions(nullptr);
  return conditions;
}

}  // namespace hitmark
