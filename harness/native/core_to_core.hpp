// What a line costs between two CPUs of this host, by the kernels of kernels/calibration: two pinned threads, and
// lines whose home is a node of one's choice, asked of the kernel and verified.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "harness/native/native_arena.hpp"
#include "harness/native/pin_probe.hpp"
#include "support/result.hpp"

namespace hitmark::native {

enum class CoreToCoreKind {
  kHandOff,    // one ownership transfer by lock cmpxchg
  kDirtyLoad,  // a load, each needing the one before, of a line that the other CPU has written
};

struct CoreToCoreOptions {
  CoreToCoreKind kind = CoreToCoreKind::kHandOff;
  unsigned samples = 32;
  unsigned flips = 100;  // of each thread in a sample of kHandOff; a sample of kDirtyLoad is one round of the ring
  std::chrono::milliseconds limit{500};  // no further sample is begun after it
  double ticks_per_second = 0;
  PinProbe probe = host_pin_probe();
};

class CoreToCore {
 public:
  // Lines on `home_node`, several pages of them, so that samples see several homes inside the node. kAnyNode:
  // wherever the kernel puts them.
  static Result<CoreToCore> create(int home_node, bool must_bind);

  // ns of every sample that was not disturbed. kUnavailable when fewer than a quarter of what was asked for were.
  Result<std::vector<double>> measure(int cpu_a, int cpu_b, const CoreToCoreOptions& options);

  // Where the lines are, as the kernel says: "node 1".
  const NameValues& evidence() const { return evidence_; }

 private:
  explicit CoreToCore(std::unique_ptr<NativeArena> arena) : arena_(std::move(arena)) {}
  std::unique_ptr<NativeArena> arena_;
  void* lines_ = nullptr;
  NameValues evidence_;
};

}  // namespace hitmark::native
