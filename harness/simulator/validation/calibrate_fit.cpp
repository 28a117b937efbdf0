#include "harness/simulator/validation/calibrate_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace hitmark::simulator {
namespace {

constexpr double kClose = 0.01, kNear = 0.10, kNoise = 0.02;

std::string cycles_at(const FitPoint& point) {
  char text[80];
  std::snprintf(text, sizeof text, "%.1f cycles at %g KiB", point.cycles, point.lines / 16.0);
  return text;
}

}  // namespace

Result<Fit> fit_pressure(double target, unsigned most_lines,
                         const std::function<Result<double>(unsigned lines)>& cost) {
  Fit fit;
  const auto try_at = [&](unsigned lines) -> Result<double> {
    const auto cycles = cost(lines);
    if (cycles) fit.points.push_back({lines, *cycles});
    return cycles;
  };
  // Upwards until the target is passed, doubling.
  FitPoint below, above;
  bool bracketed = false;
  for (unsigned lines = 0; !bracketed; lines = std::min(most_lines, std::max(32u, 2 * lines))) {
    const auto cycles = try_at(lines);
    if (!cycles) return cycles.error();
    bracketed = *cycles >= target;
    (bracketed ? above : below) = {lines, *cycles};
    if (lines == most_lines) break;
  }
  while (bracketed && above.lines > below.lines + 1) {
    if (std::abs(above.cycles / target - 1) <= kClose || std::abs(below.cycles / target - 1) <= kClose) break;
    const unsigned middle = below.lines + (above.lines - below.lines) / 2;
    const auto cycles = try_at(middle);
    if (!cycles) return cycles.error();
    (*cycles >= target ? above : below) = {middle, *cycles};
  }
  std::sort(fit.points.begin(), fit.points.end(),
            [](const FitPoint& a, const FitPoint& b) { return a.lines < b.lines; });
  double highest = 0;
  for (const FitPoint& point : fit.points) {
    if (point.cycles < highest * (1 - kNoise)) fit.monotone = false;
    highest = std::max(highest, point.cycles);
  }
  const FitPoint nearest =
      *std::min_element(fit.points.begin(), fit.points.end(), [target](const FitPoint& a, const FitPoint& b) {
        return std::abs(a.cycles - target) < std::abs(b.cycles - target);
      });
  fit.lines = nearest.lines;
  fit.cycles = nearest.cycles;
  fit.reached = std::abs(nearest.cycles / target - 1) <= kNear;
  if (fit.reached) return fit;
  char asked[40];
  std::snprintf(asked, sizeof asked, "%.1f cycles", target);
  if (!bracketed)
    fit.reason = "no pressure makes it " + std::string(asked) + ": " + cycles_at(below) + ", the most that was tried";
  else if (above.lines == 0)
    fit.reason = "it is more than " + std::string(asked) + " without any pressure: " + cycles_at(above);
  else
    fit.reason = "it jumps past " + std::string(asked) + ": " + cycles_at(below) + ", " + cycles_at(above);
  return fit;
}

}  // namespace hitmark::simulator
