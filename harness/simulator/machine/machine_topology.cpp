// A machine to simulate as Linux and hwloc would show it, so that placements mean the same on it as on a host.
#include "harness/simulator/machine/machine_fields.hpp"

namespace hitmark::simulator {
namespace {

constexpr int kSameNode = 10, kSameSocket = 12, kOtherSocket = 32;  // SLIT of a 2 x 7742

Facts facts_of(const MachineModel& m) {
  Facts facts;
  facts.packages = static_cast<int>(m.sockets);
  facts.numa = static_cast<int>(m.sockets * m.nodes_per_socket);
  facts.groups = m.nodes_per_socket > 1 ? facts.numa : 0;  // hwloc groups what a node holds
  facts.l3 = static_cast<int>(m.ccxs());
  const unsigned l3_lines_per_mib = (1u << 20) / 64;
  if (m.l3.sets * m.l3.ways % l3_lines_per_mib == 0)
    facts.l3_mib = std::to_string(m.l3.sets * m.l3.ways / l3_lines_per_mib);
  facts.cores = static_cast<int>(m.cores());
  facts.pus = facts.pus_with_disallowed = static_cast<int>(m.cpus());
  facts.cores_per_l3 = std::to_string(m.cores_per_ccx);
  facts.pus_per_core = std::to_string(m.threads_per_core);
  facts.first_core_pus = m.threads_per_core == 2 ? "0+" + std::to_string(m.cores()) : "0";
  facts.max_pu = facts.pus - 1;
  facts.distances = 1;
  return facts;
}

std::vector<std::vector<int>> distances_of(const MachineModel& m) {
  const unsigned nodes = m.sockets * m.nodes_per_socket;
  std::vector<std::vector<int>> distances(nodes, std::vector<int>(nodes, kOtherSocket));
  for (unsigned from = 0; from < nodes; ++from)
    for (unsigned to = 0; to < nodes; ++to)
      if (from == to)
        distances[from][to] = kSameNode;
      else if (from / m.nodes_per_socket == to / m.nodes_per_socket)
        distances[from][to] = kSameSocket;
  return distances;
}

}  // namespace

Result<Topology> topology_of(const MachineModel& m) {
  if (const std::string wrong = machine_contradiction(m); !wrong.empty())
    return Error{ErrorKind::kInvalid, m.name + ": " + wrong, ""};
  std::vector<Cpu> cpus;
  for (unsigned os = 0; os < m.cpus(); ++os) {
    const unsigned core = m.core_of(os), ccx = m.ccx_of_core(core), quadrant = m.quadrant_of_ccx(ccx);
    const unsigned socket = m.socket_of_ccx(ccx);
    Cpu cpu;
    cpu.os = static_cast<int>(os);
    cpu.package = static_cast<int>(socket);
    cpu.node = static_cast<int>(socket * m.nodes_per_socket + quadrant * m.nodes_per_socket / m.quadrants);
    cpu.ccx = static_cast<int>(ccx);
    cpu.core = static_cast<int>(core);
    cpu.thread = static_cast<int>(m.thread_of(os));
    cpu.ccd = static_cast<int>(ccx / m.ccxs_per_ccd);
    cpu.quadrant = m.quadrants > 1 ? static_cast<int>(quadrant) : kUnknown;
    cpus.push_back(cpu);
  }
  std::vector<NumaNode> nodes;
  for (unsigned node = 0; node < m.sockets * m.nodes_per_socket; ++node)
    nodes.push_back({static_cast<int>(node), static_cast<int>(node / m.nodes_per_socket), 0});

  Topology topology(std::move(cpus), std::move(nodes), distances_of(m), facts_of(m));
  topology.ccx_basis = "each L3 is a CCX, by the machine file";
  topology.ccd_basis = "the machine file";
  if (m.quadrants > 1) topology.quadrant_basis = "the machine file";
  topology.nps = "NPS" + std::to_string(m.nodes_per_socket);
  topology.cpu_model = m.title;
  topology.source = "simulated " + m.name;
  if (!m.caution.empty()) topology.remarks.push_back(m.name + ": " + m.caution);
  return topology;
}

}  // namespace hitmark::simulator
