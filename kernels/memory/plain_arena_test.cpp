// Placement rules of arena.hpp, as PlainArena keeps them.
#include "kernels/memory/plain_arena.hpp"

#include <gtest/gtest.h>

namespace hitmark {
namespace {

TEST(PlainArena, EveryAreaBeginsWithItsOwnAddress) {
  PlainArena arena(3);
  for (unsigned cpu = 0; cpu < 3; ++cpu)
    EXPECT_EQ(*static_cast<void**>(arena.percpu_address(cpu, 0)), arena.percpu_address(cpu, 0));
}

TEST(PlainArena, StaticObjectHasItsPlaceAndDynamicOnesFollow) {
  PlainArena arena(1);
  EXPECT_EQ(arena.percpu("s", "S", 112, 64, true), kStaticPercpu);
  const std::uintptr_t first = arena.percpu("a", "A", 8, 8);
  EXPECT_GE(first, kStaticPercpu + kStaticPercpuSize);
  EXPECT_EQ(arena.percpu("b", "B", 32, 8), first + 8);
  EXPECT_EQ(arena.percpu("c", "C", 1, 4096) % 4096, 0u);
}

TEST(PlainArena, KeepsABookOfItsObjects) {
  PlainArena arena(2);
  void* shared = arena.shared("vmstats[a]", "V", 1712, 64);
  const std::uintptr_t percpu = arena.percpu("x", "X", 8, 8);
  ASSERT_EQ(arena.objects().size(), 2u);
  EXPECT_EQ(arena.objects()[0].address, reinterpret_cast<std::uintptr_t>(shared));
  EXPECT_EQ(arena.objects()[0].address % 64, 0u);
  EXPECT_EQ(arena.objects()[0].size, 1712u);
  EXPECT_FALSE(arena.objects()[0].percpu);
  EXPECT_EQ(arena.objects()[1].address, percpu);
  EXPECT_TRUE(arena.objects()[1].percpu);
}

TEST(PlainArenaDeathTest, RunningOutIsSaid) {
  PlainArena arena(1, 8192, 4096);
  arena.shared("a", "A", 4096, 64);
  EXPECT_DEATH(arena.shared("b", "B", 1, 1), "used up");
  EXPECT_DEATH(arena.percpu("b", "B", 8192, 1), "used up");
}

}  // namespace
}  // namespace hitmark
