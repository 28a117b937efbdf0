// A set of at most 128 cores: two words, with the interface of std::bitset as far as it is needed, and walks over
// its members, which std::bitset has not.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace hitmark::simulator {

inline constexpr unsigned kMaxCores = 128;

class CoreSet {
 public:
  constexpr bool test(unsigned core) const { return words_[core / 64] >> core % 64 & 1; }
  constexpr void set(unsigned core) { words_[core / 64] |= std::uint64_t{1} << core % 64; }
  constexpr void reset(unsigned core) { words_[core / 64] &= ~(std::uint64_t{1} << core % 64); }
  constexpr void reset() { words_[0] = words_[1] = 0; }
  constexpr bool any() const { return (words_[0] | words_[1]) != 0; }
  constexpr bool none() const { return !any(); }
  constexpr std::size_t count() const {
    return static_cast<std::size_t>(std::popcount(words_[0]) + std::popcount(words_[1]));
  }
  // Cores `first` to `first + count - 1`, as the low bits of a word; count is 1 to 64.
  constexpr std::uint64_t slice(unsigned first, unsigned count) const {
    const unsigned word = first / 64, shift = first % 64;
    std::uint64_t bits = words_[word] >> shift;
    if (shift + count > 64) bits |= words_[1] << (64 - shift);
    return bits & (~std::uint64_t{0} >> (64 - count));
  }
  // Calls `body(core)` for each, in ascending order. The set may change meanwhile: it is the one at the start.
  template <typename Body>
  constexpr void for_each(Body&& body) const {
    for (unsigned word = 0; word < 2; ++word)
      for (std::uint64_t bits = words_[word]; bits != 0; bits &= bits - 1)
        body(word * 64 + static_cast<unsigned>(std::countr_zero(bits)));
  }
  friend constexpr bool operator==(const CoreSet&, const CoreSet&) = default;

 private:
  std::uint64_t words_[2] = {0, 0};
};

}  // namespace hitmark::simulator
