// All arms of one condition on this host, and the block: every arm in turn, each with an untimed re-warming
// and a timed slice, on all CPUs at once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/counters/counter_source.hpp"
#include "harness/machine.hpp"
#include "harness/native/native_arm.hpp"
#include "harness/native/pin_probe.hpp"
#include "harness/native/start_barrier.hpp"
#include "harness/native/thread_team.hpp"

namespace hitmark::native {

struct NativeBenchOptions {
  NativeArenaOptions arena;
  double ticks_per_second = 0;
  PinProbe probe = host_pin_probe();
};

class NativeBench : public Bench {
 public:
  static Result<std::unique_ptr<NativeBench>> create(const Plan& plan, const Condition& condition,
                                                     const NativeBenchOptions& options);
  Result<BlockRecord> run(const Trial& trial) override;
  Result<std::vector<Reading>> count(const std::vector<int>& order) override;
  std::uint64_t operations_per_slice() const override { return slice_operations_; }
  Result<void> check() override;
  NameValues notes() const override { return notes_; }

  NativeArm& arm(int index) { return *arms_[static_cast<std::size_t>(index)]; }  // for tests

 private:
  struct alignas(128) ThreadLog {
    PinEvidence evidence;
    std::vector<SliceRecord> slices;
  };
  NativeBench(const Condition& condition, const NativeBenchOptions& options);
  Result<void> open_counters(const CountRequest& counting);
  Result<std::uint64_t> calibrate(const Plan& plan);
  Result<void> check_limit() const;
  Result<void> check_homes() const;
  void warm_up();
  Elapsed timed_slice(unsigned thread, NativeArm& arm, PinEvidence& evidence);
  void run_block(unsigned thread, const Trial& trial, ThreadLog& log, std::vector<int>& phases);
  std::uint64_t rewarm_operations() const { return slice_operations_ / 4 + 1; }
  std::uint64_t reserve_operations() const;
  unsigned cpu_count() const { return static_cast<unsigned>(condition_.placement.cpus.size()); }

  Condition condition_;
  NativeBenchOptions options_;
  std::uint64_t slice_operations_ = 0;
  PressureBuffers pressure_;
  std::vector<std::unique_ptr<NativeArm>> arms_;
  StartBarrier barrier_;
  std::vector<std::unique_ptr<CounterSession>> counters_;  // by CPU; none when nothing is counted
  std::unique_ptr<ThreadTeam> team_;                       // last: its threads end before what they use
  NameValues notes_;
};

}  // namespace hitmark::native
