// The parameters of the path model that fit a measured machine, by relative least squares, and the one factor that
// carries one machine's socket crossings to another's. The machine files' numbers come from here.
#pragma once

#include <vector>

#include "harness/simulator/validation/matrix_summary.hpp"

namespace hitmark::simulator {

// `path` of the model keeps its fixed_core_cycles and factors; F, r, r_other, d and d_across are fitted to `ns` by
// quadrant pair, link is 1.
PathModel fit_path(const MachineModel& machine, Home home, const std::vector<double>& ns);

// The link factor with which `machine` comes closest to `ns` on the pairs of two sockets.
double fit_link(const MachineModel& machine, Home home, const std::vector<double>& ns);

}  // namespace hitmark::simulator
