// Core-to-core matrices as measured: nanoseconds per hand-off for every pair of CPUs, and the ones that are built in.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/simulator/machine/machine_model.hpp"

namespace hitmark::simulator {

// The lower triangle, by OS numbers of the CPUs.
class LatencyMatrix {
 public:
  LatencyMatrix(unsigned cpus, std::vector<double> triangle) : cpus_(cpus), triangle_(std::move(triangle)) {}
  unsigned cpus() const { return cpus_; }
  double at(unsigned a, unsigned b) const {  // a != b
    if (a < b) std::swap(a, b);
    return triangle_[std::size_t{a} * (a - 1) / 2 + b];
  }

 private:
  unsigned cpus_;
  std::vector<double> triangle_;
};

// Comma-separated, row a column b for b < a, empty fields after them allowed; `name` is for the error.
Result<LatencyMatrix> parse_matrix(std::string_view text, const std::string& name);

struct MeasuredMachine {
  std::string_view machine;   // its machine file, which gives the structure
  std::string_view file;      // in data/
  unsigned threads_per_core;  // that were measured
  std::string_view text;
};
std::span<const MeasuredMachine> measured_machines();

// Its matrix, and its machine as it was measured.
struct Measured {
  MachineModel machine;
  LatencyMatrix matrix;
};
Result<Measured> load_measured(const MeasuredMachine& which);

}  // namespace hitmark::simulator
