#include "harness/simulator/engine/core_model.hpp"

#include <algorithm>

namespace hitmark::simulator {

Limits limits_of(const CoreModel& core, bool two_threads) {
  const unsigned share = two_threads ? 2 : 1;
  const auto ps = [&core](double cycles) { return static_cast<Picoseconds>(cycles * 1000 / core.ghz + 0.5); };
  return {.loads = std::clamp(core.misses_in_flight, 1u, 64u),
          .window = std::max(1u, core.window_instructions / share),
          .stores = std::clamp(core.store_buffer / share, 1u, 127u),
          .forward = ps(core.forward_cycles)};
}

void InFlight::retire_now(Picoseconds clock) {
  unsigned kept = 0;
  next_done_ = ~Picoseconds{0};
  for (unsigned i = 0; i < loads_; ++i)
    if (load_[i].done > clock) {
      next_done_ = std::min(next_done_, load_[i].done);
      load_[kept++] = load_[i];
    }
  loads_ = kept;
  while (first_store_ != end_store_ && store_[first_store_ % kMostStores].done <= clock) ++first_store_;
  if (first_store_ == end_store_)
    lines_stored_ = 0;
  else
    next_done_ = std::min(next_done_, store_[first_store_ % kMostStores].done);
}

Picoseconds InFlight::address_known(std::uintptr_t address) const {
  Picoseconds known = 0;
  for (unsigned i = 0; i < loads_; ++i)
    if (address - load_[i].value < kPointerReach) known = std::max(known, load_[i].done);
  return known;
}

Picoseconds InFlight::line_there(Line line) const {
  Picoseconds there = 0;
  for (unsigned i = 0; i < loads_; ++i)
    if (load_[i].line == line) there = std::max(there, load_[i].done);
  return there;
}

Picoseconds InFlight::after_stores(Line line, std::uint64_t bytes, Picoseconds start, Picoseconds done,
                                   Picoseconds forward) const {
  if ((lines_stored_ >> line % 64 & 1) == 0) return done;
  for (std::uint32_t i = end_store_; i != first_store_; --i) {  // the newest first
    const Store& store = store_[(i - 1) % kMostStores];
    if (store.line != line) continue;
    if ((bytes & store.bytes) == bytes) return std::max(start, store.data) + forward;
    // Other bytes: the line must be there. What an even older store holds is there then too: they leave in order.
    return std::max(done, store.done);
  }
  return done;
}

Picoseconds InFlight::load(Picoseconds clock, Line line, std::uint64_t value, Picoseconds done,
                           std::uint64_t instruction, Traffic* traffic, const Limits& limits) {
  retire(clock);
  next_done_ = std::min(next_done_, done);
  load_[loads_++] = {done, value, instruction, traffic, line};
  if (loads_ < limits.loads) return clock;
  const Load* first = std::min_element(load_.data(), load_.data() + loads_,
                                       [](const Load& a, const Load& b) { return a.done < b.done; });
  clock = wait(clock, first->done, first->traffic);
  retire(clock);
  return clock;
}

Picoseconds InFlight::window(Picoseconds clock, std::uint64_t instruction, const Limits& limits) {
  while (loads_ != 0 && instruction >= load_[0].instruction + limits.window) {
    clock = wait(clock, load_[0].done, load_[0].traffic);
    retire(clock);
  }
  return clock;
}

Picoseconds InFlight::store(Picoseconds clock, Line line, std::uint64_t bytes, Picoseconds ready, Picoseconds data,
                            Traffic* traffic, const Limits& limits) {
  retire(clock);
  Picoseconds done = std::max({clock, ready, data});
  if (first_store_ != end_store_) done = std::max(done, store_[(end_store_ - 1) % kMostStores].done);
  if (done <= clock) return clock;
  next_done_ = std::min(next_done_, done);
  store_[end_store_++ % kMostStores] = {done, std::max(clock, data), bytes, traffic, line};
  lines_stored_ |= std::uint64_t{1} << line % 64;
  if (end_store_ - first_store_ > limits.stores) {
    const Store& oldest = store_[first_store_ % kMostStores];
    clock = wait(clock, oldest.done, oldest.traffic);
    retire(clock);
  }
  return clock;
}

Picoseconds InFlight::drain_loads(Picoseconds clock) {
  while (loads_ != 0) {
    clock = wait(clock, load_[0].done, load_[0].traffic);
    retire(clock);
  }
  return clock;
}

Picoseconds InFlight::drain(Picoseconds clock) {
  clock = drain_loads(clock);
  while (first_store_ != end_store_) {
    const Store& oldest = store_[first_store_ % kMostStores];
    clock = wait(clock, oldest.done, oldest.traffic);
    retire(clock);
  }
  return clock;
}

}  // namespace hitmark::simulator
