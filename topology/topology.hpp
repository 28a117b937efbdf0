// What shares what on a machine: immutable, from this host, an hwloc XML file or a synthetic string
// (hwloc_reader.hpp). Only CPUs that are online and allowed are listed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "topology/facts.hpp"

namespace hitmark {

inline constexpr int kUnknown = -1;

// Indices number the objects of the whole machine, 0-based, in hwloc's logical order; kUnknown where the
// machine does not say.
struct Cpu {
  int os = 0;  // Linux CPU number
  int package = kUnknown;
  int node = kUnknown;  // NUMA node, OS number
  int die = kUnknown;   // hwloc's Die object; most machines have none
  int ccx = kUnknown;   // L3 group; see Topology::ccx_basis for whether it is a CCX
  int core = kUnknown;
  int thread = 0;           // 0 for the first allowed thread of its core, 1 for the second
  int ccd = kUnknown;       // inferred, see Topology::ccd_basis
  int quadrant = kUnknown;  // of its package, 0..3; inferred, see Topology::quadrant_basis
};

struct NumaNode {
  int os = 0;
  int package = kUnknown;
  std::uint64_t memory_bytes = 0;  // 0: not said
};

class Topology {
 public:
  Topology(std::vector<Cpu> cpus, std::vector<NumaNode> nodes, std::vector<std::vector<int>> distances, Facts facts);

  std::span<const Cpu> cpus() const { return cpus_; }  // by OS number
  std::span<const NumaNode> nodes() const { return nodes_; }
  const Cpu* find(int os) const;
  std::optional<int> distance(int from_node, int to_node) const;  // SLIT, by OS numbers
  const Facts& facts() const { return facts_; }

  // Why an L3 group is called a CCX, and how CCDs and quadrants were inferred, in a phrase for the reader;
  // empty when they could not be. Without a ccx_basis an L3 is a socket's or a domain's cache (Intel).
  std::string ccx_basis, ccd_basis, quadrant_basis;
  std::string cpu_model;                 // empty when not said
  std::string nps;                       // "NPS1", "NPS4", ... as inferred; empty when it makes no sense
  std::string source;                    // "this host", a file name, or the synthetic string
  std::vector<int> offline, disallowed;  // OS numbers of CPUs that exist but are not in cpus()
  std::vector<std::string> remarks;      // oddities worth showing: offline CPUs, restricted cpuset, no L3, hybrid

 private:
  std::vector<Cpu> cpus_;
  std::vector<NumaNode> nodes_;
  std::vector<std::vector<int>> distances_;
  Facts facts_;
};

}  // namespace hitmark
