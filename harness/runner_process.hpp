// One invocation in a process of its own: this program again, with a new address layout.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "support/result.hpp"

namespace hitmark {

// The exit status by which an invocation says that it stopped early because it was told to.
inline constexpr int kInvocationInterrupted = 75;

// Starts `program` with `arguments` and waits for it. It ends with us, whatever ends us. When a signal makes
// *stop true, SIGTERM is passed on. An Error for any other end than exit 0, or kInvocationInterrupted once *stop is
// true; the process has told its reason on stderr by then.
Result<void> run_process(const std::string& program, const std::vector<std::string>& arguments,
                         const std::atomic<bool>* stop);

// Sets a flag on SIGINT and SIGTERM for as long as it lives; one at a time. A second signal ends an impatient
// program at once; the process of an invocation is patient, as Ctrl-C reaches it twice (from the terminal and
// from run_process).
class StopOnSignals {
 public:
  explicit StopOnSignals(bool patient);
  ~StopOnSignals();
  StopOnSignals(const StopOnSignals&) = delete;
  StopOnSignals& operator=(const StopOnSignals&) = delete;
  const std::atomic<bool>* flag() const;
};

}  // namespace hitmark
