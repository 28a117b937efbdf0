#include "harness/simulator/slice_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/seeds.hpp"

namespace hitmark::simulator {
namespace {

constexpr std::uint64_t kWithoutEvents = 10'000;  // operations that a slice stands for where nothing ever happens
constexpr std::uint64_t kLeastExact = 512;
constexpr std::uint64_t kMostStretch = 4096;  // operations of one CPU
constexpr std::size_t kFirstChunks = 4;       // of a window, and ...
constexpr std::uint64_t kMostWindow = 4096;   // ... operations of one CPU, unless those are more
constexpr double kSettled = 0.02;             // of the cost before the event
// Operations: of one CPU while an event goes on, ...
constexpr std::uint64_t kLeastFelt = 1024;
// ... and of all CPUs together.
constexpr std::uint64_t kMostFelt = 1 << 18, kMostEpisode = 1 << 20, kMostForward = 1 << 20;

std::uint64_t longest_period(const Workload& w) { return std::max({w.flush_period, w.read_period, w.drain_period}); }

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

// What a stock gives and takes repeats every batch of 64 pages, for each memcg; and a chunk holds every event that
// happens by the clock.
std::uint64_t chunk_of(const Workload& workload) {
  std::uint64_t chunk = 64 * std::uint64_t{std::clamp(workload.memcgs, 1u, 8u)};
  for (const std::uint64_t period : {workload.flush_period, workload.read_period, workload.drain_period})
    if (period > 0 && period <= kExactPeriod) chunk = std::max(chunk, period);
  return chunk;
}

// How many times the accesses of an operation its pressure makes of it, roughly.
std::uint64_t weight_of(const Workload& workload) {
  constexpr std::uint64_t kLinesLikeAnOperation = 20;
  return 1 + (std::uint64_t{workload.pressure_kib} << 10) / kLine / kLinesLikeAnOperation;
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double standard_error(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const auto count = static_cast<double>(values.size());
  return std::sqrt(squares / (count - 1) / count);
}

// Of chunk `index`: all CPUs together.
double chunk_sum(const StretchLog& log, std::size_t index) {
  double sum = 0;
  for (const auto& cpu : log.chunks) sum += static_cast<double>(cpu[index]);
  return sum;
}

double cpu_sum(const StretchLog& log, std::size_t cpu) {
  return static_cast<double>(std::accumulate(log.chunks[cpu].begin(), log.chunks[cpu].end(), Picoseconds{0}));
}

// Time of all operations on a CPU other than 0, which runs the events; 0 when there is none.
double mean_of_others(const StretchLog& log) {
  double sum = 0;
  for (std::size_t cpu = 1; cpu < log.chunks.size(); ++cpu) sum += cpu_sum(log, cpu);
  return log.chunks.size() > 1 ? sum / static_cast<double>(log.chunks.size() - 1) : 0;
}

}  // namespace

std::uint64_t slice_operations(const Workload& workload) {
  const std::uint64_t longest = longest_period(workload);
  if (longest == 0) return kWithoutEvents;
  return longest > kExactPeriod ? longest : rounded_up(kLeastExact, longest);
}

std::uint64_t lead_operations(const Workload& workload) {
  return workload.split ? std::max(kMostStretch, (1 + kFirstChunks) * chunk_of(workload)) : 0;
}

SliceSampler::SliceSampler(SimArm& arm, const Workload& workload, std::uint64_t operations, std::uint64_t seed)
    : arm_(arm),
      operations_(operations),
      chunk_(chunk_of(workload)),
      weight_(weight_of(workload)),
      split_(workload.split),
      seed_(seed) {
  const std::uint64_t longest = longest_period(workload);
  windows_ = longest == 0 || longest > kExactPeriod || operations > kExactPeriod;
  if (windows_) arm_.take_off_the_clock(kExactPeriod);
  lead_.assign(arm.arena().cpu_count(), 0);
  for (std::size_t cpu = 0; cpu < lead_.size(); cpu += 2) lead_[cpu] = lead_operations(workload);
  episodes_.resize(arm.events().events.size());
}

StretchLog SliceSampler::run(std::uint64_t operations, int event_first, std::uint64_t untold) {
  Stretch stretch;
  stretch.operations = operations;
  stretch.chunk = chunk_;
  stretch.event_first = event_first;
  stretch.untold = untold;
  stretch.jitter_seed = mixed_seed({seed_, stretches_++});
  simulated_ += static_cast<double>(operations * lead_.size());
  return arm_.run(stretch);
}

void SliceSampler::warm_up() {
  if (split_) {
    Stretch lead;
    lead.operations = lead_.front();
    lead.even_only = true;
    lead.jitter_seed = mixed_seed({seed_, stretches_++});
    arm_.run(lead);
  }
  const std::uint64_t warm = is_exact() ? operations_ : 4 * chunk_;
  run(warm);
  stands_for_ = warm;
  if (is_exact()) return;
  // What would take long to fill up is not simulated on the way there: the next chunks find it full.
  stands_for_ += arm_.fast_forward(kMostForward / lead_.size());
  run(chunk_);
  stands_for_ += chunk_;
}

SliceSampler::Window SliceSampler::window(TrafficTally& tally) {
  Window window;
  window.picoseconds_per_operation.assign(lead_.size(), 0);
  std::vector<double> chunks;
  std::size_t more = kFirstChunks;
  do {
    // The first chunk is for re-warming: all CPUs have just started together.
    const StretchLog log = run((1 + more) * chunk_, -1, chunk_);
    tally.add(log.traffic, 1);
    for (std::size_t i = 0; i < more; ++i) {
      chunks.push_back(chunk_sum(log, i) / static_cast<double>(chunk_ * lead_.size()));
      for (std::size_t cpu = 0; cpu < lead_.size(); ++cpu)
        window.picoseconds_per_operation[cpu] += static_cast<double>(log.chunks[cpu][i]);
    }
    window.operations += more * chunk_;
    window.mean = mean_of(chunks);
    window.error = window.mean > 0 ? standard_error(chunks) / window.mean : 0;
    more = std::clamp<std::uint64_t>(kMostStretch / chunk_ - 1, 1, chunks.size());
  } while (window.error > kTargetError && chunks.size() * chunk_ < kMostWindow);
  for (double& each : window.picoseconds_per_operation)
    each /= static_cast<double>(chunk_) * static_cast<double>(chunks.size());
  return window;
}

// The event lasts longer than can be simulated with all CPUs at work, where there are many. Then what the others'
// operations cost while it goes on is that of the part that is simulated.
SliceSampler::Episode SliceSampler::episode(int event, const Window& before, const TrafficTally& like) {
  const std::size_t cpus = lead_.size();
  const Phase phase = arm_.phase();
  Episode episode;
  episode.picoseconds.assign(cpus, 0);
  episode.tally = like;
  episode.tally->clear();
  // Once untold: from the second on, an event finds in the caches what the one before left there.
  // What it makes the others do again is simulated as well: else it would find those lines unchanged.
  run(chunk_, event);
  constexpr int kMostSteps = 8;
  for (int i = 0; i < kMostSteps && phase == Phase::kSaturated && arm_.phase() != phase; ++i) run(4 * chunk_);
  if (phase == Phase::kSaturated) arm_.fast_forward(kMostForward / cpus);
  run(chunk_);

  double simulated = 0, unseen = 0;
  // The last stretch's cost goes on for `more` operations that are not simulated. CPU 0's counts hold those of the
  // event, which happened once: its own operations are taken to be like the others'.
  const auto go_on = [&](const StretchLog& log, double operations, double more, bool with_event) {
    for (std::size_t cpu = 0; cpu < cpus; ++cpu) episode.picoseconds[cpu] += cpu_sum(log, cpu) * more / operations;
    std::vector<Engine::Row> rows = log.traffic;
    if (with_event) std::erase_if(rows, [](const Engine::Row& row) { return row.cpu == 0; });
    const double all_over_told = with_event ? static_cast<double>(cpus) / static_cast<double>(cpus - 1) : 1;
    episode.tally->add(rows, all_over_told * more / operations);
    unseen += more;
  };
  const auto simulate = [&](std::uint64_t operations, int first) {
    StretchLog log = run(operations, first);
    for (std::size_t cpu = 0; cpu < cpus; ++cpu) episode.picoseconds[cpu] += cpu_sum(log, cpu);
    episode.tally->add(log.traffic, 1);
    simulated += static_cast<double>(operations);
    return log;
  };
  const std::uint64_t least_felt = weight_ == 1 ? kLeastFelt : 4 * chunk_;
  const std::uint64_t felt = rounded_up(std::clamp(kMostFelt / cpus / weight_, least_felt, kMostStretch), chunk_);
  StretchLog log = simulate(felt, event);
  if (const double others = mean_of_others(log); static_cast<double>(log.event_time) > others && others > 0)
    go_on(log, static_cast<double>(felt),
          (static_cast<double>(log.event_time) / others - 1) * static_cast<double>(felt), true);
  const std::uint64_t step = 4 * chunk_;
  const auto most = static_cast<double>(std::max(kMostEpisode / cpus / weight_, felt + 4 * step));
  while (simulated < most) {
    log = simulate(step, -1);
    double cost = 0;
    for (std::size_t cpu = 0; cpu < cpus; ++cpu) cost += cpu_sum(log, cpu) / static_cast<double>(step * cpus);
    const bool same_phase = phase != Phase::kSaturated || arm_.phase() == Phase::kSaturated;
    if (same_phase && std::abs(cost / before.mean - 1) <= kSettled) break;
  }
  if (phase == Phase::kSaturated)
    go_on(log, static_cast<double>(step), static_cast<double>(arm_.fast_forward(kMostForward / cpus)), false);
  episode.operations = simulated + unseen;
  return episode;
}

void SliceSampler::measure_episodes(const Window& before, const TrafficTally& like) {
  has_episodes_ = true;
  const auto& events = arm_.events().events;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].by_the_clock) continue;
    episodes_[i] = episode(static_cast<int>(i), before, like);
    run(chunk_);
  }
}

SliceCost SliceSampler::exact_slice(TrafficTally& tally) {
  const StretchLog log = run(operations_);
  tally.add(log.traffic, 1);
  SliceCost cost;
  for (const auto& cpu : log.chunks)
    cost.picoseconds.push_back(static_cast<double>(std::accumulate(cpu.begin(), cpu.end(), Picoseconds{0})));
  return cost;
}

SliceCost SliceSampler::windowed_slice(TrafficTally& tally) {
  TrafficTally in_window = tally;
  in_window.clear();
  const Window steady = window(in_window);
  if (!has_episodes_) measure_episodes(steady, tally);
  const auto all = static_cast<double>(operations_);
  // More events than there is room for: then nothing ever settles, and the episodes are all that there is.
  double in_episodes = 0;
  const auto& events = arm_.events().events;
  const auto count = [&](std::size_t event) { return all / static_cast<double>(events[event].period); };
  for (std::size_t i = 0; i < events.size(); ++i)
    if (episodes_[i].tally) in_episodes += count(i) * episodes_[i].operations;
  const double fits = in_episodes > all ? all / in_episodes : 1;

  SliceCost cost;
  cost.error = steady.error;
  const double rest = all - fits * in_episodes;
  for (const double each : steady.picoseconds_per_operation) cost.picoseconds.push_back(each * rest);
  tally.add(in_window, rest / static_cast<double>(steady.operations));
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (!episodes_[i].tally) continue;
    for (std::size_t cpu = 0; cpu < cost.picoseconds.size(); ++cpu)
      cost.picoseconds[cpu] += fits * count(i) * episodes_[i].picoseconds[cpu];
    tally.add(*episodes_[i].tally, fits * count(i));
  }
  return cost;
}

SliceCost SliceSampler::slice(TrafficTally& tally) {
  simulated_ = 0;
  SliceCost cost = is_exact() ? exact_slice(tally) : windowed_slice(tally);
  for (const std::uint64_t lead : lead_) cost.clock.push_back(stands_for_ + lead);
  stands_for_ += operations_;
  cost.simulated = simulated_;
  cost.phase = arm_.phase();
  return cost;
}

}  // namespace hitmark::simulator
