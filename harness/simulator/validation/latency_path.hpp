// The path model in closed form: what one hand-off should take. The oracle for what the engine simulates.
#pragma once

#include "harness/simulator/memory/coherent_memory.hpp"

namespace hitmark::simulator {

// Between two CCXs, as F + r(a,home) + r(b,home) + d(a,b), ns.
double ccx_hand_off_ns(const MachineModel& machine, unsigned ccx_a, unsigned ccx_b, Home home);

// Between any two CPUs.
double hand_off_ns(const MachineModel& machine, unsigned cpu_a, unsigned cpu_b, Home home);

}  // namespace hitmark::simulator
