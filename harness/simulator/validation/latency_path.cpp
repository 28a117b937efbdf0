#include "harness/simulator/validation/latency_path.hpp"

namespace hitmark::simulator {
namespace {

double leg_to_home(const MachineModel& machine, unsigned ccx, Home home) {
  const auto quadrant = static_cast<int>(machine.quadrant_of_ccx(ccx));
  if (machine.socket_of_ccx(ccx) != home.socket)
    return machine.path.r_other[static_cast<std::size_t>(quadrant)] * machine.path.link;
  return machine.path.r[static_cast<std::size_t>(hop(quadrant, home.quadrant))];
}

double data_leg(const MachineModel& machine, unsigned ccx_a, unsigned ccx_b) {
  if (machine.socket_of_ccx(ccx_a) != machine.socket_of_ccx(ccx_b)) return machine.path.d_across * machine.path.link;
  const auto a = static_cast<int>(machine.quadrant_of_ccx(ccx_a)), b = static_cast<int>(machine.quadrant_of_ccx(ccx_b));
  return machine.path.d[static_cast<std::size_t>(hop(a, b))];
}

}  // namespace

double ccx_hand_off_ns(const MachineModel& machine, unsigned ccx_a, unsigned ccx_b, Home home) {
  return machine.path.fixed_core_cycles / machine.core.ghz + machine.path.fixed_fabric_ns +
         leg_to_home(machine, ccx_a, home) + leg_to_home(machine, ccx_b, home) + data_leg(machine, ccx_a, ccx_b);
}

double hand_off_ns(const MachineModel& machine, unsigned cpu_a, unsigned cpu_b, Home home) {
  const unsigned core_a = machine.core_of(cpu_a), core_b = machine.core_of(cpu_b);
  if (core_a == core_b) return machine.core.smt_handoff_cycles / machine.core.ghz;
  const unsigned ccx_a = machine.ccx_of_core(core_a), ccx_b = machine.ccx_of_core(core_b);
  if (ccx_a == ccx_b) return machine.core.ccx_handoff_cycles / machine.core.ghz;
  return ccx_hand_off_ns(machine, ccx_a, ccx_b, home);
}

}  // namespace hitmark::simulator
