// A calibration as text and as JSON. Every value in it is modelled, and both say so.
#pragma once

#include <string>

#include "harness/simulator/validation/calibrate.hpp"

namespace hitmark::simulator {

std::string calibration_text(const Calibration& calibration);
std::string calibration_json(const Calibration& calibration);

// Whether the fit was reached and all ratios of scenario A are inside.
bool calibration_holds(const Calibration& calibration);
// Smallest and largest of a ratio over the base and all protocol switches, by the ratios' order.
struct RatioRange {
  double low = 0, high = 0;
};
std::vector<RatioRange> ratio_ranges(const Calibration& calibration);

}  // namespace hitmark::simulator
