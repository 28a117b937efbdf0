// What can run a trial: this host (native/), or a simulated machine. A trial is one block of one condition.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/plan.hpp"
#include "harness/results/sample.hpp"
#include "support/result.hpp"

namespace hitmark {

struct Trial {
  int invocation = 0;
  int block = 0;
  std::vector<int> order;         // arms by position, see block_order
  double slice_seconds = 250e-6;  // that operations_per_slice was calibrated for
};

// All arms of one condition, set up and warm: each with an arena, a state and an event clock of its own.
class Bench {
 public:
  virtual ~Bench() = default;
  virtual Result<BlockRecord> run(const Trial& trial) = 0;
  // What Plan::counting asks for, over one slice of each arm in `order`: readings by arm and CPU. Nothing is
  // timed meanwhile. Empty when nothing was asked for.
  virtual Result<std::vector<Reading>> count(const std::vector<int>& order) {
    (void)order;
    return std::vector<Reading>{};
  }
  // The same for all arms and CPUs; what Condition::operations_per_slice asked for, or what was calibrated.
  virtual std::uint64_t operations_per_slice() const = 0;
  // Now that no operation runs: an Error when an arm's invariants do not hold.
  virtual Result<void> check() { return {}; }
  // What was proved of the set-up: pinning, homes as the kernel reports them, page sizes.
  virtual NameValues notes() const = 0;
};

class Machine {
 public:
  virtual ~Machine() = default;
  virtual std::string name() const = 0;  // "native"
  virtual double ticks_per_second() const = 0;
  // The same plan gives the same blocks at any time, in any process: no clock decides how many there are.
  virtual bool deterministic() const { return false; }
  virtual Result<std::unique_ptr<Bench>> prepare(const Plan& plan, const Condition& condition) = 0;
};

}  // namespace hitmark
