// What a verdict is made from: a difference of log costs, and how it compares with what the nulls did in the same
// processes.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "analysis/block_costs.hpp"
#include "analysis/statistics/interval.hpp"

namespace hitmark {

// Absent when one of them is infinite, because then their mean says nothing.
std::optional<std::vector<double>> finite_values(const ByInvocation& by_invocation);

struct Evidence {
  MeanInterval difference;  // of log costs
  // For each null the difference minus the null's and plus the null's, process by process: the difference is larger
  // than the null's when all of them lie on its own side of zero.
  std::vector<MeanInterval> beyond_nulls;
  // |log ratio| of the larger null: what two copies of the same code differed by. Absent when there is no null or
  // one of them has no interval.
  std::optional<double> noise_floor;
  bool has_nulls = false;
  // Of a simulation that is not as precise as it was to be: the difference is known to this (log ratio, two standard
  // errors of both arms' slices), however well the processes agree. 0: nothing to allow for.
  double imprecision = 0;
};

// `difference` is finite; nulls may have infinite values and are then without interval.
Evidence evidence_of(const ByInvocation& difference, std::span<const ByInvocation> nulls, double confidence);

std::optional<double> noise_floor_of(std::span<const ByInvocation> nulls);

}  // namespace hitmark
