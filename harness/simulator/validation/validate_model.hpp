// `hitmark validate-model`: the simulated machine against published measurements, its own table and exact rules.
#pragma once

#include <vector>

#include "harness/simulator/validation/matrix_summary.hpp"
#include "harness/simulator/validation/validate_check.hpp"

namespace hitmark::simulator {

// Hand-offs, by simulating the published loop. `real.machine` is what is simulated: with other parameters than those
// of its file, that is what a check is about.
Check check_all_pairs(const Measured& real, Basis basis, const std::string& foundation);
Check check_home_socket(const Measured& real, const std::string& foundation);
Check check_cross_socket(const Measured& real, const std::string& foundation);
Check check_class_means(const Measured& real);
Check check_in_core_and_ccx(const Measured& real);
// Without a measurement: the loop against the path model's closed form.
Check check_path_model(const MachineModel& machine);

Check check_levels(const MachineModel& machine);      // L1, L2, L3, DRAM by distance
Check check_contention(const MachineModel& machine);  // a counter that 2 to 32 CPUs add to
Check check_exact_counts(const MachineModel& machine);

// `structure` with the latencies of `latencies`.
MachineModel with_latencies_of(MachineModel structure, const MachineModel& latencies);

// Everything there is a published target for.
Result<std::vector<Check>> validate_all();
// One machine. A built-in one against its matrix where there is one; any against the published matrix of the machine
// `against`, if that is named; else only against what its own file says, which is no measurement.
Result<std::vector<Check>> validate_machine(const MachineModel& machine, std::string_view against = {});
// Why the checks of the machine do not say how far it agrees with a real one; empty: they do.
std::string lacks_measurement(const MachineModel& machine, std::string_view against = {});

}  // namespace hitmark::simulator
