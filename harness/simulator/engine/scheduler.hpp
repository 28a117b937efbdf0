// Who is next: the unit (a core) with the earliest event. A key is a time and the CPU that it belongs to, so that
// keys are never equal and the order of events is the same in every run.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace hitmark::simulator {

using Picoseconds = std::uint64_t;
using Key = std::uint64_t;
inline constexpr unsigned kCpuBits = 9;  // leaves ten hours of simulated time
inline constexpr Key kNever = std::numeric_limits<Key>::max();

constexpr Key key_of(Picoseconds time, unsigned cpu) { return time << kCpuBits | cpu; }
constexpr Picoseconds time_of(Key key) { return key >> kCpuBits; }
constexpr unsigned cpu_of(Key key) { return key & ((1u << kCpuBits) - 1); }

// A tournament in which each inner node remembers the loser: replacing the winner costs one comparison a level.
class Tournament {
 public:
  // The keys of the units at the start; the earliest is the current one.
  void start(const std::vector<Key>& keys) {
    leaves_ = std::bit_ceil(keys.size());
    levels_ = static_cast<unsigned>(std::countr_zero(leaves_));
    losers_.assign(leaves_, kNever);
    std::vector<Key> winners(2 * leaves_, kNever);
    for (std::size_t i = 0; i < keys.size(); ++i) winners[leaves_ + i] = keys[i];
    for (std::size_t node = leaves_ - 1; node >= 1; --node) {
      const Key a = winners[2 * node], b = winners[2 * node + 1];
      winners[node] = a < b ? a : b;
      losers_[node] = a < b ? b : a;
    }
    winner_ = winners[1];
  }
  Key winner() const { return winner_; }
  // The unit of the winner, `unit`, has its next event at `key`. Returns the earliest key of all.
  Key replace(unsigned unit, Key key) {
    Key* losers = losers_.data();
    std::size_t node = leaves_ + unit;
    const auto meet_next = [&] {
      node /= 2;
      const Key loser = losers[node];
      const bool beaten = loser < key;
      losers[node] = beaten ? key : loser;
      key = beaten ? loser : key;
    };
    // Written out, because it is what every ordered access pays.
    switch (levels_) {
      default:
        for (unsigned level = 7; level < levels_; ++level) meet_next();
        [[fallthrough]];
      case 7:
        meet_next();
        [[fallthrough]];
      case 6:
        meet_next();
        [[fallthrough]];
      case 5:
        meet_next();
        [[fallthrough]];
      case 4:
        meet_next();
        [[fallthrough]];
      case 3:
        meet_next();
        [[fallthrough]];
      case 2:
        meet_next();
        [[fallthrough]];
      case 1:
        meet_next();
        [[fallthrough]];
      case 0:
        break;
    }
    return winner_ = key;
  }

 private:
  std::size_t leaves_ = 1;
  unsigned levels_ = 0;
  Key winner_ = kNever;
  std::vector<Key> losers_;
};

}  // namespace hitmark::simulator
