// Noise of the kinds that a shared host has, for simulations: per block and arm, around a shift for each process.
#pragma once

#include <cmath>
#include <random>
#include <string_view>
#include <vector>

#include "analysis/statistics/interval.hpp"

namespace hitmark::testing_noise {

enum class Noise { kNormal, kLogNormal, kBimodal, kHeavyTailed, kAutocorrelated };
inline constexpr Noise kAllNoise[] = {Noise::kNormal, Noise::kLogNormal, Noise::kBimodal, Noise::kHeavyTailed,
                                      Noise::kAutocorrelated};

inline std::string_view name_of(Noise noise) {
  constexpr std::string_view kNames[] = {"normal", "log-normal", "bimodal", "heavy-tailed", "autocorrelated"};
  return kNames[static_cast<int>(noise)];
}

// A series of one kind, of about unit spread.
class Series {
 public:
  Series(Noise noise, std::mt19937_64& random) : noise_(noise), random_(random), last_(normal_(random)) {}
  double next() {
    switch (noise_) {
      case Noise::kNormal:
        return normal_(random_);
      case Noise::kLogNormal:  // skewness 6
        return std::exp(normal_(random_)) / 2.16;
      case Noise::kBimodal:  // 30 % of the blocks in a slow state
        return (uniform_(random_) < 0.3 ? 2 : 0) + 0.3 * normal_(random_);
      case Noise::kHeavyTailed:  // Student's t with 2 degrees of freedom: infinite variance
        return normal_(random_) / std::sqrt((std::pow(normal_(random_), 2) + std::pow(normal_(random_), 2)) / 2);
      case Noise::kAutocorrelated:  // AR(1), 0.9 from block to block
        return last_ = 0.9 * last_ + std::sqrt(1 - 0.81) * normal_(random_);
    }
    return 0;
  }

 private:
  Noise noise_;
  std::mt19937_64& random_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
  double last_;
};

struct Process {
  int blocks = 12;
  double between = 0.002;  // log; what a process's placement of code and data does to an arm
  double within = 0.01;    // log; of an arm in a block
};

// The median over a process's blocks of the log ratio of two arms: what BlockCosts makes of them.
inline double log_ratio(Noise noise, const Process& process, double effect, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  const double shift = effect + process.between * (normal(random) - normal(random));
  Series arm(noise, random), baseline(noise, random);
  std::vector<double> values(static_cast<std::size_t>(process.blocks));
  for (double& value : values) value = shift + process.within * (arm.next() - baseline.next());
  return median(std::move(values));
}

inline std::vector<double> log_ratios(Noise noise, const Process& process, double effect, int invocations,
                                      std::mt19937_64& random) {
  std::vector<double> values(static_cast<std::size_t>(invocations));
  for (double& value : values) value = log_ratio(noise, process, effect, random);
  return values;
}

}  // namespace hitmark::testing_noise
