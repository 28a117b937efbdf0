#include "harness/simulator/validation/matrix_fit.hpp"

#include <cmath>
#include <utility>

#include "harness/simulator/validation/latency_path.hpp"

namespace hitmark::simulator {
namespace {

// The parameters in the order of the unknowns: F, r by hop without kSame, r_other, d by hop without kSame, d_across.
constexpr std::size_t kUnknowns = 12;
using Row = std::array<double, kUnknowns>;

double& unknown(PathModel& path, std::size_t index) {
  if (index == 0) return path.fixed_fabric_ns;
  if (index <= 3) return path.r[index];
  if (index <= 7) return path.r_other[index - 4];
  if (index <= 10) return path.d[index - 7];
  return path.d_across;
}

PathModel without_unknowns(PathModel path) {
  for (std::size_t i = 0; i < kUnknowns; ++i) unknown(path, i) = 0;
  path.r[0] = path.d[0] = 0;
  path.link = 1;
  return path;
}

double hand_off(const MachineModel& machine, QuadrantPair pair, Home home) {
  return ccx_hand_off_ns(machine, pair.a * machine.ccxs_per_quadrant, pair.b * machine.ccxs_per_quadrant, home);
}

// Gauss-Jordan with pivoting on the normal equations; each has its right side as the last element.
Row solve(std::array<std::array<double, kUnknowns + 1>, kUnknowns> equations) {
  for (std::size_t column = 0; column < kUnknowns; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column; row < kUnknowns; ++row)
      if (std::abs(equations[row][column]) > std::abs(equations[pivot][column])) pivot = row;
    std::swap(equations[column], equations[pivot]);
    for (std::size_t row = 0; row < kUnknowns; ++row) {
      if (row == column) continue;
      const double factor = equations[row][column] / equations[column][column];
      for (std::size_t i = column; i <= kUnknowns; ++i) equations[row][i] -= factor * equations[column][i];
    }
  }
  Row solution{};
  for (std::size_t i = 0; i < kUnknowns; ++i) solution[i] = equations[i][kUnknowns] / equations[i][i];
  return solution;
}

}  // namespace

PathModel fit_path(const MachineModel& machine, Home home, const std::vector<double>& ns) {
  MachineModel model = machine;
  model.path = without_unknowns(machine.path);
  const PathModel none = model.path;
  std::array<std::array<double, kUnknowns + 1>, kUnknowns> equations{};
  const auto pairs = quadrant_pairs(machine);
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    // The model is linear: how often a parameter counts is what a 1 in its place adds.
    const double constant = hand_off(model, pairs[p], home);
    Row count{};
    for (std::size_t i = 0; i < kUnknowns; ++i) {
      model.path = none;
      unknown(model.path, i) = 1;
      count[i] = hand_off(model, pairs[p], home) - constant;
    }
    model.path = none;
    const double weight = 1 / (ns[p] * ns[p]);
    for (std::size_t i = 0; i < kUnknowns; ++i) {
      for (std::size_t j = 0; j < kUnknowns; ++j) equations[i][j] += weight * count[i] * count[j];
      equations[i][kUnknowns] += weight * count[i] * (ns[p] - constant);
    }
  }
  const Row solution = solve(equations);
  for (std::size_t i = 0; i < kUnknowns; ++i) unknown(model.path, i) = solution[i];
  return model.path;
}

double fit_link(const MachineModel& machine, Home home, const std::vector<double>& ns) {
  MachineModel model = machine;
  double numerator = 0, denominator = 0;
  const auto pairs = quadrant_pairs(machine);
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    if (pairs[p].a / machine.quadrants == pairs[p].b / machine.quadrants) continue;
    model.path.link = 0;
    const double constant = hand_off(model, pairs[p], home);
    model.path.link = 1;
    const double slope = (hand_off(model, pairs[p], home) - constant) / ns[p];
    numerator += slope * (1 - constant / ns[p]);
    denominator += slope * slope;
  }
  return numerator / denominator;
}

}  // namespace hitmark::simulator
