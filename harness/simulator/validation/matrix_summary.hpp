// What a matrix says about its machine: where the flag was homed, medians by pair of quadrants, means by class.
#pragma once

#include <string>
#include <vector>

#include "harness/simulator/memory/coherent_memory.hpp"
#include "harness/simulator/validation/matrix_file.hpp"

namespace hitmark::simulator {

// Two quadrants of the machine, numbered over its sockets, a <= b.
struct QuadrantPair {
  unsigned a = 0, b = 0;
  bool operator==(const QuadrantPair&) const = default;
};

// How two CPUs lie to each other and to the home, as far as published matrices tell it apart.
enum class PairClass {
  kSmt,
  kSameCcx,
  kSameCcd,
  kSameQuadrant,
  kOtherQuadrant,
  kSameCcdRemoteHome,  // both on one socket, the home on the other
  kSameQuadrantRemoteHome,
  kOtherQuadrantRemoteHome,
  kCrossSocket,
};
inline constexpr unsigned kPairClasses = 9;
const char* name_of(PairClass which);

unsigned quadrant_of(const MachineModel& machine, unsigned cpu);  // numbered over the sockets
PairClass class_of(const MachineModel& machine, Home home, unsigned cpu_a, unsigned cpu_b);

// All unordered pairs, 36 of a two-socket Rome.
std::vector<QuadrantPair> quadrant_pairs(const MachineModel& machine);

// Medians over the pairs of CPUs that lie in two CCXs of these quadrants, in the order of quadrant_pairs().
std::vector<double> quadrant_medians(const Measured& measured);

// A flag that does not move was homed where two CCXs of one quadrant are quickest. The channel is not known: 0.
Home find_home(const Measured& measured);

// Of the pairs in one CCX, and of SMT siblings (0 where there are none).
double ccx_median(const Measured& measured);
double smt_median(const Measured& measured);

// Mean of `ns(cpu_a, cpu_b)` over the pairs of each class; 0 where the machine has none.
template <typename Ns>
std::array<double, kPairClasses> class_means(const MachineModel& machine, Home home, Ns ns) {
  std::array<double, kPairClasses> sums{}, counts{};
  for (unsigned a = 1; a < machine.cpus(); ++a)
    for (unsigned b = 0; b < a; ++b) {
      const auto which = static_cast<std::size_t>(class_of(machine, home, a, b));
      sums[which] += ns(a, b);
      counts[which] += 1;
    }
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (counts[i] > 0) sums[i] /= counts[i];
  return sums;
}

}  // namespace hitmark::simulator
