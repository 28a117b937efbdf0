#include "harness/simulator/validation/scenario_arithmetic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace hitmark::simulator {
namespace {

// 97.5 % quantiles of Student's t for 1 to 15 degrees of freedom; beyond, the last is a little too wide.
constexpr std::array<double, 15> kStudent = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                                             2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131};

}  // namespace

double accumulating_share(double threshold, double rate, double interval) {
  const double updates = rate * interval;
  return updates > threshold ? threshold / updates : 1;
}

double share_of_windows(double calls, double seconds, double rate, double interval) {
  const double between = rate * interval - std::max(calls, rate * seconds);
  return between > 0 ? calls / (calls + between) : 1;
}

double flush_interval_of_readers(double period, double accumulating) {
  return period * std::max(1.0, std::ceil(accumulating / period));
}

double weighted(double share, double first, double second) { return share * first + (1 - share) * second; }

void BatchMeans::add(double value) {
  sum_ += value;
  sum_of_squares_ += value * value;
  ++count_;
}

BatchMean BatchMeans::get() const {
  if (count_ == 0) return {0, std::numeric_limits<double>::infinity(), 0};
  const double n = count_, mean = sum_ / n;
  if (count_ == 1) return {mean, std::numeric_limits<double>::infinity(), 1};
  const double variance = std::max(0.0, (sum_of_squares_ - n * mean * mean) / (n - 1));
  const double student = kStudent[std::min<std::size_t>(count_ - 1, kStudent.size()) - 1];
  return {mean, student * std::sqrt(variance / n), count_};
}

bool BatchMeans::as_precise_as(double relative) const {
  const BatchMean known = get();
  return known.batches >= 2 && known.half_width <= relative * std::abs(known.mean);
}

}  // namespace hitmark::simulator
