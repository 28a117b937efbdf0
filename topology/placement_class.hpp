// The named kinds of placement: which CPUs each takes, and why a machine lacks one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"
#include "topology/topology.hpp"

namespace hitmark {

// Two CPUs by their relation (or one), nearest first. cross-ccx and same-socket are for machines that do not
// tell more: no quadrants, or no L3 that is a CCX.
std::span<const std::string_view> pair_classes();
std::string_view relation_of(const Topology& topology, const Cpu& a, const Cpu& b);

// The CPUs of `name`, which is one of pair_classes(); empty when the machine has none.
std::vector<int> find_pair(const Topology& topology, std::string_view name);
// Why find_pair found nothing, for the reader.
std::string why_no_pair(const Topology& topology, std::string_view name);

// spread:N and fill:N
Result<std::vector<int>> take(const Topology& topology, std::string_view name, int count);

// groups:KxN, disjoint. Each group stays in one L3 when K groups of N find room that way; else in one
// package; else anywhere. The groups lie as far apart as that allows.
Result<std::vector<std::vector<int>>> make_groups(const Topology& topology, int groups, int size);

}  // namespace hitmark
