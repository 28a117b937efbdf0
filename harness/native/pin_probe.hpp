// What a pinned thread can say about having stayed where it was put, undisturbed. A struct of functions so
// that tests can let a thread stray.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hitmark::native {

struct PinProbe {
  int (*cpu)();                                  // that the caller runs on now
  std::uint64_t (*involuntary_switches)();       // of the calling thread so far
  std::optional<std::uint64_t> (*migrations)();  // likewise; empty when the kernel does not say. Some 20 us.
};

// sched_getcpu, getrusage(RUSAGE_THREAD) and /proc/thread-self/sched.
const PinProbe& host_pin_probe();

// What a thread saw of itself in one block.
struct PinEvidence {
  int pinned_to = 0;
  int strayed_to = -1;                     // a CPU read before or after a slice that was another one
  std::uint64_t involuntary_switches = 0;  // within slices
  std::uint64_t migrations = 0;

  // Empty, or why the block must not be used: "cpu 3: 2 migrations".
  std::string violation() const;
};

}  // namespace hitmark::native
