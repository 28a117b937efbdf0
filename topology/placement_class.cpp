#include "topology/placement_class.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "topology/cpu_order.hpp"

namespace hitmark {
namespace {

constexpr std::array<std::string_view, 8> kPairClasses = {"single",        "smt-siblings",   "same-ccx",
                                                          "same-quadrant", "cross-quadrant", "cross-ccx",
                                                          "same-socket",   "cross-socket"};

bool known_and_equal(int a, int b) { return a != kUnknown && a == b; }
bool known_and_different(int a, int b) { return a != kUnknown && b != kUnknown && a != b; }

// Whether two different CPUs stand in relation `name`. cross-ccx and same-socket also hold for CPUs for which
// a closer or finer class holds: they ask for less.
bool stand_in(const Topology& topology, std::string_view name, const Cpu& a, const Cpu& b) {
  const bool has_ccx = !topology.ccx_basis.empty();
  const bool one_package = a.package == b.package;
  if (name == "smt-siblings") return known_and_equal(a.core, b.core);
  if (a.core == b.core && a.core != kUnknown) return false;
  if (name == "same-ccx") return has_ccx && known_and_equal(a.ccx, b.ccx);
  const bool two_ccx = has_ccx && one_package && known_and_different(a.ccx, b.ccx);
  if (name == "same-quadrant") return two_ccx && known_and_equal(a.quadrant, b.quadrant);
  if (name == "cross-quadrant") return two_ccx && known_and_different(a.quadrant, b.quadrant);
  if (name == "cross-ccx") return two_ccx;
  if (name == "same-socket") return one_package;
  if (name == "cross-socket") return known_and_different(a.package, b.package);
  return false;
}

// What two CPUs of class `name` have in common: pairs are sought among CPUs with the same key.
int key_of(std::string_view name, const Cpu& cpu) {
  if (name == "smt-siblings") return cpu.core;
  if (name == "same-ccx") return cpu.ccx;
  if (name == "same-quadrant") return cpu.quadrant == kUnknown ? kUnknown : cpu.package * 4 + cpu.quadrant;
  return name == "cross-socket" ? 0 : cpu.package;
}

Error too_few(std::string_view name, long wanted, std::size_t present) {
  return {ErrorKind::kUnavailable,
          "'" + std::string(name) + "' needs " + std::to_string(wanted) + " CPUs, and this machine has " +
              std::to_string(present) + " that may be used",
          ""};
}

// The CPUs cut into domains of a kind, each in packed order, the domains in spread order.
std::vector<CpuOrder> cut(const Topology& topology, int Cpu::*kind) {
  std::vector<int> keys;
  for (const Cpu* cpu : spread_order(topology))
    if (std::find(keys.begin(), keys.end(), cpu->*kind) == keys.end()) keys.push_back(cpu->*kind);
  std::map<int, CpuOrder> by_key;
  for (const Cpu* cpu : packed_order(topology)) by_key[cpu->*kind].push_back(cpu);
  std::vector<CpuOrder> domains;
  for (const int key : keys) domains.push_back(by_key[key]);
  return domains;
}

std::vector<std::vector<int>> place_groups(const std::vector<CpuOrder>& domains, std::size_t groups, std::size_t size) {
  std::vector<std::vector<int>> placed;
  for (std::size_t turn = 0;; ++turn) {
    const std::size_t before = placed.size();
    for (const CpuOrder& domain : domains) {
      if ((turn + 1) * size > domain.size() || placed.size() == groups) continue;
      placed.emplace_back();
      for (std::size_t i = 0; i < size; ++i) placed.back().push_back(domain[turn * size + i]->os);
    }
    if (placed.size() == before || placed.size() == groups) return placed;
  }
}

}  // namespace

std::span<const std::string_view> pair_classes() { return kPairClasses; }

std::string_view relation_of(const Topology& topology, const Cpu& a, const Cpu& b) {
  if (a.os == b.os) return "single";
  for (const std::string_view name : kPairClasses)
    if (stand_in(topology, name, a, b)) return name;
  return "same-machine";
}

std::vector<int> find_pair(const Topology& topology, std::string_view name) {
  std::map<int, const Cpu*> first;
  for (const Cpu* cpu : cores_in_order(topology)) {
    if (name == "single") return {cpu->os};
    const int key = key_of(name, *cpu);
    if (name.ends_with("ccx") && cpu->ccx == kUnknown) continue;
    if (name.ends_with("quadrant") && cpu->quadrant == kUnknown) continue;
    const Cpu* other = first.emplace(key, cpu).first->second;
    if (other != cpu && stand_in(topology, name, *other, *cpu)) return {other->os, cpu->os};
  }
  return {};
}

std::string why_no_pair(const Topology& topology, std::string_view name) {
  const Facts& facts = topology.facts();
  if (name == "smt-siblings") return "no core has two CPUs that may be used";
  if (name == "cross-socket")
    return facts.packages > 1 ? "only one socket has CPUs that may be used" : "it has one socket";
  if (name == "same-socket") return "no socket has two cores that may be used";
  if (name == "single") return "no CPU may be used";
  if (topology.ccx_basis.empty()) return facts.l3 == 0 ? "it describes no L3 cache" : "its L3 caches are not CCXs";
  if (name == "same-ccx") return "no CCX has two cores that may be used";
  if (name == "cross-ccx") return "no socket has two CCXs with CPUs that may be used";
  if (topology.quadrant_basis.empty()) return "its quadrants are not known and cannot be inferred";
  return name == "same-quadrant" ? "no quadrant has two CCXs with CPUs that may be used"
                                 : "no socket has two quadrants with CPUs that may be used";
}

Result<std::vector<int>> take(const Topology& topology, std::string_view name, int count) {
  const CpuOrder order = name.starts_with("spread") ? spread_order(topology) : packed_order(topology);
  if (static_cast<std::size_t>(count) > order.size()) return too_few(name, count, order.size());
  std::vector<int> cpus;
  for (int i = 0; i < count; ++i) cpus.push_back(order[static_cast<std::size_t>(i)]->os);
  return cpus;
}

Result<std::vector<std::vector<int>>> make_groups(const Topology& topology, int groups, int size) {
  const long wanted = static_cast<long>(groups) * size;
  if (wanted > static_cast<long>(topology.cpus().size()))
    return too_few("groups:" + std::to_string(groups) + "x" + std::to_string(size), wanted, topology.cpus().size());
  const auto want = static_cast<std::size_t>(groups), each = static_cast<std::size_t>(size);
  for (int Cpu::*const kind : {&Cpu::ccx, &Cpu::package})
    if (auto placed = place_groups(cut(topology, kind), want, each); placed.size() == want) return placed;
  return place_groups({packed_order(topology)}, want, each);
}

}  // namespace hitmark
