// Set-associative caches of one kind, one per core or per CCX: which lines they hold, in which state, and which
// line has to go next. An entry is one word, (line + 1) * 8 + state, so that zero pages are an empty cache.
//
// A set is a run of words: replacement state first, then the entries at a multiple of 16 bytes; functions take the
// pointer to the entries.
#pragma once

#include <emmintrin.h>

#include <array>
#include <bit>
#include <cstdint>

#include "harness/simulator/machine/machine_model.hpp"
#include "harness/simulator/memory/protocol.hpp"
#include "harness/simulator/memory/zeroed_array.hpp"

namespace hitmark::simulator {

using Line = std::uint32_t;  // number of a 64-byte line of the simulated memory, from 0
inline constexpr Line kMaxLines = (1u << 29) - 1;
inline constexpr unsigned kMaxWays = 32;

class CacheArray {
 public:
  // No sets or no ways: no cache.
  CacheArray(const CacheGeometry& geometry, unsigned caches);

  bool exists() const { return ways_ != 0; }
  unsigned set_index(Line line) const { return line & set_mask_; }
  std::uint32_t* set_of(unsigned cache, Line line) {
    return words_.data() + (cache * cache_stride_ + (line & set_mask_) * set_stride_ + header_);
  }
  const std::uint32_t* set_of(unsigned cache, Line line) const {
    return const_cast<CacheArray*>(this)->set_of(cache, line);
  }

  static std::uint32_t key(Line line) { return (line + 1) << 3; }
  static Line line_at(const std::uint32_t* set, int way) { return (set[way] >> 3) - 1; }
  static LineState state_at(const std::uint32_t* set, int way) { return static_cast<LineState>(set[way] & 7); }
  static void put(std::uint32_t* set, int way, Line line, LineState state) {
    set[way] = key(line) | static_cast<std::uint32_t>(state);
  }
  static void drop(std::uint32_t* set, int way) { set[way] = 0; }
  // The way that was touched last. Touching it again changes nothing.
  static int last_way(const std::uint32_t* set) { return static_cast<int>(set[-1]); }

  // What touch() does with a way of a tree of at most eight, for who does it himself: set[-1] = way, set[-2] = (set[-2]
  // & keep) | away. False for another kind of set.
  bool small_tree(int way, std::uint8_t& keep, std::uint8_t& away) const {
    keep = static_cast<std::uint8_t>(paths_[static_cast<unsigned>(way)].keep);
    away = static_cast<std::uint8_t>(paths_[static_cast<unsigned>(way)].away);
    return tree_ && leaves_ <= 8;
  }

  // The way of the line, or -1.
  int find(const std::uint32_t* set, Line line) const {
    const __m128i wanted = _mm_set1_epi32(static_cast<int>(key(line)));
    return first_match(set, wanted, _mm_set1_epi32(~7));
  }

  void touch(std::uint32_t* set, int way) {
    set[-1] = static_cast<std::uint32_t>(way);
    if (tree_) {
      const TreePath& path = paths_[static_cast<unsigned>(way)];
      set[-2] = (set[-2] & path.keep) | path.away;
    } else {
      touch_lru(set, way);
    }
  }

  // An empty way, else the one to evict.
  int way_to_fill(const std::uint32_t* set) const {
    const int empty = first_match(set, _mm_setzero_si128(), _mm_set1_epi32(-1));
    if (empty >= 0 && static_cast<unsigned>(empty) < ways_) return empty;  // behind the last way there is padding
    return tree_ ? tree_victim(set[-2]) : lru_victim(set);
  }

  // Every line held, for checks: calls body(cache, line, state).
  template <typename Body>
  void for_each(Body&& body) const {
    for (std::size_t set = 0; set * set_stride_ < words_.size(); ++set) {
      const std::uint32_t* entries = words_.data() + set * set_stride_ + header_;
      for (unsigned way = 0; way < ways_; ++way)
        if (entries[way] != 0)
          body(static_cast<unsigned>(set / (set_mask_ + 1)), line_at(entries, static_cast<int>(way)),
               state_at(entries, static_cast<int>(way)));
    }
  }
  ZeroedArray<std::uint32_t>& words() { return words_; }
  const ZeroedArray<std::uint32_t>& words() const { return words_; }

 private:
  // The tree's nodes are bits 1 .. leaves - 1, root first; a bit that is set points to the right half as the older.
  struct TreePath {
    std::uint32_t keep = ~0u, away = 0;
  };

  // The first of the entries that equals `wanted` under `mask`, or -1. Sets are padded to
  // a multiple of eight by empty entries.
  int first_match(const std::uint32_t* set, __m128i wanted, __m128i mask) const {
    unsigned way = 0;
    do {
      const auto equal = [&](unsigned from) {
        const __m128i entries = _mm_load_si128(reinterpret_cast<const __m128i*>(set + from));
        return _mm_cmpeq_epi32(_mm_and_si128(entries, mask), wanted);
      };
      const auto bits = static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi32(equal(way), equal(way + 4))));
      if (bits != 0) {
        return static_cast<int>(way + static_cast<unsigned>(std::countr_zero(bits)) / 2);
      }
      way += 8;
    } while (way < ways_);
    return -1;
  }
  int tree_victim(std::uint32_t tree) const {
    if (leaves_ <= 8) return victims_[tree & 0xff];
    unsigned first = 0, node = 1;
    for (unsigned half = leaves_ / 2; half != 0; half /= 2) {
      const bool right = (tree >> node & 1) != 0 && first + half < ways_;
      first += right ? half : 0;
      node = 2 * node + (right ? 1 : 0);
    }
    return static_cast<int>(first);
  }
  [[gnu::cold]] void touch_lru(std::uint32_t* set, int way);
  int lru_victim(const std::uint32_t* set) const;

  bool tree_ = true;
  unsigned ways_ = 0, leaves_ = 0, set_mask_ = 0;
  std::size_t header_ = 0, set_stride_ = 0, cache_stride_ = 0;  // in words
  std::array<TreePath, kMaxWays> paths_;
  std::array<std::uint8_t, 256> victims_{};  // by the tree, to eight ways
  ZeroedArray<std::uint32_t> words_;
};

}  // namespace hitmark::simulator
