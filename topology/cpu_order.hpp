// Orders of the usable CPUs that placements are cut from. The pointers live as long as the topology.
#pragma once

#include <vector>

#include "topology/topology.hpp"

namespace hitmark {

using CpuOrder = std::vector<const Cpu*>;

// Core by core as they lie in the machine, the threads of a core side by side.
CpuOrder cores_in_order(const Topology& topology);

// L3 by L3 (package by package where there is no L3), in each the first threads before the second ones:
// what fill:N takes from.
CpuOrder packed_order(const Topology& topology);

// Each next CPU as far from those before as it can be: packages in turn, in each the quadrants in turn, in
// each the L3s in turn; all first threads before any second thread. What spread:N takes from.
CpuOrder spread_order(const Topology& topology);

}  // namespace hitmark
