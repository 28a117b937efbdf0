// resolve_placement on a Rome and on odd machines: it never crashes, and what it accepts is usable.
// The first byte chooses the machine.
#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>

#include "support/check.hpp"
#include "topology/hwloc_reader.hpp"
#include "topology/placement.hpp"

namespace {

const std::vector<hitmark::Topology>& machines() {
  static const std::vector<hitmark::Topology> all = [] {
    std::vector<hitmark::Topology> made;
    for (const char* text : {"pack:2 [numa] l3:16(size=16777216) core:4 pu:2(indexes=core)",
                             "pack:2 group:4 [numa] l3:4(size=16777216) core:4 pu:1", "[numa] pack:3 core:1 pu:1",
                             "pack:1 [numa] l3:2 core:3 pu:2", "core:2 pu:1", "pu:1"})
      made.push_back(*hitmark::read_synthetic_topology(text));
    // A machine whose numbers have gaps and that says next to nothing.
    std::vector<hitmark::Cpu> cpus(3);
    cpus[1].os = 7;
    cpus[2].os = 1000;
    cpus[2].thread = 5;
    made.emplace_back(cpus, std::vector<hitmark::NumaNode>{}, std::vector<std::vector<int>>{}, hitmark::Facts{});
    made.back().offline = {3};
    return made;
  }();
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const hitmark::Topology& machine = machines()[data[0] % machines().size()];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto placement = hitmark::resolve_placement(machine, text);
  if (!placement) {
    HITMARK_CHECK(!placement.error().message.empty(), "an error says something");
    return 0;
  }
  std::set<int> seen;
  std::vector<int> flat;
  for (const auto& group : placement->groups) flat.insert(flat.end(), group.begin(), group.end());
  HITMARK_CHECK(flat == placement->cpus && !flat.empty(), "the groups are the CPUs");
  for (const int os : placement->cpus) HITMARK_CHECK(machine.find(os) && seen.insert(os).second, "usable and once");
  const auto is_home = [&](const hitmark::NumaNode& node) { return node.os == placement->home_node; };
  HITMARK_CHECK(
      placement->home_node == hitmark::kUnknown || std::any_of(machine.nodes().begin(), machine.nodes().end(), is_home),
      "the home is a node");
  return 0;
}
