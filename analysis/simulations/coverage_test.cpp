// How often the 95 % interval holds the truth: 94 to 96 of 100, 93 to 97 where blocks are autocorrelated. Intervals
// that are made wrongly on purpose fail the same bounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>

#include "analysis/simulations/simulation.hpp"
#include "analysis/statistics/interval.hpp"
#include "analysis/testing_noise.hpp"

namespace hitmark::simulations {
namespace {

using testing_noise::Noise;
using testing_noise::Process;
using IntervalOf = std::function<MeanInterval(const std::vector<double>&)>;

constexpr double kTruth = 0.03;
// Variance between processes; as many blocks as a comparison of a second has in each.
const Process kDominant{40, 0.02, 0.01}, kNegligible{40, 0, 0.01};

MeanInterval ours(const std::vector<double>& values) { return mean_interval(values); }

int covered(Noise noise, const Process& process, int invocations, int runs, unsigned series, const IntervalOf& of) {
  int count = 0;
  for (int run = 0; run < runs; ++run) {
    std::mt19937_64 random(kSession + 100'000u * series + static_cast<unsigned>(run));
    const MeanInterval interval = of(testing_noise::log_ratios(noise, process, kTruth, invocations, random));
    count += *interval.low <= kTruth && kTruth <= *interval.high;
  }
  return count;
}

class Coverage : public testing::TestWithParam<Noise> {};

TEST_P(Coverage, IsWhatTheIntervalSays) {
  const int runs = many(500, 10'000);
  const bool correlated = GetParam() == Noise::kAutocorrelated;
  const double low = correlated ? 0.93 : 0.94, high = correlated ? 0.97 : 0.96;
  const Counts bound =
      all_of_them() ? Counts{static_cast<int>(std::lround(low * runs)), static_cast<int>(std::lround(high * runs))}
                    : counts_within(runs, low, high);
  unsigned series = 200 + 10 * static_cast<unsigned>(GetParam());
  for (const int invocations : {5, 10, 20})
    for (const Process& process : {kDominant, kNegligible}) {
      const int count = covered(GetParam(), process, invocations, runs, ++series, ours);
      std::printf("%-14s %2d invocations, between-invocation variance %-10s: %.2f %% of %d\n",
                  std::string(testing_noise::name_of(GetParam())).c_str(), invocations,
                  process.between > 0 ? "dominant" : "negligible", 100.0 * count / runs, runs);
      EXPECT_GE(count, bound.fewest) << invocations << " " << process.between;
      EXPECT_LE(count, bound.most) << invocations << " " << process.between;
    }
}

INSTANTIATE_TEST_SUITE_P(Noises, Coverage, testing::ValuesIn(testing_noise::kAllNoise), [](const auto& parameter) {
  std::string name(testing_noise::name_of(parameter.param));
  std::erase(name, '-');
  return name;
});

// ---- Mutants: each is a mistake that people make, and none passes.

void expect_outside(double low, double high, const Process& process, int invocations, unsigned series,
                    const IntervalOf& mutant) {
  const int runs = many(500, 10'000);
  const Counts bound = counts_within(runs, low, high);
  const int count = covered(Noise::kNormal, process, invocations, runs, series, mutant);
  std::printf("  covers %.2f %%\n", 100.0 * count / runs);
  EXPECT_TRUE(count < bound.fewest || count > bound.most) << count << " of " << runs;
}

TEST(CoverageMutants, StandardDeviationForStandardErrorIsTooWide) {
  expect_outside(0.94, 0.96, kDominant, 10, 301, [](const std::vector<double>& values) {
    MeanInterval interval = mean_interval(values);
    const double half_width = student_quantile(0.975, interval.count - 1) * interval.standard_deviation;
    interval.low = interval.mean - half_width, interval.high = interval.mean + half_width;
    return interval;
  });
}

TEST(CoverageMutants, NormalQuantilesForStudentsAreTooNarrow) {
  expect_outside(0.94, 0.96, kDominant, 5, 302, [](const std::vector<double>& values) {
    MeanInterval interval = mean_interval(values);
    const double half_width = 1.959964 * interval.standard_deviation / std::sqrt(interval.count);
    interval.low = interval.mean - half_width, interval.high = interval.mean + half_width;
    return interval;
  });
}

// A percentile interval of resampled means: what most scripts call "the bootstrap".
TEST(CoverageMutants, ThePercentileBootstrapIsTooNarrow) {
  expect_outside(0.94, 0.96, kDominant, 5, 303, [](const std::vector<double>& values) {
    std::mt19937_64 random(1);
    std::uniform_int_distribution<std::size_t> pick(0, values.size() - 1);
    std::vector<double> means(400);
    for (double& mean : means) {
      mean = 0;
      for (std::size_t i = 0; i < values.size(); ++i) mean += values[pick(random)] / static_cast<double>(values.size());
    }
    std::sort(means.begin(), means.end());
    MeanInterval interval = mean_interval(values);
    interval.low = means[9], interval.high = means[390];
    return interval;
  });
}

// Blocks of all processes as one sample: what a single benchmark process does.
TEST(CoverageMutants, BlocksAreNoIndependentSample) {
  const int runs = many(500, 10'000);
  int count = 0;
  for (int run = 0; run < runs; ++run) {
    std::mt19937_64 random(kSession + 30'400'000u + static_cast<unsigned>(run));
    std::normal_distribution<double> normal;
    std::vector<double> values;
    for (int invocation = 0; invocation < 5; ++invocation) {
      const double shift = kTruth + 0.02 * std::sqrt(2) * normal(random);
      for (int block = 0; block < 10; ++block) values.push_back(shift + 0.01 * std::sqrt(2) * normal(random));
    }
    const MeanInterval interval = student_interval(values);
    count += *interval.low <= kTruth && kTruth <= *interval.high;
  }
  std::printf("  covers %.2f %%\n", 100.0 * count / runs);
  EXPECT_LT(count, counts_within(runs, 0.94, 0.96).fewest);
}

}  // namespace
}  // namespace hitmark::simulations
