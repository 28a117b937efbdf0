#include "topology/placement.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>

#include "support/nearest.hpp"
#include "topology/cpu_expression.hpp"
#include "topology/cpu_list.hpp"
#include "topology/placement_class.hpp"

namespace hitmark {
namespace {

constexpr std::string_view kHomeMark = "@home:";
constexpr std::size_t kLongestText = 1024;

std::optional<int> to_count(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0 || value > 1 << 20) return std::nullopt;
  return value;
}

std::string have(const Topology& topology) {
  std::string text;
  for (const std::string& name : available_placements(topology)) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// The widest relation among the CPUs.
std::string widest_relation(const Topology& topology, const std::vector<int>& cpus) {
  const auto names = pair_classes();
  const auto rank = [&](std::string_view name) { return std::find(names.begin(), names.end(), name) - names.begin(); };
  std::string_view widest = "single";
  for (std::size_t i = 0; i < cpus.size(); ++i)
    for (std::size_t j = i + 1; j < cpus.size(); ++j) {
      const auto relation = relation_of(topology, *topology.find(cpus[i]), *topology.find(cpus[j]));
      if (rank(relation) > rank(widest)) widest = relation;
      if (widest == names.back()) return std::string(widest);
    }
  return std::string(widest);
}

std::optional<int> farthest_node(const Topology& topology, const Cpu& from) {
  std::vector<const NumaNode*> others;
  for (const NumaNode& node : topology.nodes())
    if (node.os != from.node) others.push_back(&node);
  // Nodes without CPUs (HBM, CXL) are another kind of memory, not another place.
  const auto has_cpus = [&](const NumaNode* node) {
    return std::any_of(topology.cpus().begin(), topology.cpus().end(),
                       [&](const Cpu& cpu) { return cpu.node == node->os; });
  };
  if (std::any_of(others.begin(), others.end(), has_cpus)) std::erase_if(others, std::not_fn(has_cpus));
  const auto farther = [&](const NumaNode* a, const NumaNode* b) {
    const auto key = [&](const NumaNode* node) {
      return std::pair(topology.distance(from.node, node->os).value_or(0), node->package != from.package);
    };
    return key(a) < key(b);
  };
  const auto far = std::max_element(others.begin(), others.end(), farther);  // of equals the first
  if (far == others.end()) return std::nullopt;
  return (*far)->os;
}

Result<void> set_home(const Topology& topology, std::string_view home, Placement& placement) {
  const Cpu& first = *topology.find(placement.cpus.front());
  std::vector<int> nodes;
  for (const NumaNode& node : topology.nodes()) nodes.push_back(node.os);
  const auto lacks = [&](const std::string& why) {
    return Error{ErrorKind::kUnavailable, "'" + placement.name + "': " + why, ""};
  };
  if (home == "local") {
    if (first.node == kUnknown) return lacks("the NUMA node of CPU " + std::to_string(first.os) + " is not known");
    placement.home_node = first.node;
    placement.home = "local";
  } else if (home == "remote") {
    const auto node = farthest_node(topology, first);
    if (!node || first.node == kUnknown)
      return lacks("there is no remote home, as this machine has " +
                   (nodes.size() == 1 ? "one NUMA node" : std::to_string(nodes.size()) + " NUMA nodes"));
    placement.home_node = *node;
    placement.home = "remote";
  } else if (const auto node = to_count(home)) {
    if (std::find(nodes.begin(), nodes.end(), *node) == nodes.end())
      return lacks("there is no NUMA node " + std::to_string(*node) + " here; there is " + format_cpu_list(nodes));
    placement.home_node = *node;
    placement.home = "node " + std::to_string(*node);
  } else {
    const std::vector<std::string> known = {"local", "remote"};
    return Error{ErrorKind::kUsage,
                 "'" + placement.name + "': a home is local, remote or a node number" +
                     (nearest_names(home, known).empty() ? "" : did_you_mean(home, known)),
                 ""};
  }
  return {};
}

Error unknown_name(std::string_view text) {
  std::vector<std::string> known(pair_classes().begin(), pair_classes().end());
  for (const char* more : {"spread:N", "fill:N", "groups:KxN"}) known.emplace_back(more);
  return {ErrorKind::kUsage, "there is no placement '" + std::string(text) + "'" + did_you_mean(text, known),
          "hitmark topology, which lists the placements of this machine"};
}

// Fills in cpus, groups and relation for the part of the text before @home.
Result<void> set_cpus(const Topology& topology, std::string_view text, Placement& placement) {
  const auto classes = pair_classes();
  if (std::find(classes.begin(), classes.end(), text) != classes.end()) {
    placement.cpus = find_pair(topology, text);
    if (placement.cpus.empty())
      return Error{ErrorKind::kUnavailable,
                   "this machine has no '" + std::string(text) + "' placement: " + why_no_pair(topology, text) +
                       "; it has " + have(topology),
                   ""};
    placement.relation = text;
    return {};
  }
  const auto colon = text.find(':');
  const std::string_view word = text.substr(0, colon);
  const std::string_view argument = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  if (word == "spread" || word == "fill") {
    const auto count = to_count(argument);
    if (!count || *count == 0)
      return Error{ErrorKind::kUsage, "'" + std::string(text) + "': the form is " + std::string(word) + ":N, N CPUs",
                   std::string(word) + ":4"};
    auto cpus = take(topology, text, *count);
    if (!cpus) return cpus.error();
    placement.cpus = std::move(*cpus);
  } else if (word == "groups") {
    const auto times = argument.find('x');
    const auto groups = to_count(argument.substr(0, times));
    const auto size = times == std::string_view::npos ? std::nullopt : to_count(argument.substr(times + 1));
    if (!groups || !size || *groups == 0 || *size == 0)
      return Error{ErrorKind::kUsage, "'" + std::string(text) + "': the form is groups:KxN, K groups of N CPUs",
                   "groups:4x2"};
    auto made = make_groups(topology, *groups, *size);
    if (!made) return made.error();
    placement.groups = std::move(*made);
    for (const auto& group : placement.groups) placement.cpus.insert(placement.cpus.end(), group.begin(), group.end());
  } else if (looks_like_cpu_expression(text)) {
    auto cpus = resolve_cpu_expression(topology, text);
    if (!cpus) return cpus.error();
    placement.cpus = std::move(*cpus);
  } else {
    return unknown_name(text);
  }
  placement.relation = widest_relation(topology, placement.cpus);
  return {};
}

}  // namespace

Result<Placement> resolve_placement(const Topology& topology, std::string_view text) {
  Placement placement;
  placement.name = text.substr(0, kLongestText);
  if (text.size() > kLongestText)
    return Error{ErrorKind::kUsage, "a placement has at most " + std::to_string(kLongestText) + " characters", ""};
  // '@' also chains likwid's lists, but no domain is called "home".
  const auto mark = text.find(kHomeMark);
  if (auto done = set_cpus(topology, text.substr(0, mark), placement); !done) return done.error();
  if (placement.groups.empty()) placement.groups = {placement.cpus};
  if (mark == std::string_view::npos) return placement;
  if (auto done = set_home(topology, text.substr(mark + kHomeMark.size()), placement); !done) return done.error();
  return placement;
}

std::vector<std::string> available_placements(const Topology& topology) {
  std::vector<std::string> names;
  for (const std::string_view name : pair_classes()) {
    if (name == "cross-ccx" && !topology.quadrant_basis.empty()) continue;
    if (name == "same-socket" && !topology.ccx_basis.empty()) continue;
    if (!find_pair(topology, name).empty()) names.emplace_back(name);
  }
  return names;
}

std::vector<MissingPlacement> missing_placements(const Topology& topology) {
  std::vector<MissingPlacement> missing;
  for (const std::string_view name : pair_classes()) {
    if (name == "cross-ccx" || name == "same-socket") continue;  // stand-ins, missed by nobody
    if (find_pair(topology, name).empty()) missing.push_back({std::string(name), why_no_pair(topology, name)});
  }
  return missing;
}

std::string relation_between(const Topology& topology, int os_a, int os_b) {
  const Cpu *a = topology.find(os_a), *b = topology.find(os_b);
  return a && b ? std::string(relation_of(topology, *a, *b)) : "unknown";
}

}  // namespace hitmark
