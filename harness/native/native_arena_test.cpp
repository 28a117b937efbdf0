#include "harness/native/native_arena.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

namespace hitmark::native {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<NativeArena> arena_of(NativeArenaOptions options) {
  auto arena = NativeArena::create(std::move(options));
  EXPECT_TRUE(arena) << (arena ? "" : arena.error().message);
  return arena ? std::move(*arena) : nullptr;
}

std::string note(const NameValues& notes, const std::string& name) {
  for (const auto& [key, value] : notes)
    if (key == name) return value;
  return "no " + name;
}

TEST(NativeArena, EveryAreaBeginsWithItsOwnAddress) {
  const auto arena = arena_of({.cpu_nodes = {kAnyNode, kAnyNode, kAnyNode}});
  ASSERT_EQ(arena->cpu_count(), 3u);
  for (unsigned cpu = 0; cpu < 3; ++cpu) {
    void* self = nullptr;
    std::memcpy(&self, arena->area(cpu), sizeof self);
    EXPECT_EQ(self, arena->area(cpu));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(self) % kHugePage, 0u);
  }
}

TEST(NativeArena, PercpuObjectsHaveOneOffsetEverywhereAndDoNotOverlap) {
  const auto arena = arena_of({.cpu_nodes = {kAnyNode, kAnyNode}});
  EXPECT_EQ(arena->percpu("stock", "Stock", 128, 64, true), kStaticPercpu);
  const auto first = arena->percpu("a", "A", 100, 64, false);
  const auto second = arena->percpu("b", "B", 8, 4096, false);
  EXPECT_EQ(first, kStaticPercpu + kStaticPercpuSize);
  EXPECT_EQ(second % 4096, 0u);
  EXPECT_GE(second, first + 100);
  for (unsigned cpu = 0; cpu < 2; ++cpu) {
    auto* bytes = static_cast<unsigned char*>(arena->percpu_address(cpu, second));
    EXPECT_EQ(bytes, static_cast<unsigned char*>(arena->area(cpu)) + second);
    for (int i = 0; i < 8; ++i) EXPECT_EQ(bytes[i], 0);
    bytes[0] = static_cast<unsigned char>(cpu + 1);
  }
  EXPECT_EQ(*static_cast<unsigned char*>(arena->percpu_address(0, second)), 1);
}

TEST(NativeArena, SharedObjectsAreZeroedAlignedAndListedByName) {
  const auto arena = arena_of({.cpu_nodes = {kAnyNode}});
  auto* a = static_cast<unsigned char*>(arena->shared("a", "A", 65, 64));
  auto* b = static_cast<unsigned char*>(arena->shared("b", "B", std::size_t{5} << 20, 4096));
  EXPECT_GE(b, a + 65);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b) % 4096, 0u);
  EXPECT_EQ(b[(std::size_t{5} << 20) - 1], 0);
  ASSERT_EQ(arena->objects().size(), 2u);
  EXPECT_EQ(arena->objects()[1].name, "b");
  EXPECT_EQ(arena->objects()[1].type, "B");
  EXPECT_EQ(arena->objects()[1].address, reinterpret_cast<std::uintptr_t>(b));
  EXPECT_FALSE(arena->objects()[1].percpu);
}

TEST(NativeArena, BindsToTheHomeNodeAndTheKernelConfirmsIt) {
  auto created = NativeArena::create({.cpu_nodes = {0}, .home_node = 0, .homes = {{"apart", 0}}, .must_bind = true});
  if (!created && created.error().kind != ErrorKind::kInvalid) GTEST_SKIP() << created.error().message;
  ASSERT_TRUE(created);
  (*created)->shared("x", "X", 100'000, 64);
  (*created)->shared("apart", "X", 64, 64);
  const auto notes = (*created)->verify();
  ASSERT_TRUE(notes) << notes.error().message;
  EXPECT_EQ(note(*notes, "home of shared objects, wanted"), "node 0");
  EXPECT_EQ(note(*notes, "home of shared objects, as the kernel says"), "node 0");
}

TEST(NativeArena, ANodeThatTheMachineLacksIsAnErrorNotAnotherNode) {
  const auto arena = arena_of({.cpu_nodes = {kAnyNode}, .home_node = 900, .must_bind = true});
  EXPECT_THROW(arena->shared("x", "X", 64, 64), std::bad_alloc);
  ASSERT_TRUE(arena->failure());
  EXPECT_THAT(arena->failure()->message, HasSubstr("node 900"));
}

// The check itself must be able to fail: memory that was placed on node 0 is not on node 1.
TEST(NativeArena, VerifyNoticesMemoryOnAnotherNode) {
  const auto arena =
      arena_of({.cpu_nodes = {kAnyNode}, .home_node = kAnyNode, .homes = {{"x", 900}}, .must_bind = false});
  arena->shared("x", "X", 64, 64);  // binding to node 900 was refused and ignored
  if (!arena->verify()) GTEST_SKIP() << arena->verify().error().message;
  const auto strict = arena_of({.cpu_nodes = {kAnyNode}, .homes = {{"x", 900}}, .must_bind = false});
  strict->shared("x", "X", 64, 64);
  strict->insist_on_homes();
  const auto verified = strict->verify();
  ASSERT_FALSE(verified);
  EXPECT_THAT(verified.error().message, HasSubstr("should be on node 900, but the kernel says node"));
}

}  // namespace
}  // namespace hitmark::native
