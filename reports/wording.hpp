// How the formats for people write figures: the same words for the same thing everywhere.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "analysis/comparison.hpp"

namespace hitmark {

std::string_view name_of(Verdict verdict);  // "better"

// "-34.2 %" of a ratio of costs; "n/a" without a value.
std::string change_text(const Estimate& ratio);
// "-35.4 to -33.1 %"; empty without an interval.
std::string change_interval_text(const Estimate& ratio);
// The change net of the empty loop; where that is not known, the change with the loop: "-27.4 % raw".
std::string shown_change_text(const Contrast& contrast);
std::string shown_interval_text(const Contrast& contrast);
// Is a step's own interval not beyond the noise floor?
bool within_noise(const Estimate& ratio, const std::optional<double>& noise_floor);
// "0.8 %" of a noise floor; "not known" without one.
std::string floor_text(const std::optional<double>& log_ratio);

// Four significant digits, with thousands commas from 10,000 on: "12.31", "1,234,567".
std::string number_text(double value);

// "native", or "zen2-2s (simulated: every figure is modelled)".
std::string machine_text(const RunRecord& run);

// Costs in the unit that the run's clock allows: nanoseconds when its rate is known, else ticks.
struct CostUnit {
  double per_tick;
  std::string_view name;  // "ns", "ticks"
};
CostUnit cost_unit(const RunRecord& run);
std::string cost_text(const Estimate& ticks, double per_tick);           // "12.31"
std::string cost_interval_text(const Estimate& ticks, double per_tick);  // "12.10 to 12.52"

// The contrast that the headline is about; null when the condition has none.
const Contrast* primary_contrast(const RunComparison& comparison, const ConditionComparison& condition);

// One sentence: does the headline's arm pay, and where.
std::string headline_text(const RunComparison& comparison);

// The manifest's value of `name`; "NAME not recorded" when it is not there.
std::string environment_text(const RunRecord& run, std::string_view name);

}  // namespace hitmark
