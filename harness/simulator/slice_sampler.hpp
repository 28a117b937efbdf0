// One slice of one simulated arm: what a whole period between two flushes costs, without simulating all of it.
//
// A period longer than kExactPeriod operations is told by parts. After its event, the arm is simulated until its cost
// is again that of before (an episode: once for each kind of event and block). Then windows are simulated until the
// mean of their chunks is known to kTargetError, and the slice's cycles are those of the episodes and of the windows,
// weighted by their operations. A shorter period is simulated as it is.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/simulator/sim_arm.hpp"
#include "harness/simulator/sim_readings.hpp"

namespace hitmark::simulator {

inline constexpr std::uint64_t kExactPeriod = 2048;  // operations of one CPU
inline constexpr double kTargetError = 0.005;        // standard error of a window's mean, as a share of it

// Operations that a slice stands for: the longest period of an event, or some number where nothing ever happens.
std::uint64_t slice_operations(const Workload& workload);
// Operations that a charging CPU of a split workload is ahead, so that no uncharge ever runs ahead of its charge.
std::uint64_t lead_operations(const Workload& workload);

struct SliceCost {
  std::vector<double> picoseconds;   // by CPU, of the operations that the slice stands for
  std::vector<std::uint64_t> clock;  // by CPU: operations that the arm stands for before the slice
  double simulated = 0;              // operations of all CPUs
  double error = 0;                  // standard error of the windows' mean, as a share of it; 0 when all was simulated
  Phase phase = Phase::kNone;        // at its end
};

class SliceSampler {
 public:
  // The sampler is the arm's only user from here on; `tally` gets what each slice counted.
  SliceSampler(SimArm& arm, const Workload& workload, std::uint64_t operations, std::uint64_t seed);
  void warm_up();
  SliceCost slice(TrafficTally& tally);

 private:
  struct Window {
    std::vector<double> picoseconds_per_operation;  // by CPU
    double mean = 0, error = 0;
    std::uint64_t operations = 0;
  };
  struct Episode {
    std::vector<double> picoseconds;  // by CPU
    double operations = 0;            // of each CPU
    std::optional<TrafficTally> tally;
  };
  bool is_exact() const { return !windows_; }
  StretchLog run(std::uint64_t operations, int event_first = -1, std::uint64_t untold = 0);
  Window window(TrafficTally& tally);
  void measure_episodes(const Window& before, const TrafficTally& like);
  Episode episode(int event, const Window& before, const TrafficTally& like);
  SliceCost exact_slice(TrafficTally& tally);
  SliceCost windowed_slice(TrafficTally& tally);

  SimArm& arm_;
  const std::uint64_t operations_;  // of a slice
  const std::uint64_t chunk_;
  const std::uint64_t weight_;
  const bool split_;
  bool windows_ = false;
  std::uint64_t seed_, stretches_ = 0;
  std::uint64_t stands_for_ = 0;  // operations of each CPU before the next slice
  std::vector<std::uint64_t> lead_;
  bool has_episodes_ = false;
  std::vector<Episode> episodes_;  // by event; of those by the clock: empty
  double simulated_ = 0;           // since the slice began
};

}  // namespace hitmark::simulator
