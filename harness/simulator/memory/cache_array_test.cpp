// Sets and ways, and which line goes next: against naive models of the two orders.
#include "harness/simulator/memory/cache_array.hpp"

#include <gtest/gtest.h>

#include <random>

#include "harness/simulator/memory/naive_memory.hpp"

namespace hitmark::simulator {
namespace {

TEST(CacheArray, VictimsAreThoseOfTheNaiveOrder) {
  for (const Replacement replacement : {Replacement::kTreePlru, Replacement::kLru}) {
    for (unsigned ways = 1; ways <= kMaxWays; ++ways) {
      const CacheGeometry geometry{1, ways, replacement};
      CacheArray cache(geometry, 1);
      NaiveCache naive(geometry);
      std::mt19937 random(ways);
      std::uint32_t* set = cache.set_of(0, 0);
      for (unsigned n = 0; n < 2000; ++n) {
        const Line line = random() % (ways + ways / 2 + 1);
        const int way = cache.find(set, line);
        ASSERT_EQ(way >= 0, naive.find(line) != nullptr) << ways << " ways, access " << n;
        if (way >= 0 && random() % 8 == 0) {
          CacheArray::drop(set, way);
          naive.erase(line);
        } else if (way >= 0) {
          cache.touch(set, way);
          naive.touch(line);
          EXPECT_EQ(CacheArray::last_way(set), way);
        } else {
          const int fill = cache.way_to_fill(set);
          ASSERT_LT(static_cast<unsigned>(fill), ways);
          const auto gone = naive.insert(line, 'S');
          ASSERT_EQ(set[fill] != 0, gone.has_value()) << ways << " ways, access " << n;
          if (gone) {
            ASSERT_EQ(CacheArray::line_at(set, fill), gone->line) << ways << " ways, access " << n;
          }
          CacheArray::put(set, fill, line, LineState::kS);
          cache.touch(set, fill);
        }
      }
    }
  }
}

// Hand-made: 8 ways filled in order, then 0 touched: the tree points at the half and quarter not used last.
TEST(CacheArray, TreeGoesToTheSideThatWasNotTouched) {
  CacheArray cache({1, 8, Replacement::kTreePlru}, 1);
  std::uint32_t* set = cache.set_of(0, 0);
  for (int way = 0; way < 8; ++way) {
    EXPECT_EQ(cache.way_to_fill(set), way);
    CacheArray::put(set, way, static_cast<Line>(way), LineState::kE);
    cache.touch(set, way);
  }
  EXPECT_EQ(cache.way_to_fill(set), 0);
  cache.touch(set, 0);
  EXPECT_EQ(cache.way_to_fill(set), 4);
  cache.touch(set, 4);
  EXPECT_EQ(cache.way_to_fill(set), 2);
  cache.touch(set, 2);
  EXPECT_EQ(cache.way_to_fill(set), 6);
}

TEST(CacheArray, LeastRecentlyUsedGoesFirst) {
  CacheArray cache({1, 4, Replacement::kLru}, 1);
  std::uint32_t* set = cache.set_of(0, 0);
  for (int way = 0; way < 4; ++way) {
    CacheArray::put(set, way, static_cast<Line>(way), LineState::kE);
    cache.touch(set, way);
  }
  cache.touch(set, 0);
  cache.touch(set, 2);
  EXPECT_EQ(cache.way_to_fill(set), 1);
  cache.touch(set, 1);
  EXPECT_EQ(cache.way_to_fill(set), 3);
}

TEST(CacheArray, SetsAndCachesAreApart) {
  CacheArray cache({4, 2}, 3);
  for (unsigned index = 0; index < 3; ++index)
    for (Line line = 0; line < 8; ++line) {
      std::uint32_t* set = cache.set_of(index, line);
      const int way = cache.way_to_fill(set);
      EXPECT_EQ(set[way], 0u);
      CacheArray::put(set, way, line, index == 1 ? LineState::kM : LineState::kS);
      cache.touch(set, way);
    }
  for (unsigned index = 0; index < 3; ++index)
    for (Line line = 0; line < 8; ++line) {
      const int way = cache.find(cache.set_of(index, line), line);
      ASSERT_GE(way, 0);
      EXPECT_EQ(CacheArray::state_at(cache.set_of(index, line), way), index == 1 ? LineState::kM : LineState::kS);
    }
  unsigned lines = 0;
  cache.for_each([&](unsigned index, Line line, LineState) {
    ++lines;
    EXPECT_LT(index, 3u);
    EXPECT_LT(line, 8u);
  });
  EXPECT_EQ(lines, 24u);
  EXPECT_EQ(cache.find(cache.set_of(0, 8), 8), -1);
}

TEST(CacheArray, HoldsTheGreatestLineInEveryState) {
  CacheArray cache({64, 8}, 1);
  const Line last = kMaxLines - 1;
  std::uint32_t* set = cache.set_of(0, last);
  for (const LineState state : {LineState::kS, LineState::kM}) {
    CacheArray::put(set, 3, last, state);
    EXPECT_EQ(cache.find(set, last), 3);
    EXPECT_EQ(CacheArray::line_at(set, 3), last);
    EXPECT_EQ(CacheArray::state_at(set, 3), state);
  }
}

TEST(CacheArray, NoneExistsWithoutSetsOrWays) {
  EXPECT_FALSE(CacheArray({0, 0}, 4).exists());
  EXPECT_FALSE(CacheArray({4, 0}, 4).exists());
  EXPECT_TRUE(CacheArray({1, 1}, 4).exists());
}

}  // namespace
}  // namespace hitmark::simulator
