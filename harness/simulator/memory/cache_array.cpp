// Geometry, and least recently used, whose order is kept as the rank of each way (0: the newest) in a byte, xor the
// number of the way, so that zero bytes are an order too.
#include "harness/simulator/memory/cache_array.hpp"

#include "support/check.hpp"

namespace hitmark::simulator {
namespace {

constexpr unsigned kRankBytes = kMaxWays;  // before the two words of the header

std::uint8_t* ranks(std::uint32_t* set) { return reinterpret_cast<std::uint8_t*>(set - 4) - kRankBytes; }
const std::uint8_t* ranks(const std::uint32_t* set) { return ranks(const_cast<std::uint32_t*>(set)); }

__m128i numbers_from(unsigned first) {
  const __m128i iota = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return _mm_add_epi8(iota, _mm_set1_epi8(static_cast<char>(first)));
}

}  // namespace

CacheArray::CacheArray(const CacheGeometry& geometry, unsigned caches)
    : tree_(geometry.replacement == Replacement::kTreePlru) {
  if (geometry.sets == 0 || geometry.ways == 0) return;
  HITMARK_CHECK(std::has_single_bit(geometry.sets), "the sets of a cache are a power of two");
  HITMARK_CHECK(geometry.ways <= kMaxWays, "a cache has at most 32 ways");
  ways_ = geometry.ways;
  leaves_ = std::bit_ceil(ways_);
  set_mask_ = geometry.sets - 1;
  header_ = 4 + (tree_ ? 0 : kRankBytes / 4);
  set_stride_ = header_ + (ways_ + 7) / 8 * 8;
  if (set_stride_ == 12) set_stride_ = 16;  // a set of eight ways in one line of the host
  cache_stride_ = set_stride_ * geometry.sets;
  words_ = ZeroedArray<std::uint32_t>(cache_stride_ * caches);
  for (unsigned way = 0; way < ways_; ++way) {
    unsigned node = 1, first = 0;
    for (unsigned half = leaves_ / 2; half != 0; half /= 2) {
      const bool right = way >= first + half;
      paths_[way].keep &= ~(1u << node);
      if (!right) paths_[way].away |= 1u << node;
      if (right) first += half;
      node = 2 * node + (right ? 1 : 0);
    }
  }
  if (leaves_ > 8) return;
  for (unsigned tree = 0; tree < victims_.size(); ++tree) {
    unsigned first = 0, node = 1;
    for (unsigned half = leaves_ / 2; half != 0; half /= 2) {
      const bool right = (tree >> node & 1) != 0 && first + half < ways_;
      first += right ? half : 0;
      node = 2 * node + (right ? 1 : 0);
    }
    victims_[tree] = static_cast<std::uint8_t>(first);
  }
}

void CacheArray::touch_lru(std::uint32_t* set, int way) {
  std::uint8_t* bytes = ranks(set);
  const auto self = static_cast<unsigned>(way);
  const __m128i mine = _mm_set1_epi8(static_cast<char>(bytes[self] ^ self));
  for (unsigned first = 0; first < ways_; first += 16) {
    auto* place = reinterpret_cast<__m128i*>(bytes + first);
    const __m128i numbers = numbers_from(first);
    const __m128i rank = _mm_xor_si128(_mm_load_si128(place), numbers);
    const __m128i newer = _mm_cmplt_epi8(rank, mine);
    _mm_store_si128(place, _mm_xor_si128(_mm_sub_epi8(rank, newer), numbers));
  }
  bytes[self] = static_cast<std::uint8_t>(self);
}

int CacheArray::lru_victim(const std::uint32_t* set) const {
  const std::uint8_t* bytes = ranks(set);
  for (unsigned way = 0; way < ways_; ++way)
    if ((bytes[way] ^ way) == ways_ - 1) return static_cast<int>(way);
  return 0;
}

}  // namespace hitmark::simulator
