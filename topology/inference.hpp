// What hwloc does not say about an EPYC: which L3s form a CCD and which quadrant of the I/O die they hang
// on. Only inferred where the part and the count of L3s leave no doubt; else unknown, never a guess. The
// rules come from captures of real machines: Rome 7742 and Milan 7763 under NPS4 (README.md).
#pragma once

#include <string>
#include <vector>

#include "topology/topology.hpp"

namespace hitmark {

// One L3 with everything below it, disallowed CPUs included.
struct L3Group {
  int package = kUnknown;
  int node = kUnknown;  // kUnknown also when the L3 lies in several nodes
  int die = kUnknown;
  std::uint64_t bytes = 0;
  std::vector<std::vector<int>> cores;  // CPU numbers by core
};

struct ChipletView {
  std::string vendor, cpu_model;                   // "AuthenticAMD"; empty when not said
  int family = 0, model = 0;                       // CPUID numbers; 0: not said
  std::vector<L3Group> l3;                         // in hwloc's logical order
  std::vector<std::vector<int>> nodes_of_package;  // OS numbers, ascending; nodes without CPUs included
  std::vector<int> missing;                        // offline CPUs
  bool partial = false;                            // CPU numbers have gaps that are not offline CPUs
};

struct Chiplets {
  std::vector<int> ccd, quadrant;  // by L3; kUnknown where not inferred; CCDs number the whole machine
  std::string ccx_basis, ccd_basis, quadrant_basis, nps;
};

Chiplets infer_chiplets(const ChipletView& view);

// What a reader should know before trusting a placement: offline CPUs, a cpuset, no L3, hybrid cores, ...
std::vector<std::string> find_oddities(const Topology& topology, const ChipletView& view, bool hybrid);

}  // namespace hitmark
