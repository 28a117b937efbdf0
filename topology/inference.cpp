#include "topology/inference.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "topology/cpu_list.hpp"

namespace hitmark {
namespace {

// An EPYC generation: how many L3s a full package has room for and how they are grouped.
struct Generation {
  const char* name;
  int l3_per_package;  // 0: differs by model, so positions are not inferred
  int cores_per_l3;    // at most
  int l3_per_ccd;
  bool separate_io_die;
};
constexpr Generation kZen1{"Zen 1", 8, 4, 2, false};
constexpr Generation kZen2{"Zen 2", 16, 4, 2, true};
constexpr Generation kZen3{"Zen 3", 8, 8, 1, true};
constexpr Generation kZen4{"Zen 4 or later", 0, 16, 1, true};

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

bool is_intel(const ChipletView& view) { return view.vendor == "GenuineIntel" || contains(view.cpu_model, "Intel"); }

const Generation* by_number(const ChipletView& view) {
  if (view.family == 24) return &kZen1;  // Hygon Dhyana
  if (!contains(view.cpu_model, "EPYC")) return nullptr;
  if (view.family == 23) return view.model < 0x10 ? &kZen1 : view.model == 0x31 ? &kZen2 : nullptr;
  if (view.family == 25) return view.model < 0x10 ? &kZen3 : &kZen4;
  return view.family == 26 ? &kZen4 : nullptr;
}

// "AMD EPYC 7B12 ...": the last digit of the number is the generation.
const Generation* by_name(const ChipletView& view) {
  const auto at = view.cpu_model.find("EPYC ");
  if (at == std::string::npos || view.cpu_model.size() < at + 9) return nullptr;
  const char series = view.cpu_model[at + 5], last = view.cpu_model[at + 8];
  if (series == '7') return last == '1' ? &kZen1 : last == '2' ? &kZen2 : last == '3' ? &kZen3 : nullptr;
  if (series == '9' || series == '8') return last == '4' || last == '5' ? &kZen4 : nullptr;
  return nullptr;
}

std::map<int, int> l3_count_by_package(const ChipletView& view) {
  std::map<int, int> count;
  for (const L3Group& l3 : view.l3) ++count[l3.package];
  return count;
}

bool every_package_has(const ChipletView& view, int l3_count) {
  const auto counts = l3_count_by_package(view);
  return !counts.empty() &&
         std::all_of(counts.begin(), counts.end(), [=](const auto& entry) { return entry.second == l3_count; });
}

// A machine that names no CPU but has exactly the caches of a Rome.
bool has_shape_of_rome(const ChipletView& view) {
  return view.cpu_model.empty() && view.vendor.empty() && every_package_has(view, kZen2.l3_per_package) &&
         std::all_of(view.l3.begin(), view.l3.end(),
                     [](const L3Group& l3) { return l3.bytes == 16u << 20 && l3.cores.size() <= 4; });
}

// The distance between the numbers of two threads of a core when all cores agree; the largest int when no
// core has two.
std::optional<int> sibling_distance(const ChipletView& view) {
  int distance = std::numeric_limits<int>::max();
  for (const L3Group& l3 : view.l3)
    for (const auto& core : l3.cores) {
      if (core.size() > 2) return std::nullopt;
      if (core.size() < 2) continue;
      const int here = std::abs(core[1] - core[0]);
      if (distance != std::numeric_limits<int>::max() && here != distance) return std::nullopt;
      distance = here;
    }
  return distance;
}

// Linux numbers the first threads of all cores, package by package and L3 by L3, then the second threads.
// So a CPU's number tells its L3 even where whole L3s are missing. Checked against everything present.
std::optional<std::vector<int>> slots_by_number(const ChipletView& view, const Generation& generation) {
  const auto distance = sibling_distance(view);
  if (!distance || *distance == 0) return std::nullopt;
  const int none = std::numeric_limits<int>::max();
  int cores = 0, largest = 0;
  for (const L3Group& l3 : view.l3) {
    cores = std::max(cores, static_cast<int>(l3.cores.size()));
    for (const auto& core : l3.cores) largest = std::max(largest, *std::max_element(core.begin(), core.end()));
  }
  for (const int cpu : view.missing) largest = std::max(largest, cpu);
  const int first_threads = *distance == none ? largest + 1 : *distance;
  const int per_package = generation.l3_per_package * cores;
  if (per_package == 0) return std::nullopt;
  const int packages = static_cast<int>(l3_count_by_package(view).size());
  // Fewer cores than an L3 can have may mean fused-off cores or cores that are not seen: then the count of
  // packages must confirm it.
  if (cores != generation.cores_per_l3 && first_threads != per_package * packages) return std::nullopt;

  std::vector<int> slots;
  std::set<int> seen;
  std::map<int, int> ordinal_of_package, package_of_ordinal;
  for (const L3Group& l3 : view.l3) {
    int place = kUnknown;
    for (const auto& core : l3.cores)
      for (const int cpu : core) {
        const int here = (*distance == none ? cpu : cpu % *distance) / cores;
        if (place != kUnknown && place != here) return std::nullopt;
        place = here;
      }
    if (place == kUnknown || !seen.insert(place).second) return std::nullopt;
    const int ordinal = place / generation.l3_per_package;
    if (ordinal_of_package.emplace(l3.package, ordinal).first->second != ordinal) return std::nullopt;
    if (package_of_ordinal.emplace(ordinal, l3.package).first->second != l3.package) return std::nullopt;
    slots.push_back(place % generation.l3_per_package);
  }
  return slots;
}

// The place of each L3 among those that its package has room for.
std::optional<std::vector<int>> find_slots(const ChipletView& view, const Generation& generation, std::string& how) {
  if (generation.l3_per_package == 0) return std::nullopt;
  if (every_package_has(view, generation.l3_per_package)) {
    std::map<int, int> next;
    std::vector<int> slots;
    for (const L3Group& l3 : view.l3) slots.push_back(next[l3.package]++);
    return slots;
  }
  if (view.missing.empty() && !view.partial) return std::nullopt;  // a smaller part, or a slice given to a VM
  how = "; as CPUs are missing, the place of an L3 follows from its CPU numbers";
  return slots_by_number(view, generation);
}

bool four_nodes_per_package(const ChipletView& view) {
  if (view.nodes_of_package.empty()) return false;
  for (const auto& nodes : view.nodes_of_package)
    if (nodes.size() != 4) return false;
  return std::all_of(view.l3.begin(), view.l3.end(),
                     [&](const L3Group& l3) { return l3.package != kUnknown && l3.node != kUnknown; });
}

// Whether some quadrant has L3s in two nodes. Then the rule does not fit this machine.
bool quadrant_straddles_nodes(const ChipletView& view, const std::vector<int>& quadrant) {
  std::map<std::pair<int, int>, int> node_of;
  for (std::size_t i = 0; i < view.l3.size(); ++i) {
    const L3Group& l3 = view.l3[i];
    if (node_of.emplace(std::pair{l3.package, quadrant[i]}, l3.node).first->second != l3.node) return true;
  }
  return false;
}

std::size_t most_nodes(const ChipletView& view) {
  std::size_t most = 0;
  for (const auto& nodes : view.nodes_of_package) most = std::max(most, nodes.size());
  return most;
}

void infer_ccds(const ChipletView& view, const Generation& generation, const std::string& part,
                const std::optional<std::vector<int>>& slots, const std::string& how, Chiplets& found) {
  if (std::all_of(view.l3.begin(), view.l3.end(), [](const L3Group& l3) { return l3.die != kUnknown; })) {
    for (std::size_t i = 0; i < view.l3.size(); ++i) found.ccd[i] = view.l3[i].die;
    found.ccd_basis = "hwloc's Die objects";
  } else if (generation.l3_per_ccd == 1) {
    for (std::size_t i = 0; i < view.l3.size(); ++i) found.ccd[i] = static_cast<int>(i);
    found.ccd_basis = "one L3 per CCD, as " + part;
  } else if (slots) {
    const int per_package = generation.l3_per_package / generation.l3_per_ccd;
    std::map<int, int> base;
    for (const L3Group& l3 : view.l3) base.emplace(l3.package, static_cast<int>(base.size()) * per_package);
    for (std::size_t i = 0; i < view.l3.size(); ++i)
      found.ccd[i] = base[view.l3[i].package] + (*slots)[i] / generation.l3_per_ccd;
    found.ccd_basis =
        "two consecutive L3s per " + std::string(generation.separate_io_die ? "CCD" : "die") + ", as " + part + how;
  }
}

void infer_quadrants(const ChipletView& view, const Generation& generation, const std::string& part,
                     const std::optional<std::vector<int>>& slots, const std::string& how, Chiplets& found) {
  if (four_nodes_per_package(view)) {
    for (std::size_t i = 0; i < view.l3.size(); ++i) {
      const auto& nodes = view.nodes_of_package[static_cast<std::size_t>(view.l3[i].package)];
      found.quadrant[i] = static_cast<int>(std::find(nodes.begin(), nodes.end(), view.l3[i].node) - nodes.begin());
    }
    found.quadrant_basis = "the four NUMA nodes of a package";
    if (!generation.separate_io_die) found.quadrant_basis += ", which are its four dies (Zen 1 has no I/O die)";
  } else if (slots) {
    const int per_quadrant = generation.l3_per_package / 4;
    std::vector<int> quadrant;
    for (const int slot : *slots) quadrant.push_back(slot / per_quadrant);
    if (most_nodes(view) <= 4 && quadrant_straddles_nodes(view, quadrant)) return;
    found.quadrant = quadrant;
    found.quadrant_basis = std::to_string(per_quadrant) + " consecutive L3s per " +
                           (generation.separate_io_die ? "quadrant of the I/O die" : "die (Zen 1 has no I/O die)") +
                           ", as " + part + how;
  }
}

void infer_nps(const ChipletView& view, const Generation& generation, Chiplets& found) {
  const std::size_t nodes = most_nodes(view);
  const auto counts = l3_count_by_package(view);
  const bool whole_package = !found.quadrant_basis.empty() ||
                             std::all_of(counts.begin(), counts.end(), [](const auto& c) { return c.second >= 4; });
  if (!generation.separate_io_die || !whole_package) return;
  if (view.partial && nodes < 4) return;  // a node that is not seen would be missing from the count
  if (nodes == 1 || nodes == 2 || nodes == 4) found.nps = "NPS" + std::to_string(nodes);
}

}  // namespace

Chiplets infer_chiplets(const ChipletView& view) {
  Chiplets found;
  found.ccd.assign(view.l3.size(), kUnknown);
  found.quadrant.assign(view.l3.size(), kUnknown);
  if (view.l3.empty() || is_intel(view)) return found;
  const bool ccx_sized = std::all_of(view.l3.begin(), view.l3.end(), [](const L3Group& l3) {
    return l3.cores.size() <= static_cast<std::size_t>(kZen4.cores_per_l3);
  });
  if (ccx_sized) found.ccx_basis = "each L3 is a CCX";

  std::string part = "on ";
  const Generation* generation = by_number(view);
  if (!generation) generation = by_name(view);
  if (generation) {
    part += std::string(generation->name) + " (" + view.cpu_model + ")";
  } else if (has_shape_of_rome(view)) {
    generation = &kZen2;
    part += "EPYC Rome, whose shape this is (16 L3s of 16 MiB and up to 4 cores per package; no CPU model is given)";
  }
  if (!generation) return found;

  std::string how;
  const auto slots = find_slots(view, *generation, how);
  infer_ccds(view, *generation, part, slots, how, found);
  infer_quadrants(view, *generation, part, slots, how, found);
  infer_nps(view, *generation, found);
  return found;
}

std::vector<std::string> find_oddities(const Topology& topology, const ChipletView& view, bool hybrid) {
  const Facts& facts = topology.facts();
  std::vector<std::string> found;
  const auto say = [&found](std::string text) { found.push_back(std::move(text)); };
  if (!topology.offline.empty()) say("offline or hidden CPUs: " + format_cpu_list(topology.offline));
  if (!topology.disallowed.empty()) say("CPUs that the cpuset forbids: " + format_cpu_list(topology.disallowed));
  if (view.partial) say("the CPU numbers have gaps: only a part of the machine is visible");
  if (facts.l3 == 0) say("no L3 cache is described, so no CCX is known");
  if (facts.l3 > 0 && topology.ccx_basis.empty()) say("an L3 of this machine is not a CCX");
  if (hybrid) say("cores of different kinds (hybrid): a list may mix them");
  if (facts.packages > 1 && facts.packages == facts.pus)
    say("every package has one CPU: a virtual machine whose real sockets are not shown");
  if (!topology.ccd_basis.empty() && most_nodes(view) > 4)
    say("each L3 is a NUMA node of its own, which hides the NPS setting");
  return found;
}

}  // namespace hitmark
