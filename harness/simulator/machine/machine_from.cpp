// The structure of a real machine with generic latencies. Only regular machines can be simulated: the same number
// of CCXs in every quadrant, of cores in every CCX, of threads in every core.
#include <algorithm>
#include <map>
#include <set>

#include "harness/simulator/machine/machine_fields.hpp"
#include "support/printable.hpp"

namespace hitmark::simulator {
namespace {

constexpr const char* kBase = "rome-2s";  // whose latencies stand in

// The members of each part, by the part's number.
using Parts = std::map<int, std::set<int>>;

struct Structure {
  Parts ccxs_of_quadrant, cores_of_ccx, threads_of_core, ccxs_of_ccd, quadrants_of_socket;
  bool knows_ccx = true, knows_quadrant = true, knows_ccd = true;
};

Structure structure_of(const Topology& topology) {
  Structure s;
  for (const Cpu& cpu : topology.cpus()) {
    s.knows_ccx &= cpu.ccx != kUnknown;
    s.knows_quadrant &= cpu.quadrant != kUnknown;
    s.knows_ccd &= cpu.ccd != kUnknown;
  }
  for (const Cpu& cpu : topology.cpus()) {
    const int quadrant = s.knows_quadrant ? cpu.quadrant : 0;
    const int ccx = s.knows_ccx ? cpu.ccx : cpu.package;
    s.quadrants_of_socket[cpu.package].insert(quadrant);
    s.ccxs_of_quadrant[cpu.package * 4 + quadrant].insert(ccx);
    s.cores_of_ccx[ccx].insert(cpu.core);
    s.threads_of_core[cpu.core].insert(cpu.os);
    if (s.knows_ccd) s.ccxs_of_ccd[cpu.ccd].insert(ccx);
  }
  return s;
}

// The size that all parts have. Where they differ, 0, and the first that does is kept in `irregular`.
unsigned common_size(const Parts& parts, const char* members, const char* part, std::string& irregular) {
  std::set<std::size_t> sizes;
  for (const auto& [number, content] : parts) sizes.insert(content.size());
  if (sizes.size() == 1) return static_cast<unsigned>(*sizes.begin());
  if (irregular.empty())
    irregular = "the number of " + std::string(members) + " in a " + part + " differs, " +
                std::to_string(*sizes.begin()) + " to " + std::to_string(*sizes.rbegin());
  return 0;
}

// "16": ways such that the number of sets is a power of two. False when the size is not said, or odd.
bool set_l3_size(const std::string& mib, CacheGeometry& l3) {
  if (mib.empty() || mib.size() > 4 || mib.find_first_not_of("0123456789") != std::string::npos) return false;
  const unsigned lines = static_cast<unsigned>(std::stoul(mib)) * ((1u << 20) / 64);
  unsigned odd = std::max(lines, 1u);
  while (odd % 2 == 0) odd /= 2;
  if (lines == 0 || odd > 32) return false;
  l3.ways = odd;
  while (l3.ways < 12) l3.ways *= 2;
  l3.sets = lines / l3.ways;
  l3.replacement = odd == 1 ? Replacement::kTreePlru : Replacement::kLru;
  return true;
}

}  // namespace

Result<MachineModel> machine_from(const Topology& topology) {
  const auto unsupported = [&](const std::string& why) {
    return Error{
        ErrorKind::kUnsupported, "cannot simulate " + topology.source + ": " + why,
        std::string("--machine ") + kBase + ", or a machine file of your own with \"based_on\": \"" + kBase + "\""};
  };
  if (topology.cpus().empty()) return unsupported("it has no usable CPU");
  if (std::ranges::any_of(topology.cpus(), [](const Cpu& cpu) { return cpu.core == kUnknown || cpu.package < 0; }))
    return unsupported("it does not say which cores and sockets its CPUs belong to");

  const Structure structure = structure_of(topology);
  auto model = load_machine(kBase);
  if (!model) return model.error();
  MachineModel& m = *model;
  std::string irregular;
  m.sockets = static_cast<unsigned>(structure.quadrants_of_socket.size());
  if (m.sockets > 2) return unsupported("it has " + std::to_string(m.sockets) + " sockets, at most 2 can be");
  m.quadrants = common_size(structure.quadrants_of_socket, "quadrants", "socket", irregular);
  m.ccxs_per_quadrant =
      common_size(structure.ccxs_of_quadrant, "CCXs", structure.knows_quadrant ? "quadrant" : "socket", irregular);
  m.cores_per_ccx = common_size(structure.cores_of_ccx, "cores", structure.knows_ccx ? "CCX" : "socket", irregular);
  m.threads_per_core = common_size(structure.threads_of_core, "threads", "core", irregular);
  if (!irregular.empty()) return unsupported(irregular);
  m.ccxs_per_ccd = structure.knows_ccd ? common_size(structure.ccxs_of_ccd, "CCXs", "CCD", irregular) : 1;
  if (m.ccxs_per_ccd == 0 || m.ccxs_per_quadrant % m.ccxs_per_ccd != 0) m.ccxs_per_ccd = 1;
  const auto nodes = static_cast<unsigned>(topology.nodes().size()) / m.sockets;
  m.nodes_per_socket = nodes != 0 && nodes != 3 && m.quadrants % nodes == 0 ? nodes : 1;
  for (const MachineField& field : machine_fields(m))
    if (const auto* number = std::get_if<unsigned*>(&field.target);
        number && (**number < field.least || **number > field.most))
      return unsupported(std::to_string(**number) + " " + std::string(field.name) + ", at most " +
                         std::to_string(static_cast<unsigned>(field.most)) + " can be");

  m.name = "from-topology";
  m.title = harmless(topology.cpu_model.empty() ? "the structure of " + topology.source
                                                : topology.cpu_model + ", structure of " + topology.source);
  m.caution = std::string("the latencies, L1, L2 and TLB are those of ") + kBase + ", not of this machine";
  if (!set_l3_size(topology.facts().l3_mib, m.l3)) m.caution += ", and so is the size of the L3";
  if (!structure.knows_ccx) m.caution += "; it shows no L3, so each socket is taken as one CCX";
  if (!structure.knows_quadrant) m.caution += "; its quadrants are not known, so each socket is taken as one";
  if (!topology.offline.empty() || !topology.disallowed.empty()) m.caution += "; only its usable CPUs are simulated";
  for (const auto& [core, threads] : structure.threads_of_core)
    if (threads.size() == 2 && *threads.rbegin() - *threads.begin() != static_cast<int>(m.cores())) {
      m.caution += "; its CPUs are numbered anew, first threads first";
      break;
    }
  if (const std::string wrong = machine_contradiction(m); !wrong.empty()) return unsupported(wrong);
  return model;
}

}  // namespace hitmark::simulator
