// Explicit lists of CPUs: taskset's ("0-3,8,10-14:2") and likwid-pin's. The domains are N (all), S (socket),
// D (die, or socket where there are none), C (L3 group) and M (NUMA node), numbered from 0 as they are here.
//
//   S0:0-3, L:S0:0-3, L:0-3   by index in the domain, first threads of all cores before second threads
//   E:S0:4, E:S0:4:1:2        count[:chunk:stride], the threads of a core side by side
//   M:scatter, M:scatter:4    one CPU from each domain in turn, first threads before second threads
//   S:balanced:8              the same count from each domain, the threads of a core side by side
//   S:cbalanced:8             the same, first threads before second threads
//   S0:0-3@S1:0-3             one after the other
//
// Semantics as in likwid-pin(1) 5.2 and its cpustring.c, but a CPU that would be named twice is an error.
#pragma once

#include <string_view>
#include <vector>

#include "support/result.hpp"
#include "topology/topology.hpp"

namespace hitmark {

// Whether `text` is meant as such a list rather than as the name of a placement class.
bool looks_like_cpu_expression(std::string_view text);

// OS numbers in order. Bad syntax: kUsage. A CPU or domain that is not here: kUnavailable.
Result<std::vector<int>> resolve_cpu_expression(const Topology& topology, std::string_view text);

}  // namespace hitmark
