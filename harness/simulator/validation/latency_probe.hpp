// The calibration kernels on the simulated machine: the loops themselves run through the engine, nothing is looked up.
#pragma once

#include <vector>

#include "harness/simulator/memory/coherent_memory.hpp"

namespace hitmark::simulator {

// One hand-off of a line by failing lock cmpxchg between two CPUs, ns.
double simulate_hand_off(const MachineModel& machine, unsigned cpu_a, unsigned cpu_b, Home home);

// A dependent load by `reader` of a line that `writer` has just written, ns.
double simulate_dirty_load(const MachineModel& machine, unsigned writer, unsigned reader, Home home);

// A dependent load of one CPU that goes round `lines` lines in random order, all with one home: the second round,
// when what fits the caches is there; `first_touch`: the first, all from DRAM. ns per load.
double simulate_chase(const MachineModel& machine, unsigned cpu, unsigned lines, Home home, bool first_touch);

struct CountedTogether {
  double ns_per_operation = 0;  // of one CPU's lock add, with the others'
  double ns_per_increment = 0;  // of the counter: time of the whole over all increments
  double invalidations_per_increment = 0;
};
// All of `cpus` add to one counter, `times` each.
CountedTogether simulate_counter(const MachineModel& machine, const std::vector<unsigned>& cpus, Home home,
                                 unsigned times);

}  // namespace hitmark::simulator
