#include <algorithm>

#include "harness/cli/topology_output.hpp"

namespace hitmark::cli {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(int value) { return value == kUnknown ? Json() : Json(value); }
Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

// A cell of the facts table: "4" as a number, "2/4" and "0+128" as text, "" as null.
Json cell(const std::string& text) {
  if (text.empty()) return nullptr;
  if (std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; })) return std::stoll(text);
  return text;
}

Json facts_json(const Facts& facts) {
  return {{"packages", facts.packages},
          {"numa", facts.numa},
          {"dies", facts.dies},
          {"groups", facts.groups},
          {"l3", facts.l3},
          {"l3_mib", cell(facts.l3_mib)},
          {"cores", facts.cores},
          {"pus", facts.pus},
          {"cores_per_l3", cell(facts.cores_per_l3)},
          {"pus_per_core", cell(facts.pus_per_core)},
          {"first_core_pus", cell(facts.first_core_pus)},
          {"max_pu", facts.max_pu},
          {"distances", facts.distances},
          {"pus_with_disallowed", facts.pus_with_disallowed}};
}

Json distances_json(const Topology& topology) {
  Json nodes = Json::array(), rows = Json::array();
  for (const NumaNode& from : topology.nodes()) {
    nodes.push_back(from.os);
    Json row = Json::array();
    for (const NumaNode& to : topology.nodes()) {
      const auto distance = topology.distance(from.os, to.os);
      if (!distance) return nullptr;
      row.push_back(*distance);
    }
    rows.push_back(std::move(row));
  }
  return {{"nodes", std::move(nodes)}, {"rows", std::move(rows)}};
}

}  // namespace

Json topology_json(const Topology& topology, std::span<const Placement> placements) {
  Json document = {{"source", topology.source},
                   {"cpu_model", text_or_null(topology.cpu_model)},
                   {"facts", facts_json(topology.facts())},
                   {"inferred",
                    {{"ccx", text_or_null(topology.ccx_basis)},
                     {"ccd", text_or_null(topology.ccd_basis)},
                     {"quadrant", text_or_null(topology.quadrant_basis)},
                     {"nps", text_or_null(topology.nps)}}},
                   {"remarks", topology.remarks},
                   {"offline", topology.offline},
                   {"disallowed", topology.disallowed}};
  Json& cpus = document["cpus"] = Json::array();
  for (const Cpu& cpu : topology.cpus())
    cpus.push_back({{"os", cpu.os},
                    {"package", number_or_null(cpu.package)},
                    {"node", number_or_null(cpu.node)},
                    {"die", number_or_null(cpu.die)},
                    {"quadrant", number_or_null(cpu.quadrant)},
                    {"ccd", number_or_null(cpu.ccd)},
                    {"l3", number_or_null(cpu.ccx)},
                    {"core", number_or_null(cpu.core)},
                    {"thread", cpu.thread}});
  Json& nodes = document["nodes"] = Json::array();
  for (const NumaNode& node : topology.nodes())
    nodes.push_back({{"os", node.os},
                     {"package", number_or_null(node.package)},
                     {"memory_bytes", node.memory_bytes ? Json(node.memory_bytes) : Json()}});
  document["distances"] = distances_json(topology);
  Json& resolved = document["placements"] = Json::array();
  for (const Placement& placement : placements)
    resolved.push_back({{"name", placement.name},
                        {"relation", placement.relation},
                        {"cpus", placement.cpus},
                        {"groups", placement.groups},
                        {"home", text_or_null(placement.home)},
                        {"home_node", number_or_null(placement.home_node)}});
  Json& missing = document["missing_placements"] = Json::array();
  for (const MissingPlacement& placement : missing_placements(topology))
    missing.push_back({{"name", placement.name}, {"reason", placement.reason}});
  return document;
}

}  // namespace hitmark::cli
