#include "harness/simulator/validation/matrix_summary.hpp"

#include <algorithm>
#include <map>

namespace hitmark::simulator {
namespace {

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

template <typename Wanted>
double median_where(const Measured& measured, Wanted wanted) {
  std::vector<double> values;
  for (unsigned a = 1; a < measured.matrix.cpus(); ++a)
    for (unsigned b = 0; b < a; ++b)
      if (wanted(a, b)) values.push_back(measured.matrix.at(a, b));
  return median(std::move(values));
}

unsigned ccx_of(const MachineModel& machine, unsigned cpu) { return machine.ccx_of_core(machine.core_of(cpu)); }

}  // namespace

const char* name_of(PairClass which) {
  constexpr const char* kNames[kPairClasses] = {"SMT siblings",
                                                "same CCX",
                                                "same CCD",
                                                "same quadrant",
                                                "other quadrant",
                                                "same CCD, remote home",
                                                "same quadrant, remote home",
                                                "other quadrant, remote home",
                                                "cross socket"};
  return kNames[static_cast<std::size_t>(which)];
}

unsigned quadrant_of(const MachineModel& machine, unsigned cpu) {
  return ccx_of(machine, cpu) / machine.ccxs_per_quadrant;
}

PairClass class_of(const MachineModel& machine, Home home, unsigned cpu_a, unsigned cpu_b) {
  if (machine.core_of(cpu_a) == machine.core_of(cpu_b)) return PairClass::kSmt;
  const unsigned a = ccx_of(machine, cpu_a), b = ccx_of(machine, cpu_b);
  if (a == b) return PairClass::kSameCcx;
  if (machine.socket_of_ccx(a) != machine.socket_of_ccx(b)) return PairClass::kCrossSocket;
  const bool remote = machine.socket_of_ccx(a) != home.socket;
  if (a / machine.ccxs_per_ccd == b / machine.ccxs_per_ccd)
    return remote ? PairClass::kSameCcdRemoteHome : PairClass::kSameCcd;
  if (machine.quadrant_of_ccx(a) == machine.quadrant_of_ccx(b))
    return remote ? PairClass::kSameQuadrantRemoteHome : PairClass::kSameQuadrant;
  return remote ? PairClass::kOtherQuadrantRemoteHome : PairClass::kOtherQuadrant;
}

std::vector<QuadrantPair> quadrant_pairs(const MachineModel& machine) {
  std::vector<QuadrantPair> pairs;
  const unsigned quadrants = machine.sockets * machine.quadrants;
  for (unsigned a = 0; a < quadrants; ++a)
    for (unsigned b = a; b < quadrants; ++b) pairs.push_back({a, b});
  return pairs;
}

std::vector<double> quadrant_medians(const Measured& measured) {
  const MachineModel& machine = measured.machine;
  std::map<std::pair<unsigned, unsigned>, std::vector<double>> values;
  for (unsigned a = 1; a < measured.matrix.cpus(); ++a)
    for (unsigned b = 0; b < a; ++b)
      if (ccx_of(machine, a) != ccx_of(machine, b))
        values[std::minmax(quadrant_of(machine, a), quadrant_of(machine, b))].push_back(measured.matrix.at(a, b));
  std::vector<double> medians;
  for (const QuadrantPair& pair : quadrant_pairs(machine)) medians.push_back(median(values[{pair.a, pair.b}]));
  return medians;
}

Home find_home(const Measured& measured) {
  const auto pairs = quadrant_pairs(measured.machine);
  const auto medians = quadrant_medians(measured);
  unsigned best = 0;
  double least = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (pairs[i].a == pairs[i].b && medians[i] > 0 && (least == 0 || medians[i] < least))
      least = medians[i], best = pairs[i].a;
  Home home;
  home.socket = static_cast<std::uint8_t>(best / measured.machine.quadrants);
  home.quadrant = static_cast<std::uint8_t>(best % measured.machine.quadrants);
  return home;
}

double ccx_median(const Measured& measured) {
  const MachineModel& machine = measured.machine;
  return median_where(measured, [&](unsigned a, unsigned b) {
    return ccx_of(machine, a) == ccx_of(machine, b) && machine.core_of(a) != machine.core_of(b);
  });
}

double smt_median(const Measured& measured) {
  return median_where(
      measured, [&](unsigned a, unsigned b) { return measured.machine.core_of(a) == measured.machine.core_of(b); });
}

}  // namespace hitmark::simulator
