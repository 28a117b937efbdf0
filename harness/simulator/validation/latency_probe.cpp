#include "harness/simulator/validation/latency_probe.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "harness/simulator/engine/engine.hpp"
#include "kernels/calibration/core_to_core.hpp"
#include "support/check.hpp"

namespace hitmark::simulator {
namespace {

using calibration::Link;

constexpr unsigned kFlips = 32;
constexpr unsigned kFewestSteps = 4096;  // of a chase: what overlaps at its ends is less than 0.1 %

// Runs `program(engine, memory)` on fresh memory, again while the engine learns which lines are shared. A program
// calls run(...) of the Probe and gives up when that is false.
class Probe {
 public:
  Probe(const MachineModel& machine, std::vector<unsigned> cpus, unsigned lines, Home home)
      : machine_(machine), cpus_(std::move(cpus)), lines_(lines), home_(home) {}

  template <typename Program>
  void run(Program program) {
    EngineOptions options;
    for (unsigned attempt = 0; attempt < lines_ + 2; ++attempt) {
      std::vector<Link> memory(lines_);
      Engine engine(machine_, reinterpret_cast<std::uintptr_t>(memory.data()), std::vector<Home>(lines_, home_),
                    std::vector<bool>(lines_, true), cpus_, options);
      if (program(engine, memory.data())) return;
      options.shared_lines = engine.shared_lines();
    }
    HITMARK_CHECK(false, "the engine does not learn which lines are shared");
  }

 private:
  const MachineModel& machine_;
  std::vector<unsigned> cpus_;
  unsigned lines_;
  Home home_;
};

template <typename Object>
Object& as(Link* memory) {  // the memory of a Link, all zero, as another object of one line
  static_assert(sizeof(Object) == sizeof(Link));
  return *new (memory) Object;
}

double nanoseconds(Picoseconds from, Picoseconds to) { return static_cast<double>(to - from) / 1000; }

// In an order without neighbours, so that each set of a cache is visited evenly but unpredictably.
std::vector<std::uint32_t> shuffled(unsigned lines) {
  std::vector<std::uint32_t> order(lines);
  std::iota(order.begin(), order.end(), 0u);
  std::mt19937 random(1);
  for (unsigned i = lines; i > 1; --i) std::swap(order[i - 1], order[random() % i]);  // std::shuffle differs by library
  return order;
}

}  // namespace

double simulate_hand_off(const MachineModel& machine, unsigned cpu_a, unsigned cpu_b, Home home) {
  double ns = 0;
  Probe(machine, {cpu_a, cpu_b}, 1, home).run([&](Engine& engine, Link* memory) {
    auto& flag = as<calibration::Flag>(memory);
    return engine.run([&](unsigned side) {
      const TracedCpu cpu(side, 0, &engine);
      calibration::hand_off(cpu, flag, side, 2);
      const Picoseconds start = engine.now(side);
      calibration::hand_off(cpu, flag, side, kFlips);
      if (side == 0) ns = nanoseconds(start, engine.now(side)) / (2 * kFlips);
    });
  });
  return ns;
}

double simulate_dirty_load(const MachineModel& machine, unsigned writer, unsigned reader, Home home) {
  constexpr unsigned kRing = 256;  // as on a host: half an L1
  const auto order = shuffled(kRing);
  double ns = 0;
  Probe(machine, {writer, reader}, kRing, home).run([&](Engine& engine, Link* memory) {
    const bool written = engine.run([&](unsigned side) {
      if (side == 0) calibration::write_ring(TracedCpu(side, 0, &engine), memory, order.data(), kRing);
    });
    return written && engine.run([&](unsigned side) {
      if (side == 0) return;
      // A clock is ahead of the latest load by as much after one half as after the other.
      const TracedCpu cpu(side, 0, &engine);
      Link* const half = calibration::chase(cpu, &memory[order[0]], kRing / 2);
      const Picoseconds start = engine.now(side);
      calibration::chase(cpu, half, kRing / 2);
      ns = nanoseconds(start, engine.now(side)) / (kRing / 2);
    });
  });
  return ns;
}

double simulate_chase(const MachineModel& machine, unsigned cpu, unsigned lines, Home home, bool first_touch) {
  const auto order = shuffled(lines);
  double ns = 0;
  Probe(machine, {cpu}, lines, home).run([&](Engine& engine, Link* memory) {
    calibration::write_ring(TracedCpu(0, 0), memory, order.data(), lines);  // nobody sees it: all is in DRAM
    return engine.run([&](unsigned side) {
      const TracedCpu traced(side, 0, &engine);
      Link* at = &memory[order[0]];
      if (!first_touch) at = calibration::chase(traced, at, lines);
      engine.on_relax(side);
      const unsigned steps = first_touch ? lines : std::max(lines, kFewestSteps);
      const Picoseconds start = engine.now(side);
      calibration::chase(traced, at, steps);
      engine.on_relax(side);
      ns = nanoseconds(start, engine.now(side)) / steps;
    });
  });
  return ns;
}

CountedTogether simulate_counter(const MachineModel& machine, const std::vector<unsigned>& cpus, Home home,
                                 unsigned times) {
  CountedTogether result;
  const auto increments = static_cast<double>(times) * static_cast<double>(cpus.size());
  Probe(machine, cpus, 1, home).run([&](Engine& engine, Link* memory) {
    auto& counter = as<calibration::Counter>(memory);
    const auto count = [&](unsigned side) { calibration::count(TracedCpu(side, 0, &engine), counter, times); };
    if (!engine.run(count)) return false;  // all have the line once
    engine.clear_traffic();
    std::vector<Picoseconds> starts(cpus.size()), ends(cpus.size());
    const bool done = engine.run([&](unsigned side) {
      starts[side] = engine.now(side);
      count(side);
      ends[side] = engine.now(side);
    });
    const Picoseconds first = *std::min_element(starts.begin(), starts.end());
    result = {};
    for (std::size_t i = 0; i < cpus.size(); ++i)
      result.ns_per_operation += nanoseconds(starts[i], ends[i]) / increments;
    result.ns_per_increment = nanoseconds(first, *std::max_element(ends.begin(), ends.end())) / increments;
    for (const Engine::Row& row : engine.traffic())
      result.invalidations_per_increment += static_cast<double>(row.traffic.invalidations_suffered) / increments;
    return done;
  });
  return result;
}

}  // namespace hitmark::simulator
