// What `hitmark doctor` finds out, before it is printed: facts about this host, each tried and not looked up.
#pragma once

#include <string>
#include <vector>

#include "support/result.hpp"

namespace hitmark::cli {

struct Check {
  enum class State { kWorks, kLimited, kMissing };
  std::string name;  // "timing"
  State state = State::kWorks;
  std::string finding;  // what was seen
  std::string hint;     // what to type to change it; empty when nothing needs changing
  bool vital = false;   // without it no study can run
};

// Timing, pinning, memory binding and what else the study and the layout commands use. Leaves the calling thread's
// affinity and GS base as they were.
std::vector<Check> check_host();

struct Overhead {
  std::string driver, setting;
  double instructions_per_operation = 0;
};
// What the trial loops cost beyond the operation, as executed instructions.
Result<std::vector<Overhead>> measure_overhead();

}  // namespace hitmark::cli
