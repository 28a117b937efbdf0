// Topologies by hwloc. Each error is one sentence: what is wrong with which input, and what would do.
#pragma once

#include <string>

#include "support/result.hpp"
#include "topology/topology.hpp"

namespace hitmark {

// Of the CPUs, those that the cpuset and the affinity of this process allow.
Result<Topology> read_host_topology();
// An hwloc 2.x XML file (lstopo --of xml). Version 3 files, truncated, empty, huge or binary ones and
// directories are refused within a second.
Result<Topology> read_topology_file(const std::string& path);
// "pack:2 [numa] l3:16(size=16777216) core:4 pu:2"
Result<Topology> read_synthetic_topology(const std::string& text);

}  // namespace hitmark
