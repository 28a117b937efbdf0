#include "harness/native/core_to_core.hpp"

#include <algorithm>
#include <new>
#include <random>

#include "harness/native/start_barrier.hpp"
#include "harness/native/thread_team.hpp"
#include "harness/native/tsc.hpp"
#include "kernels/calibration/core_to_core.hpp"
#include "kernels/memory/native_cpu.hpp"

namespace hitmark::native {
namespace {

constexpr std::uint32_t kLines = 256;  // 16 KiB of lines: the writer's L2 holds them all
constexpr std::uint32_t kLinesOfPage = kSmallPage / kLine;

// One line of each page, the pages in random order: neighbours would be prefetched.
std::vector<std::uint32_t> scattered_lines() {
  std::mt19937 random(1);
  std::vector<std::uint32_t> lines(kLines);
  for (std::uint32_t page = 0; page < kLines; ++page)
    lines[page] = page * kLinesOfPage + static_cast<std::uint32_t>(random() % kLinesOfPage);
  std::shuffle(lines.begin(), lines.end(), random);
  return lines;
}

struct Sample {
  std::uint64_t ticks = 0;
  bool disturbed[2] = {false, false};
};

// One sample on one of the two threads; ticks of what is timed, on the thread that times it.
class SampleRun {
 public:
  SampleRun(void* lines, const CoreToCoreOptions& options)
      : lines_(lines), options_(options), order_(scattered_lines()), barrier_(2) {}

  double steps() const {
    return options_.kind == CoreToCoreKind::kHandOff ? 2.0 * options_.flips : static_cast<double>(kLines);
  }

  std::uint64_t run(unsigned thread, unsigned sample) {
    return options_.kind == CoreToCoreKind::kHandOff ? hand_off(thread, sample) : dirty_load(thread);
  }

  StartBarrier& barrier() { return barrier_; }

 private:
  std::uint64_t hand_off(unsigned thread, unsigned sample) {
    calibration::Flag& flag = static_cast<calibration::Flag*>(lines_)[order_[sample % kLines]];
    if (thread == 0) cpu_.write_once(flag.side, 0);
    barrier_.wait(thread);
    calibration::hand_off(cpu_, flag, thread, 2);  // both have the line's page and code at hand
    const std::uint64_t start = TscClock::start();
    calibration::hand_off(cpu_, flag, thread, options_.flips);
    return TscClock::stop() - start;
  }

  std::uint64_t dirty_load(unsigned thread) {
    auto* lines = static_cast<calibration::Link*>(lines_);
    if (thread == 0) calibration::write_ring(cpu_, lines, order_.data(), kLines);
    barrier_.wait(thread);
    if (thread == 0) return 0;
    const std::uint64_t start = TscClock::start();
    calibration::chase(cpu_, &lines[order_[0]], kLines);
    return TscClock::stop() - start;
  }

  void* lines_;
  const CoreToCoreOptions& options_;
  const std::vector<std::uint32_t> order_;
  const NativeCpu cpu_{};
  StartBarrier barrier_;
};

}  // namespace

Result<CoreToCore> CoreToCore::create(int home_node, bool must_bind) {
  NativeArenaOptions options;
  options.home_node = home_node;
  options.must_bind = must_bind;
  auto arena = NativeArena::create(std::move(options));
  if (!arena) return arena.error();
  CoreToCore created(std::move(*arena));
  try {
    created.lines_ = created.arena_->shared("lines", "calibration::Link", kLines * kSmallPage, kSmallPage);
  } catch (const std::bad_alloc&) {
    const auto& failure = created.arena_->failure();
    return failure ? *failure : Error{ErrorKind::kUnavailable, "no memory for the lines to measure with", ""};
  }
  auto verified = created.arena_->verify();
  if (!verified) return verified.error();
  created.evidence_ = std::move(*verified);
  return created;
}

Result<std::vector<double>> CoreToCore::measure(int cpu_a, int cpu_b, const CoreToCoreOptions& options) {
  const int cpus[] = {cpu_a, cpu_b};
  auto team = ThreadTeam::start({cpu_a, cpu_b});
  if (!team) return team.error();
  std::vector<Sample> samples(options.samples);
  SampleRun run(lines_, options);
  unsigned done = 0;  // written by thread 0 while thread 1 waits at the barrier
  bool goes_on = options.samples > 0;
  (*team)->run([&](unsigned thread) {
    const auto end = std::chrono::steady_clock::now() + options.limit;
    for (unsigned i = 0;; ++i) {
      run.barrier().wait(thread);
      if (!goes_on) return;
      const std::uint64_t switches = options.probe.involuntary_switches();
      const std::uint64_t ticks = run.run(thread, i);
      samples[i].disturbed[thread] =
          options.probe.involuntary_switches() != switches || options.probe.cpu() != cpus[thread];
      if ((thread == 0) == (options.kind == CoreToCoreKind::kHandOff)) samples[i].ticks = ticks;
      run.barrier().wait(thread);
      if (thread != 0) continue;
      done = i + 1;
      goes_on = done < options.samples && std::chrono::steady_clock::now() < end;
    }
  });

  std::vector<double> ns;
  for (unsigned i = 0; i < done; ++i)
    if (!samples[i].disturbed[0] && !samples[i].disturbed[1])
      ns.push_back(static_cast<double>(samples[i].ticks) / options.ticks_per_second * 1e9 / run.steps());
  if (ns.size() * 4 < options.samples)
    return Error{ErrorKind::kUnavailable,
                 "CPUs " + std::to_string(cpu_a) + " and " + std::to_string(cpu_b) + " were disturbed: only " +
                     std::to_string(ns.size()) + " of " + std::to_string(options.samples) + " samples can be used",
                 "stop other work on these CPUs"};
  return ns;
}

}  // namespace hitmark::native
