// Which pairs of CPUs stand for all of a machine, and what was found on them: by class sampling, so that 256 CPUs
// take seconds instead of an hour. Knows topologies only; how a pair is measured is its caller's.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "support/result.hpp"
#include "topology/topology.hpp"

namespace hitmark::cli {

// A row and column of the matrix: a quadrant, an L3 where quadrants are not known, or a socket.
struct LatencyUnit {
  std::string name;  // "s0q1", "s0 L3 2", "s1"
  std::vector<int> cpus;
};
std::vector<LatencyUnit> latency_units(const Topology& topology);

// Pairs of two units that are related alike: up to `pairs` of them are measured, with the lines on `home`.
struct LatencyCell {
  std::size_t unit_a = 0, unit_b = 0;  // a <= b
  std::string relation;                // "same-ccx"
  int home = kUnknown;                 // OS number of a node; kUnknown: the machine shows none
  std::string home_relation;  // "own node" (of one of the two), "own socket", "other socket"; empty without nodes
  std::vector<std::pair<int, int>> pairs;
  std::vector<double> ns;  // by pair that was measured; of each the mean of the middle half of its samples
  std::vector<std::string> unavailable;  // why the others were not
};

struct LatencyClass {
  std::string relation, home_relation;
  double mean = 0, least = 0, most = 0;  // ns; over pairs
  std::size_t pairs = 0;                 // measured
};

struct LatencySurvey {
  std::vector<LatencyUnit> units;
  std::vector<LatencyCell> cells;
  std::size_t planned = 0, measured = 0;  // pairs
};

// ns of every sample of one pair with its lines on a node.
using MeasurePair = std::function<Result<std::vector<double>>(int cpu_a, int cpu_b, int home)>;
// Whether there is time for another pair.
using GoOn = std::function<bool()>;

LatencySurvey survey_latency(const Topology& topology, unsigned pairs_per_cell, const MeasurePair& measure,
                             const GoOn& go_on);
// Nearest first.
std::vector<LatencyClass> classes_of(const LatencySurvey& survey);
// The mean of the middle half: neither a disturbed sample nor the split of homes inside a node decides alone.
double middle_mean(std::vector<double> samples);
// Of a cell; NaN when no pair of it was measured.
double mean_of(const LatencyCell& cell);

}  // namespace hitmark::cli
