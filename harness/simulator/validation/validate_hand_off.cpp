// The CAS loop of the published matrices, simulated between quadrants and classes.
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "harness/simulator/validation/latency_path.hpp"
#include "harness/simulator/validation/latency_probe.hpp"
#include "harness/simulator/validation/validate_model.hpp"

namespace hitmark::simulator {
namespace {

constexpr double kTie = 0.02;  // classes whose measured means are closer are not ordered

std::string describe(const MachineModel& machine, QuadrantPair pair) {
  const auto place = [&](unsigned quadrant) {
    return "s" + std::to_string(quadrant / machine.quadrants) + "q" + std::to_string(quadrant % machine.quadrants);
  };
  return place(pair.a) + " - " + place(pair.b);
}

// The first CPUs of two CCXs in these quadrants.
std::pair<unsigned, unsigned> cpus_of(const MachineModel& machine, QuadrantPair pair) {
  const unsigned ccx_a = pair.a * machine.ccxs_per_quadrant;
  const unsigned ccx_b = pair.b * machine.ccxs_per_quadrant + (pair.a == pair.b ? 1 : 0);
  return {ccx_a * machine.cores_per_ccx, ccx_b * machine.cores_per_ccx};
}

template <typename Wanted>
void compare_pairs(Check& check, const Measured& real, Wanted wanted) {
  const MachineModel& machine = real.machine;
  const Home home = find_home(real);
  const auto pairs = quadrant_pairs(machine);
  const auto medians = quadrant_medians(real);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!wanted(pairs[i].a / machine.quadrants, pairs[i].b / machine.quadrants, home.socket)) continue;
    const auto [a, b] = cpus_of(machine, pairs[i]);
    check.values.push_back({describe(machine, pairs[i]), medians[i], simulate_hand_off(machine, a, b, home)});
  }
}

Check start(const MachineModel& machine, const std::string& what, Basis basis, const std::string& foundation) {
  Check check;
  check.name = machine.name + ", " + what;
  check.basis = basis;
  check.foundation = foundation;
  check.reference = "medians of the published matrix";
  check.unit = "ns";
  return check;
}

// Pairs that a class of the machine does not tell apart are simulated once.
class SimulatedPairs {
 public:
  SimulatedPairs(const MachineModel& machine, Home home) : machine_(machine), home_(home) {}

  double operator()(unsigned a, unsigned b) {
    const auto which = class_of(machine_, home_, a, b);
    const std::pair<unsigned, unsigned> quadrants = std::minmax(quadrant_of(machine_, a), quadrant_of(machine_, b));
    const auto [known, is_new] = ns_.emplace(std::tuple(which, quadrants.first, quadrants.second), 0.0);
    if (is_new) known->second = simulate_hand_off(machine_, a, b, home_);
    return known->second;
  }

 private:
  const MachineModel& machine_;
  Home home_;
  std::map<std::tuple<PairClass, unsigned, unsigned>, double> ns_;
};

}  // namespace

Check check_all_pairs(const Measured& real, Basis basis, const std::string& foundation) {
  Check check = start(real.machine, "all pairs of quadrants", basis, foundation);
  compare_pairs(check, real, [](unsigned, unsigned, unsigned) { return true; });
  add_deviations(check, basis == Basis::kFitted ? 1.5 : 2, 5);
  return check;
}

Check check_home_socket(const Measured& real, const std::string& foundation) {
  Check check = start(real.machine, "pairs on the home's socket", Basis::kPredicted, foundation);
  compare_pairs(check, real, [](unsigned a, unsigned b, unsigned home) { return a == home && b == home; });
  add_deviations(check, 2, 5);
  return check;
}

Check check_cross_socket(const Measured& real, const std::string& foundation) {
  Check check = start(real.machine, "pairs across sockets", Basis::kPredicted, foundation);
  compare_pairs(check, real, [](unsigned a, unsigned b, unsigned) { return a != b; });
  add_deviations(check, 3, 5);
  return check;
}

Check check_in_core_and_ccx(const Measured& real) {
  Check check = start(real.machine, "inside a core and a CCX", Basis::kFitted, "two hand-offs, to these two medians");
  const MachineModel& machine = real.machine;
  const Home home = find_home(real);
  if (machine.threads_per_core > 1)
    check.values.push_back({"SMT siblings", smt_median(real), simulate_hand_off(machine, 0, machine.cores(), home)});
  check.values.push_back({"same CCX", ccx_median(real), simulate_hand_off(machine, 0, 1, home)});
  add_deviations(check, 1.5, 5);
  return check;
}

Check check_class_means(const Measured& real) {
  Check check = start(real.machine, "order of the class means", Basis::kFitted, "path model, to the same matrix");
  check.reference = "means over the pairs of the published matrix";
  const MachineModel& machine = real.machine;
  const Home home = find_home(real);
  const auto measured = class_means(machine, home, [&](unsigned a, unsigned b) { return real.matrix.at(a, b); });
  const auto simulated = class_means(machine, home, SimulatedPairs(machine, home));
  for (std::size_t i = 0; i < kPairClasses; ++i)
    if (measured[i] > 0) check.values.push_back({name_of(static_cast<PairClass>(i)), measured[i], simulated[i]});
  double misordered = 0, untied = 0;
  for (const ComparedValue& a : check.values)
    for (const ComparedValue& b : check.values) {
      if (a.reference > b.reference) continue;  // each pair once, equal ones twice
      if (b.reference / a.reference - 1 > kTie)
        misordered += !(a.simulated < b.simulated);
      else
        untied += !(std::abs(b.simulated / a.simulated - 1) <= kTie);
    }
  check.figures.push_back({"pairs of classes in the wrong order", "", misordered, 0});
  check.figures.push_back({"ties that differ by more than 2 %", "", untied, 0});
  return check;
}

Check check_path_model(const MachineModel& machine) {
  Check check =
      start(machine, "all pairs of quadrants, every home", Basis::kExact, "the machine file's own path model");
  check.reference = "F + r(a,home) + r(b,home) + d(a,b)";
  for (unsigned socket = 0; socket < machine.sockets; ++socket)
    for (unsigned quadrant = 0; quadrant < machine.quadrants; ++quadrant)
      for (const QuadrantPair& pair : quadrant_pairs(machine)) {
        if (pair.a == pair.b && machine.ccxs_per_quadrant < 2) continue;
        const auto [a, b] = cpus_of(machine, pair);
        Home home;
        home.socket = static_cast<std::uint8_t>(socket);
        home.quadrant = static_cast<std::uint8_t>(quadrant);
        check.values.push_back(
            {describe(machine, pair) + ", home s" + std::to_string(socket) + "q" + std::to_string(quadrant),
             hand_off_ns(machine, a, b, home), simulate_hand_off(machine, a, b, home)});
      }
  if (check.values.empty() && machine.cores_per_ccx > 1) {
    check.name = machine.name + ", same CCX";
    check.values.push_back({"same CCX", hand_off_ns(machine, 0, 1, {}), simulate_hand_off(machine, 0, 1, {})});
  }
  add_deviations(check, 0.5, 1);
  return check;
}

MachineModel with_latencies_of(MachineModel structure, const MachineModel& latencies) {
  structure.core = latencies.core;
  structure.path = latencies.path;
  structure.dram_ns = latencies.dram_ns;
  structure.dram_other_socket_ns = latencies.dram_other_socket_ns;
  return structure;
}

}  // namespace hitmark::simulator
