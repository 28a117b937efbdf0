#include <fmt/format.h>

#include <map>
#include <set>

#include "harness/cli/topology_output.hpp"
#include "topology/cpu_list.hpp"

namespace hitmark::cli {
namespace {

std::string count(int number, const char* one, const char* many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

std::string plain(int number) { return number == kUnknown ? "-" : std::to_string(number); }

std::string head(const Topology& topology) {
  const Facts& facts = topology.facts();
  std::string text = fmt::format("Machine     {}", topology.source);
  if (!topology.cpu_model.empty()) text += ": " + topology.cpu_model;
  text += fmt::format("\nUsable      {}, {}, {}, {}", count(facts.packages, "socket", "sockets"),
                      count(facts.cores, "core", "cores"), count(facts.pus, "CPU", "CPUs"),
                      count(facts.numa, "NUMA node", "NUMA nodes"));
  if (facts.l3 > 0) text += ", " + count(facts.l3, "L3", "L3s");
  if (!facts.l3_mib.empty()) text += " of " + facts.l3_mib + " MiB";
  text += '\n';
  const auto line = [&](const char* label, const std::string& basis, const char* otherwise) {
    text += fmt::format("{:<12}{}\n", label, basis.empty() ? otherwise : "inferred: " + basis);
  };
  line("CCX", topology.ccx_basis, "none");
  line("CCD", topology.ccd_basis, "not known");
  line("Quadrant", topology.quadrant_basis, "not known");
  if (!topology.nps.empty()) text += fmt::format("{:<12}inferred: {}\n", "NPS", topology.nps);
  for (const std::string& remark : topology.remarks) text += "Note        " + remark + '\n';
  return text;
}

// One line per L3, or per socket where there is none.
std::string l3_table(const Topology& topology) {
  struct Row {
    const Cpu* first = nullptr;
    std::set<int> cores, nodes;
    std::vector<int> cpus;
  };
  std::map<std::pair<int, int>, Row> rows;
  for (const Cpu& cpu : topology.cpus()) {
    Row& row = rows[{cpu.package, cpu.ccx}];
    if (!row.first) row.first = &cpu;
    row.cores.insert(cpu.core);
    row.nodes.insert(cpu.node);
    row.cpus.push_back(cpu.os);
  }
  std::string text = fmt::format("\n{:>6} {:>5} {:>8} {:>4} {:>4} {:>6}  {}\n", "socket", "node", "quadrant", "CCD",
                                 topology.ccx_basis.empty() ? "L3" : "CCX", "cores", "CPUs");
  for (const auto& [key, row] : rows)
    text += fmt::format("{:>6} {:>5} {:>8} {:>4} {:>4} {:>6}  {}\n", plain(row.first->package),
                        row.nodes.size() == 1 ? plain(row.first->node) : "*", plain(row.first->quadrant),
                        plain(row.first->ccd), plain(row.first->ccx), row.cores.size(), format_cpu_list(row.cpus));
  return text;
}

std::string node_table(const Topology& topology) {
  std::string text = fmt::format("\n{:>6} {:>6} {:>10}  distances\n", "node", "socket", "memory");
  for (const NumaNode& from : topology.nodes()) {
    const std::string memory =
        from.memory_bytes ? fmt::format("{:.1f} GiB", static_cast<double>(from.memory_bytes) / (1u << 30)) : "-";
    text += fmt::format("{:>6} {:>6} {:>10} ", from.os, plain(from.package), memory);
    bool said = false;
    for (const NumaNode& to : topology.nodes())
      if (const auto distance = topology.distance(from.os, to.os)) text += fmt::format(" {}", *distance), said = true;
    text += said ? "\n" : " not said\n";
  }
  return text;
}

}  // namespace

std::string topology_text(const Topology& topology) {
  return head(topology) + l3_table(topology) + node_table(topology);
}

std::string placements_text(std::span<const Placement> placements) {
  std::string text;
  for (const Placement& placement : placements) {
    std::string cpus;
    for (const auto& group : placement.groups) cpus += (cpus.empty() ? "" : " | ") + format_cpu_list(group);
    text += fmt::format("{:<15} CPUs {}", placement.name, cpus);
    if (!placement.name.starts_with(placement.relation)) text += fmt::format("  ({})", placement.relation);
    if (placement.home_node != kUnknown) text += fmt::format("  lines on node {}", placement.home_node);
    text += '\n';
  }
  return text;
}

}  // namespace hitmark::cli
