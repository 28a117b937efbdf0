// Where threads run and where the shared lines live: a named, ordered list of CPUs with the relation that
// it stands for, and a home node.
//
//   single  smt-siblings  same-ccx  same-quadrant  cross-quadrant  cross-socket
//   cross-ccx  same-socket  where the machine does not tell quadrants, or has no CCX
//   spread:N              N CPUs as far apart as can be
//   fill:N                N CPUs L3 by L3, in each the first threads before the second ones
//   groups:KxN            K disjoint groups of N CPUs, each in one L3 where there is room
//   E:..., S0:0-3@S1:0-3, C0:0-1, N:scatter ...   likwid's pin expressions (cpu_expression.hpp)
//   0-3,8,10-14:2         taskset's lists
// each with @home:local (the node of the first CPU), @home:remote (the farthest node from there by the
// distance table; without a table, of another package) or @home:NODE (OS number).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"
#include "topology/topology.hpp"

namespace hitmark {

struct Placement {
  std::string name;                      // as asked for, home included: "same-ccx@home:local"
  std::string relation;                  // "same-ccx"; for lists of any kind the widest relation among them
  std::vector<int> cpus;                 // OS numbers, in order; even positions charge and odd ones uncharge when split
  std::vector<std::vector<int>> groups;  // the same CPUs by group; one group unless asked for
  int home_node = kUnknown;  // OS number of the node of the shared lines; kUnknown: wherever the kernel puts them
  std::string home;          // "local", "remote", "node 3", for the reader; empty: none asked for
};

// The placement that `text` names on this machine. Unknown syntax: kUsage with the nearest names. A class
// that the machine does not have: kUnavailable, by name, with the classes that it does have.
Result<Placement> resolve_placement(const Topology& topology, std::string_view text);

// Those of the simple classes that the machine has, nearest first: what a study runs by default. cross-ccx
// only where quadrants are not known, same-socket only where no L3 is a CCX.
std::vector<std::string> available_placements(const Topology& topology);

// The other simple classes, each with the reason in a phrase.
struct MissingPlacement {
  std::string name, reason;
};
std::vector<MissingPlacement> missing_placements(const Topology& topology);

// The closest relation between two CPUs: "single" (same), "smt-siblings", "same-ccx", "same-quadrant", ...;
// "unknown" when one of them is not usable.
std::string relation_between(const Topology& topology, int os_a, int os_b);

}  // namespace hitmark
