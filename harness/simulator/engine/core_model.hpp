// What one hardware thread has in flight: loads that missed, of which it waits only when too many are out, when it has
// run too far past the oldest, or for their value; and stores, which leave the store buffer in order.
//
// Times are absolute. "clock" is how far the thread has dispatched; functions that make it wait return it later.
#pragma once

#include <array>
#include <cstdint>

#include "harness/simulator/engine/scheduler.hpp"
#include "harness/simulator/engine/traffic.hpp"
#include "harness/simulator/machine/machine_model.hpp"
#include "harness/simulator/memory/coherent_memory.hpp"

namespace hitmark::simulator {

// How far behind a pointer an address may lie to have been computed from it: a struct's fields, an array in it.
inline constexpr std::uintptr_t kPointerReach = 4096;

struct Limits {  // of one thread; the window and the store buffer are split between two active ones
  unsigned loads = 8, window = 224, stores = 48;
  Picoseconds forward = 0;
};
Limits limits_of(const CoreModel& core, bool two_threads);

class InFlight {
 public:
  // Forgets what is complete at `clock`.
  void retire(Picoseconds clock) {
    if (clock >= next_done_) retire_now(clock);
  }

  // Loads -------------------------------------------------------------------------------------------------------
  // When the pointers that `address` may have been computed from are there; 0: at once.
  Picoseconds address_known(std::uintptr_t address) const;
  // When the line that an earlier load of this thread asked for is there; 0: not asked for.
  Picoseconds line_there(Line line) const;
  // A load of `bytes` of `line`, else complete at `done`: later when it needs what is still in the store buffer.
  Picoseconds after_stores(Line line, std::uint64_t bytes, Picoseconds start, Picoseconds done,
                           Picoseconds forward) const;
  // A load that is not complete at `clock`. It returned `value`; `instruction` is its number.
  // Returns the clock: later when that was the last place.
  Picoseconds load(Picoseconds clock, Line line, std::uint64_t value, Picoseconds done, std::uint64_t instruction,
                   Traffic* traffic, const Limits& limits);
  // The clock when instruction number `instruction` can be dispatched.
  Picoseconds window(Picoseconds clock, std::uint64_t instruction, const Limits& limits);
  // The first instruction for which window() must be asked.
  std::uint64_t window_end(const Limits& limits) const {
    return loads_ == 0 ? ~std::uint64_t{0} : load_[0].instruction + limits.window;
  }
  // Whether a hit in the L1 has nothing to do with what is in flight.
  bool unrelated(std::uintptr_t address, Line line, Picoseconds clock, bool write) const {
    if (first_store_ != end_store_ && (write || (lines_stored_ >> line % 64 & 1) != 0)) return false;
    for (unsigned i = 0; i < loads_; ++i)
      if ((load_[i].line == line || address - load_[i].value < kPointerReach) && load_[i].done > clock) return false;
    return true;
  }

  // Stores ------------------------------------------------------------------------------------------------------
  // A store whose line is there at `ready`, and whose data at `data`. Returns the clock.
  Picoseconds store(Picoseconds clock, Line line, std::uint64_t bytes, Picoseconds ready, Picoseconds data,
                    Traffic* traffic, const Limits& limits);

  Picoseconds last_store_done() const {
    return first_store_ == end_store_ ? 0 : store_[(end_store_ - 1) % kMostStores].done;
  }

  // The clock when nothing is in flight any more.
  Picoseconds drain(Picoseconds clock);
  Picoseconds drain_loads(Picoseconds clock);

 private:
  static constexpr unsigned kMostLoads = 64, kMostStores = 128;  // stores: a power of two
  struct Load {
    Picoseconds done;
    std::uint64_t value, instruction;
    Traffic* traffic;
    Line line;
  };
  struct Store {
    Picoseconds done, data;
    std::uint64_t bytes;
    Traffic* traffic;
    Line line;
  };
  static Picoseconds wait(Picoseconds clock, Picoseconds until, Traffic* traffic) {
    if (until <= clock) return clock;
    if (traffic) traffic->stall += until - clock;
    return until;
  }

  void retire_now(Picoseconds clock);

  Picoseconds next_done_ = ~Picoseconds{0};  // not later than anything in flight is complete
  unsigned loads_ = 0;
  std::uint32_t first_store_ = 0, end_store_ = 0;
  std::uint64_t lines_stored_ = 0;  // bit line % 64: a store to such a line may be in the buffer
  std::array<Load, kMostLoads> load_;
  std::array<Store, kMostStores> store_;
};

}  // namespace hitmark::simulator
