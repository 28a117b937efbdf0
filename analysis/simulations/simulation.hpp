// What the simulations share: how many there are, how many alarms are too many, and figures to print.
#pragma once

#include <cstdlib>
#include <string>

namespace hitmark::simulations {

// Seeds are fixed by the number of the simulation and this, chosen before any of them was run.
inline constexpr unsigned kSession = 20261130;

// HITMARK_SIMULATIONS=long runs them all; otherwise so few that the quick tests stay quick.
inline bool all_of_them() {
  const char* wanted = std::getenv("HITMARK_SIMULATIONS");
  return wanted != nullptr && std::string(wanted) == "long";
}
inline int many(int quick, int all) { return all_of_them() ? all : quick; }

// The most alarms of `runs` that do not exceed `rate` significantly: one-sided exact binomial at `level`.
int most_alarms(int runs, double rate = 0.05, double level = 0.05);
// The fewest and most of `runs` that a true rate within [low, high] gives, each side at `level`.
struct Counts {
  int fewest, most;
};
Counts counts_within(int runs, double low, double high, double level = 0.0005);

}  // namespace hitmark::simulations
