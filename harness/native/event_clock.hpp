// One arm on one CPU, and its own clock: the operations that it has done. Flushes, reads and drains happen at
// fixed readings of that clock, never at a time of day, so that all arms see the same events at the same
// operation.
//
// Events are outside the time that advance() reports. What its readings cost (one pair of TSC readings per
// chunk; a chunk ends at an event, or after 256 operations when CPUs have mailboxes to look into) is inside,
// the same for every arm, and not subtracted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "harness/native/trial_loop.hpp"

namespace hitmark::native {

inline constexpr std::uint64_t kOperationsPerPoll = 256;

struct PeriodicEvent {
  NativeOperation run = nullptr;
  std::uint64_t period = 0;  // operations, > 0
};

struct ArmOnCpu {
  LoopInput loop;
  Driver driver = nullptr;
  std::vector<PeriodicEvent> events;  // of CPU 0 alone; several at one reading run in this order
  NativeOperation work = nullptr;     // looks into this CPU's mailbox; null when nobody sends
  std::uint64_t operations = 0;       // the clock
};

struct Elapsed {
  std::uint64_t ticks = 0;
  std::uint64_t nanoseconds = 0;
};

// Operations until the next moment at which `arm` does something else, at most `wanted`.
inline std::uint64_t operations_until_pause(const ArmOnCpu& arm, std::uint64_t wanted) {
  for (const PeriodicEvent& event : arm.events) wanted = std::min(wanted, event.period - arm.operations % event.period);
  if (arm.work) wanted = std::min(wanted, kOperationsPerPoll - arm.operations % kOperationsPerPoll);
  return wanted;
}

// Does `operations` of the arm on the calling thread, whose GS base is the arm's area of this CPU. Clock has
// start(), stop() (ticks) and nanoseconds().
template <typename Clock>
Elapsed advance(ArmOnCpu& arm, std::uint64_t operations, Clock&& clock) {
  Elapsed elapsed;
  while (operations > 0) {
    const std::uint64_t chunk = operations_until_pause(arm, operations);
    const std::uint64_t wall = clock.nanoseconds();
    const std::uint64_t start = clock.start();
    arm.driver(arm.loop, chunk);
    elapsed.ticks += clock.stop() - start;
    elapsed.nanoseconds += clock.nanoseconds() - wall;
    arm.operations += chunk;
    operations -= chunk;
    for (const PeriodicEvent& event : arm.events)
      if (arm.operations % event.period == 0) event.run(arm.loop.state, nullptr, 0);
    if (arm.work && arm.operations % kOperationsPerPoll == 0) arm.work(arm.loop.state, nullptr, 0);
  }
  return elapsed;
}

}  // namespace hitmark::native
