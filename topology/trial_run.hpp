// Runs something that may crash, hang or write to stderr on bad input in a child process first.
#pragma once

#include <chrono>
#include <functional>

namespace hitmark {

enum class TrialOutcome { kPassed, kRefused, kCrashed, kTimedOut, kNotStarted };

// What happens when `attempt` runs in a child with stdout and stderr closed off: it returned true or false,
// it died, or it was killed after a second of CPU time or at the deadline.
TrialOutcome try_in_child(const std::function<bool()>& attempt, std::chrono::milliseconds deadline);

}  // namespace hitmark
