// Counting in slices of their own: a counter's start and stop are system calls, which no timed slice may hold.
#include <string>

#include "harness/native/native_bench.hpp"
#include "harness/native/tsc.hpp"
#include "support/check.hpp"

namespace hitmark::native {

Result<void> NativeBench::open_counters(const CountRequest& counting) {
  if (counting.source.empty()) return {};
  const CounterSource* source = Registry<CounterSource>::instance().find(counting.source);
  if (!source)
    return Error{ErrorKind::kUnavailable, "this build has no counter backend '" + counting.source + "'",
                 "hitmark list counters"};
  for (unsigned cpu = 0; cpu < cpu_count(); ++cpu) {
    auto session = source->open(counting.events);
    if (!session) return session.error();
    counters_.push_back(std::move(*session));
  }
  std::vector<Result<void>> attached(cpu_count());
  team_->run([&](unsigned cpu) { attached[cpu] = counters_[cpu]->attach(condition_.placement.cpus[cpu]); });
  for (const auto& result : attached)
    if (!result) return result.error();
  return {};
}

Result<std::vector<Reading>> NativeBench::count(const std::vector<int>& order) {
  std::vector<Reading> all;
  if (counters_.empty()) return all;
  std::vector<std::vector<Reading>> by_cpu(cpu_count());
  team_->run([&](unsigned cpu) {
    for (const int index : order) {
      NativeArm& arm = this->arm(index);
      ArmOnCpu& mine = arm.on(cpu);
      HITMARK_CHECK(set_gs_base(arm.area(cpu)), "the GS base could be set before");
      barrier_.wait(cpu);
      advance(mine, rewarm_operations(), TscClock{});
      barrier_.start(cpu);
      counters_[cpu]->start();
      advance(mine, slice_operations_, TscClock{});
      counters_[cpu]->stop();
      barrier_.wait(cpu, [&] {
        if (mine.work) mine.work(mine.loop.state, nullptr, 0);
      });
      for (Reading& reading : counters_[cpu]->collect()) {
        reading.arm = index;
        reading.cpu = condition_.placement.cpus[cpu];
        if (reading.value && reading.reason.empty())
          reading.reason = "in untimed slices of " + std::to_string(slice_operations_) + " operations, events included";
        by_cpu[cpu].push_back(std::move(reading));
      }
    }
  });
  for (auto& readings : by_cpu) all.insert(all.end(), readings.begin(), readings.end());
  return all;
}

}  // namespace hitmark::native
