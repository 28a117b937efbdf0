#include "topology/cpu_order.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace hitmark {
namespace {

using Key = int Cpu::*;
constexpr std::array<Key, 3> kLevels = {&Cpu::package, &Cpu::quadrant, &Cpu::ccx};

// Splits by the level's key and takes one from each part in turn.
CpuOrder interleave(const CpuOrder& cpus, std::size_t level) {
  if (level == kLevels.size()) return cpus;
  std::vector<std::pair<int, CpuOrder>> parts;
  for (const Cpu* cpu : cpus) {
    const int key = cpu->*kLevels[level];
    auto part = std::find_if(parts.begin(), parts.end(), [key](const auto& p) { return p.first == key; });
    if (part == parts.end()) part = parts.insert(parts.end(), {key, {}});
    part->second.push_back(cpu);
  }
  std::size_t longest = 0;
  for (auto& [key, part] : parts) {
    part = interleave(part, level + 1);
    longest = std::max(longest, part.size());
  }
  CpuOrder order;
  for (std::size_t turn = 0; turn < longest; ++turn)
    for (const auto& [key, part] : parts)
      if (turn < part.size()) order.push_back(part[turn]);
  return order;
}

}  // namespace

CpuOrder cores_in_order(const Topology& topology) {
  CpuOrder order;
  for (const Cpu& cpu : topology.cpus()) order.push_back(&cpu);
  std::sort(order.begin(), order.end(), [](const Cpu* a, const Cpu* b) {
    return std::tie(a->core, a->thread, a->os) < std::tie(b->core, b->thread, b->os);
  });
  return order;
}

CpuOrder packed_order(const Topology& topology) {
  CpuOrder order = cores_in_order(topology);
  std::stable_sort(order.begin(), order.end(), [](const Cpu* a, const Cpu* b) {
    return std::tie(a->package, a->ccx, a->thread) < std::tie(b->package, b->ccx, b->thread);
  });
  return order;
}

CpuOrder spread_order(const Topology& topology) {
  CpuOrder order, rest = cores_in_order(topology);
  for (int thread = 0; !rest.empty(); ++thread) {
    const auto later =
        std::stable_partition(rest.begin(), rest.end(), [=](const Cpu* cpu) { return cpu->thread <= thread; });
    const CpuOrder now = interleave(CpuOrder(rest.begin(), later), 0);
    order.insert(order.end(), now.begin(), now.end());
    rest.erase(rest.begin(), later);
  }
  return order;
}

}  // namespace hitmark
