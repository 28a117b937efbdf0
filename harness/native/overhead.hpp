// What the trial loop itself costs, in instructions, as counted by single-stepping: no PMU, no clock.
#pragma once

#include <string>
#include <vector>

#include "support/result.hpp"

namespace hitmark::native {

struct DriverOverhead {
  std::string driver;   // "bare", "cyclic", "pressure"
  std::string setting;  // what it was counted with: "1 object", "2 objects, 1 KiB"
  // Instructions of the loop per operation, the call included; the operation, with its return, is not.
  double instructions_per_operation = 0;
};

// Two readings, of 2N and of N operations, so that entry and exit do not count. kDenied without ptrace.
Result<std::vector<DriverOverhead>> measure_driver_overhead();

}  // namespace hitmark::native
