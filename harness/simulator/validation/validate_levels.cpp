// What needs no published matrix: the levels of the hierarchy, a contended counter, counts that must be exact.
#include <algorithm>
#include <bit>

#include "harness/simulator/validation/latency_path.hpp"
#include "harness/simulator/validation/latency_probe.hpp"
#include "harness/simulator/validation/validate_model.hpp"

namespace hitmark::simulator {
namespace {

constexpr unsigned kIncrements = 64;  // of every CPU

Home home_at(unsigned socket, unsigned quadrant) {
  Home home;
  home.socket = static_cast<std::uint8_t>(socket);
  home.quadrant = static_cast<std::uint8_t>(quadrant);
  return home;
}

unsigned lines_of(const CacheGeometry& cache) { return cache.sets * cache.ways; }

// Load to use, and the size of a ring that fills half of a level, or the one above many times over.
struct Levels {
  double l1_ns, l2_ns, l3_ns;
  unsigned l1_lines, l2_lines, l3_lines;
  std::array<double, 4> dram_ns;  // by Hop
  double dram_other_socket_ns;
};

// A Rome as published: AnandTech 14525 and 14694 (L1, L2), tud-zih-energy/2021-rome-ee (L3 at 2.5 GHz, DRAM of a
// 2 x 7502 under NPS4), AMD's slide (other socket). Not taken from the machine file, which may be wrong.
Levels published_rome(double ghz) {
  return {4 / ghz, 12 / ghz, 38 / ghz, 16384 / 64, 262144 / 64, 2097152 / 64, {91.3, 96.9, 105.6, 110.0}, 201};
}

Levels own_levels(const MachineModel& m) {
  return {m.core.l1_cycles / m.core.ghz,
          m.core.l2_cycles / m.core.ghz,
          m.core.l3_cycles / m.core.ghz,
          lines_of(m.l1) / 2,
          lines_of(m.l2) / 2,
          std::min(lines_of(m.l2) * 4, lines_of(m.l3) / 2),
          m.dram_ns,
          m.dram_other_socket_ns};
}

// One CPU in each of the first `count` CCXs.
std::vector<unsigned> one_per_ccx(const MachineModel& machine, unsigned count) {
  std::vector<unsigned> cpus;
  for (unsigned ccx = 0; ccx < count; ++ccx) cpus.push_back(ccx * machine.cores_per_ccx);
  return cpus;
}

// In turn, as a queue at the home that serves first come, first served lets them: each follows its neighbour.
double mean_hand_off(const MachineModel& machine, const std::vector<unsigned>& cpus, Home home) {
  double sum = 0;
  for (std::size_t i = 0; i < cpus.size(); ++i) sum += hand_off_ns(machine, cpus[i], cpus[(i + 1) % cpus.size()], home);
  return sum / static_cast<double>(cpus.size());
}

}  // namespace

Check check_levels(const MachineModel& machine) {
  // A file of the user's own cannot have a built-in name.
  const bool is_rome = machine.name.starts_with("rome-") && is_built_in(machine.name);
  const Levels levels = is_rome ? published_rome(machine.core.ghz) : own_levels(machine);
  Check check;
  check.name = machine.name + ", levels of the memory hierarchy";
  check.basis = is_rome ? Basis::kFitted : Basis::kExact;
  check.foundation = is_rome ? "the latencies, to this table; which level serves is simulated"
                             : "the machine file's latencies; which level serves is simulated";
  check.reference = is_rome ? "published load-to-use latencies" : "the machine file's own latencies";
  check.unit = "ns";
  const auto chase = [&](unsigned lines) { return simulate_chase(machine, 0, lines, home_at(0, 0), false); };
  check.values.push_back({"L1", levels.l1_ns, chase(levels.l1_lines)});
  check.values.push_back({"L2", levels.l2_ns, chase(levels.l2_lines)});
  check.values.push_back({"L3", levels.l3_ns, chase(levels.l3_lines)});
  constexpr const char* kHops[] = {"own quadrant", "short hop", "long hop", "diagonal"};
  constexpr unsigned kFreshLines = 4096;
  for (unsigned quadrant = 0; quadrant < machine.quadrants; ++quadrant)
    check.values.push_back({std::string("DRAM, ") + kHops[quadrant], levels.dram_ns[quadrant],
                            simulate_chase(machine, 0, kFreshLines, home_at(0, quadrant), true)});
  if (machine.sockets > 1)
    check.values.push_back({"DRAM, other socket", levels.dram_other_socket_ns,
                            simulate_chase(machine, 0, kFreshLines, home_at(1, 0), true)});
  add_deviations(check, 3, 3);
  return check;
}

Check check_contention(const MachineModel& machine) {
  Check check;
  check.name = machine.name + ", a counter that N = 2 .. " + std::to_string(std::bit_floor(machine.ccxs())) +
               " CPUs add to, N times the hand-off";
  check.basis = Basis::kPredicted;
  check.foundation = "a home that serves one transfer of a line at a time";
  check.reference = "N times the mean hand-off between neighbours in turn (closed form), one CPU per CCX";
  check.unit = "ns per addition";
  const Home home = home_at(0, 0);
  for (unsigned count = 2; count <= machine.ccxs(); count *= 2) {
    const auto cpus = one_per_ccx(machine, count);
    check.values.push_back({"N = " + std::to_string(count), count * mean_hand_off(machine, cpus, home),
                            simulate_counter(machine, cpus, home, kIncrements).ns_per_operation});
  }
  add_deviations(check, 3, 5);
  return check;
}

Check check_exact_counts(const MachineModel& machine) {
  Check check;
  check.name = machine.name + ", invalidations per increment of one counter";
  check.basis = Basis::kExact;
  check.foundation = "a line that two cores write in turn leaves the other core each time";
  check.reference = "by hand";
  check.unit = "per increment";
  const Home home = home_at(0, 0);
  const auto add = [&](const char* what, double expected, const std::vector<unsigned>& cpus) {
    check.values.push_back(
        {what, expected, simulate_counter(machine, cpus, home, kIncrements).invalidations_per_increment});
  };
  add("one core", 0, {0});
  if (machine.threads_per_core > 1) add("two threads of a core", 0, {0, machine.cores()});
  if (machine.cores_per_ccx > 1) add("two cores of a CCX", 1, {0, 1});
  if (machine.ccxs() > 1) add("two cores of two CCXs", 1, {0, machine.cores_per_ccx});
  if (machine.sockets > 1) add("two cores of two sockets", 1, {0, machine.cores() / 2});
  double wrong = 0;
  for (const ComparedValue& value : check.values) wrong += value.simulated != value.reference;
  check.figures.push_back({"counts that are not exact", "", wrong, 0});
  return check;
}

}  // namespace hitmark::simulator
