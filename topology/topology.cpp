#include "topology/topology.hpp"

#include <algorithm>
#include <utility>

namespace hitmark {

Topology::Topology(std::vector<Cpu> cpus, std::vector<NumaNode> nodes, std::vector<std::vector<int>> distances,
                   Facts facts)
    : cpus_(std::move(cpus)), nodes_(std::move(nodes)), distances_(std::move(distances)), facts_(std::move(facts)) {
  std::sort(cpus_.begin(), cpus_.end(), [](const Cpu& a, const Cpu& b) { return a.os < b.os; });
}

const Cpu* Topology::find(int os) const {
  const auto at =
      std::lower_bound(cpus_.begin(), cpus_.end(), os, [](const Cpu& cpu, int number) { return cpu.os < number; });
  return at != cpus_.end() && at->os == os ? &*at : nullptr;
}

std::optional<int> Topology::distance(int from_node, int to_node) const {
  const auto index = [this](int os) {
    return static_cast<std::size_t>(
        std::find_if(nodes_.begin(), nodes_.end(), [os](const NumaNode& node) { return node.os == os; }) -
        nodes_.begin());
  };
  const std::size_t from = index(from_node), to = index(to_node);
  if (from >= distances_.size() || to >= distances_[from].size()) return std::nullopt;
  return distances_[from][to];
}

}  // namespace hitmark
