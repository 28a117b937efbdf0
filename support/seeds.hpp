// Random numbers that are the same on every platform and compiler: a run is repeated from its seed alone.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <utility>
#include <vector>

namespace hitmark {

// SplitMix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators").
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // Below `bound` > 0; its bias, below bound / 2^64, does not matter here.
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

 private:
  std::uint64_t state_;
};

// One seed out of several numbers; another for any other numbers or order.
inline std::uint64_t mixed_seed(std::initializer_list<std::uint64_t> parts) {
  std::uint64_t seed = 0;
  for (const std::uint64_t part : parts) seed = SplitMix64(seed ^ part).next();
  return seed;
}

// 0 .. size - 1 in random order (Fisher-Yates).
inline std::vector<int> permutation(int size, std::uint64_t seed) {
  std::vector<int> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), 0);
  SplitMix64 random(seed);
  for (std::size_t left = order.size(); left > 1; --left) std::swap(order[left - 1], order[random.below(left)]);
  return order;
}

}  // namespace hitmark
