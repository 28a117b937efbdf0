// Work whose effect on a counter is known beforehand, to find out whether a counter counts. It runs on the
// calling thread and takes some milliseconds at most.
#pragma once

#include <functional>

#include "harness/counters/event_names.hpp"

namespace hitmark {

inline constexpr int kKnownPages = 256;
inline constexpr int kKnownMigrations = 4;
inline constexpr long kKnownIterations = 10'000'000;  // of two instructions

// What a true counter must show for the work just done, in the event's unit.
struct WorkDone {
  double expected = 0;  // 0: only the bounds are known
  double low = 0;
  double high = 0;
  bool possible = true;  // false: this host cannot do the work, see `obstacle`
  const char* obstacle = "";
};

// Prepares the work, calls `start`, does it, calls `stop`.
WorkDone do_known_work(KnownWork work, const std::function<void()>& start, const std::function<void()>& stop);

}  // namespace hitmark
