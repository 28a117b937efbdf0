// One arm of a condition, set up on this host: an arena, a state, and on every CPU a loop with a clock.
#pragma once

#include <memory>
#include <vector>

#include "harness/native/event_clock.hpp"
#include "harness/native/native_arena.hpp"
#include "harness/plan.hpp"
#include "support/result.hpp"

namespace hitmark::native {

// Private data of every CPU for the pressure driver, the same for all arms. Empty without pressure.
using PressureBuffers = std::vector<AddressRange>;
Result<PressureBuffers> make_pressure_buffers(const Workload& workload, const NativeArenaOptions& arena);

// The loop that a workload needs, and its name for the reader.
Driver driver_of(const Workload& workload);
std::string driver_name(const Workload& workload);

class NativeArm {
 public:
  // kUnsupported when the variant lacks an operation or event that the workload asks for. `pressure` outlives
  // the arm.
  static Result<std::unique_ptr<NativeArm>> set_up(const Arm& arm, const Workload& workload,
                                                   const NativeArenaOptions& arena, const PressureBuffers& pressure);
  ~NativeArm();
  NativeArm(const NativeArm&) = delete;
  NativeArm& operator=(const NativeArm&) = delete;

  const std::string& name() const { return name_; }
  ArmOnCpu& on(unsigned cpu) { return cpus_[cpu].arm; }
  void* area(unsigned cpu) const { return arena_ ? arena_->area(cpu) : nullptr; }  // for the GS base
  const NativeArena* arena() const { return arena_.get(); }                        // null for the empty arm
  Phase phase() const { return variant_ && variant_->phase ? variant_->phase(state_) : Phase::kNone; }
  std::string violated_invariant() const;  // at quiescence only

 private:
  struct alignas(128) OnOneCpu {  // written by its thread at every pause: shares no line with another's
    ArmOnCpu arm;
    std::vector<void*> objects;
  };
  NativeArm() = default;
  Result<void> connect(const Workload& workload, const PressureBuffers& pressure);
  Result<void> connect_variant(unsigned cpu, const Workload& workload);

  std::string name_;
  const Variant* variant_ = nullptr;
  std::unique_ptr<NativeArena> arena_;
  void* state_ = nullptr;
  std::vector<OnOneCpu> cpus_;
};

}  // namespace hitmark::native
