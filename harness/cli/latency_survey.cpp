#include "harness/cli/latency_survey.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <tuple>

#include "topology/placement.hpp"

namespace hitmark::cli {
namespace {

constexpr std::size_t kMostUnits = 32;  // a matrix that a reader can still look at
constexpr const char* kRelations[] = {"smt-siblings", "same-ccx",       "same-quadrant", "cross-ccx",
                                      "same-socket",  "cross-quadrant", "cross-socket"};
constexpr const char* kHomes[] = {"", "own node", "own socket", "other socket"};

template <std::size_t N>
std::size_t rank(const char* const (&names)[N], const std::string& name) {
  return static_cast<std::size_t>(std::find(std::begin(names), std::end(names), name) - std::begin(names));
}

std::map<std::tuple<int, int>, LatencyUnit> group(const Topology& topology, int Cpu::*part, const char* word) {
  std::map<std::tuple<int, int>, LatencyUnit> units;
  for (const Cpu& cpu : topology.cpus()) {
    LatencyUnit& unit = units[{cpu.package, part ? cpu.*part : 0}];
    unit.cpus.push_back(cpu.os);
    unit.name = "s" + std::to_string(std::max(cpu.package, 0)) + (part ? word + std::to_string(cpu.*part) : "");
  }
  return units;
}

bool all_know(const Topology& topology, int Cpu::*part) {
  return std::ranges::all_of(topology.cpus(), [&](const Cpu& cpu) { return cpu.*part != kUnknown; });
}

std::string home_relation(const Topology& topology, int cpu_a, int cpu_b, int home) {
  if (home == kUnknown) return "";
  const Cpu &a = *topology.find(cpu_a), &b = *topology.find(cpu_b);
  if (a.node == home || b.node == home) return "own node";
  for (const NumaNode& node : topology.nodes())
    if (node.os == home && (node.package == a.package || node.package == b.package)) return "own socket";
  return "other socket";
}

// `count` of `pairs`, the same ones for the same machine.
void keep_some(std::vector<std::pair<int, int>>& pairs, unsigned count, std::mt19937& random) {
  for (std::size_t i = 0; i < pairs.size() && i < count; ++i)
    std::swap(pairs[i], pairs[i + random() % (pairs.size() - i)]);
  if (pairs.size() > count) pairs.resize(count);
}

std::vector<LatencyCell> plan(const Topology& topology, const std::vector<LatencyUnit>& units,
                              unsigned pairs_per_cell) {
  std::vector<int> homes;
  for (const NumaNode& node : topology.nodes()) homes.push_back(node.os);
  if (homes.empty()) homes.push_back(kUnknown);

  std::map<int, std::size_t> unit_of;
  for (std::size_t unit = 0; unit < units.size(); ++unit)
    for (const int cpu : units[unit].cpus) unit_of[cpu] = unit;
  std::map<std::tuple<std::size_t, std::size_t, std::string>, std::vector<std::pair<int, int>>> pairs;
  for (const Cpu& a : topology.cpus())
    for (const Cpu& b : topology.cpus())
      if (a.os < b.os) {
        const auto [low, high] = std::minmax(unit_of[a.os], unit_of[b.os]);
        pairs[{low, high, relation_between(topology, a.os, b.os)}].emplace_back(a.os, b.os);
      }
  std::vector<LatencyCell> cells;
  std::mt19937 random(1);
  for (auto& [key, all] : pairs) {
    keep_some(all, pairs_per_cell, random);
    for (const int home : homes) {
      LatencyCell cell;
      std::tie(cell.unit_a, cell.unit_b, cell.relation) = key;
      cell.home = home;
      cell.home_relation = home_relation(topology, all.front().first, all.front().second, home);
      cell.pairs = all;
      cells.push_back(std::move(cell));
    }
  }
  return cells;
}

}  // namespace

std::vector<LatencyUnit> latency_units(const Topology& topology) {
  std::map<std::tuple<int, int>, LatencyUnit> units;
  if (all_know(topology, &Cpu::quadrant)) units = group(topology, &Cpu::quadrant, "q");
  if (units.empty() && all_know(topology, &Cpu::ccx)) units = group(topology, &Cpu::ccx, " L3 ");
  if (units.empty() || units.size() > kMostUnits) units = group(topology, nullptr, "");
  std::vector<LatencyUnit> list;
  for (auto& [key, unit] : units) list.push_back(std::move(unit));
  return list;
}

LatencySurvey survey_latency(const Topology& topology, unsigned pairs_per_cell, const MeasurePair& measure,
                             const GoOn& go_on) {
  LatencySurvey survey;
  survey.units = latency_units(topology);
  survey.cells = plan(topology, survey.units, pairs_per_cell);
  for (const LatencyCell& cell : survey.cells) survey.planned += cell.pairs.size();
  bool in_time = true;
  // One pair of every cell before the second of any: what time runs out for is precision, not a class.
  for (unsigned round = 0; round < pairs_per_cell; ++round)
    for (LatencyCell& cell : survey.cells) {
      if (round >= cell.pairs.size()) continue;
      in_time = in_time && go_on();
      if (!in_time) {
        cell.unavailable.emplace_back("the time was over");
        continue;
      }
      const auto [a, b] = cell.pairs[round];
      auto samples = measure(a, b, cell.home);
      if (!samples) {
        cell.unavailable.push_back(samples.error().message);
        continue;
      }
      cell.ns.push_back(middle_mean(std::move(*samples)));
      ++survey.measured;
    }
  return survey;
}

std::vector<LatencyClass> classes_of(const LatencySurvey& survey) {
  std::map<std::pair<std::size_t, std::size_t>, LatencyClass> classes;
  for (const LatencyCell& cell : survey.cells) {
    LatencyClass& one = classes[{rank(kRelations, cell.relation), rank(kHomes, cell.home_relation)}];
    one.relation = cell.relation;
    one.home_relation = cell.home_relation;
    for (const double ns : cell.ns) {
      one.least = one.pairs == 0 ? ns : std::min(one.least, ns);
      one.most = std::max(one.most, ns);
      one.mean += ns;
      ++one.pairs;
    }
  }
  std::vector<LatencyClass> list;
  for (auto& [key, one] : classes) {
    if (one.pairs > 0) one.mean /= static_cast<double>(one.pairs);
    list.push_back(one);
  }
  return list;
}

double middle_mean(std::vector<double> samples) {
  if (samples.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(samples.begin(), samples.end());
  const auto cut = static_cast<std::ptrdiff_t>(samples.size() / 4);
  const double sum = std::accumulate(samples.begin() + cut, samples.end() - cut, 0.0);
  return sum / static_cast<double>(samples.size() - 2 * static_cast<std::size_t>(cut));
}

double mean_of(const LatencyCell& cell) {
  if (cell.ns.empty()) return std::numeric_limits<double>::quiet_NaN();
  return std::accumulate(cell.ns.begin(), cell.ns.end(), 0.0) / static_cast<double>(cell.ns.size());
}

}  // namespace hitmark::cli
