#include "harness/simulator/validation/matrix_file.hpp"

#include <charconv>
#include <cmath>

#include "embedded/matrix_rome_2x7302.hpp"
#include "embedded/matrix_rome_2x7702.hpp"
#include "embedded/matrix_rome_2x7742.hpp"

namespace hitmark::simulator {
namespace {

constexpr unsigned kMostCpus = 1024;
constexpr double kMostNs = 1e6;

std::string_view take_until(std::string_view& text, char end) {
  const std::size_t length = std::min(text.find(end), text.size());
  const std::string_view taken = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return taken;
}

}  // namespace

Result<LatencyMatrix> parse_matrix(std::string_view text, const std::string& name) {
  const auto invalid = [&](unsigned row, const std::string& what) {
    return Error{ErrorKind::kInvalid, name + ", line " + std::to_string(row + 1) + ": " + what,
                 "row a, column b: the nanoseconds between CPU a and CPU b for all b < a"};
  };
  std::vector<double> triangle;
  unsigned row = 0;
  for (; !text.empty(); ++row) {
    if (row == kMostCpus) return invalid(row, "more CPUs than a matrix can have");
    std::string_view line = take_until(text, '\n');
    if (line.ends_with('\r')) line.remove_suffix(1);
    for (unsigned column = 0; column < row; ++column) {
      const std::string_view field = take_until(line, ',');
      double ns = 0;
      const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), ns);
      if (error != std::errc() || end != field.data() + field.size() || !(ns > 0 && ns <= kMostNs))
        return invalid(row, "column " + std::to_string(column + 1) + " is not a time in ns");
      triangle.push_back(ns);
    }
    if (line.find_first_not_of(',') != std::string_view::npos) return invalid(row, "values beyond the diagonal");
  }
  if (row < 2) return invalid(row, "a matrix has at least two CPUs");
  return LatencyMatrix(row, std::move(triangle));
}

std::span<const MeasuredMachine> measured_machines() {
  static const MeasuredMachine machines[] = {
      {"rome-2s-7742", "rome-2x7742.csv", 2, embedded::matrix_rome_2x7742},
      {"rome-2s-7702", "rome-2x7702-smtoff.csv", 1, embedded::matrix_rome_2x7702},
      {"rome-2s-7302", "rome-2x7302.csv", 2, embedded::matrix_rome_2x7302},
  };
  return machines;
}

Result<Measured> load_measured(const MeasuredMachine& which) {
  auto machine = load_machine(which.machine);
  if (!machine) return machine.error();
  machine->threads_per_core = which.threads_per_core;
  auto matrix = parse_matrix(which.text, std::string(which.file));
  if (!matrix) return matrix.error();
  if (matrix->cpus() != machine->cpus())
    return Error{ErrorKind::kInvalid,
                 std::string(which.file) + " has " + std::to_string(matrix->cpus()) + " CPUs, its machine " +
                     std::to_string(machine->cpus()),
                 ""};
  return Measured{std::move(*machine), std::move(*matrix)};
}

}  // namespace hitmark::simulator
