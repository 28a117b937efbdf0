#include "harness/native/event_clock.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hitmark::native {
namespace {

// A clock that moves when the arm does something: an operation takes 1 tick, an event 1000.
struct Recorded {
  std::uint64_t now = 0, operations = 0;
  std::string events;  // "f@100 r@150 "
  std::vector<std::uint64_t> polls;
};
Recorded* recorded = nullptr;

struct FakeClock {
  static std::uint64_t start() { return recorded->now; }
  static std::uint64_t stop() { return recorded->now; }
  static std::uint64_t nanoseconds() { return 10 * recorded->now; }
};

void operation(void*, void*, unsigned) {
  ++recorded->operations;
  ++recorded->now;
}
template <char name>
void event(void*, void*, unsigned) {
  recorded->events += std::string(1, name) + "@" + std::to_string(recorded->operations) + " ";
  recorded->now += 1000;
}
void work(void*, void*, unsigned) {
  recorded->polls.push_back(recorded->operations);
  recorded->now += 1000;
}

class EventClockTest : public ::testing::Test {
 protected:
  EventClockTest() {
    recorded = &log;
    arm.loop.operation = operation;
    arm.loop.objects = &object;
    arm.driver = run_bare;
  }
  Recorded log;
  void* object = nullptr;
  ArmOnCpu arm;
};

TEST_F(EventClockTest, RunsEventsAtExactMultiplesOfTheirPeriods) {
  arm.events = {{event<'d'>, 40}, {event<'f'>, 100}};
  advance(arm, 210, FakeClock{});
  EXPECT_EQ(log.operations, 210u);
  EXPECT_EQ(log.events, "d@40 d@80 f@100 d@120 d@160 d@200 f@200 ");
}

TEST_F(EventClockTest, EventsDoNotDependOnHowTheOperationsAreCutIntoSlices) {
  arm.events = {{event<'d'>, 40}, {event<'f'>, 100}};
  arm.work = work;
  ArmOnCpu same = arm;
  for (const std::uint64_t part : {1u, 39u, 0u, 60u, 400u, 100u, 17u}) advance(arm, part, FakeClock{});
  const Recorded in_parts = log;
  log = {};
  advance(same, 617, FakeClock{});
  EXPECT_EQ(log.events, in_parts.events);
  EXPECT_EQ(log.polls, in_parts.polls);
  EXPECT_EQ(log.events.substr(0, 11), "d@40 d@80 f");
  EXPECT_EQ(same.operations, arm.operations);
}

TEST_F(EventClockTest, TheTimeOfEventsIsLeftOut) {
  arm.events = {{event<'f'>, 100}};
  arm.work = work;
  const Elapsed elapsed = advance(arm, 1000, FakeClock{});
  EXPECT_EQ(elapsed.ticks, 1000u);
  EXPECT_EQ(elapsed.nanoseconds, 10'000u);
  EXPECT_EQ(log.now, 1000 + 10 * 1000u + 3 * 1000u) << "ten flushes and three looks into the mailbox happened";
}

TEST_F(EventClockTest, LooksIntoTheMailboxAtLeastEvery256Operations) {
  arm.work = work;
  advance(arm, 300, FakeClock{});
  advance(arm, 300, FakeClock{});
  EXPECT_EQ(log.polls, (std::vector<std::uint64_t>{256, 512}));
}

TEST_F(EventClockTest, WithoutEventsTheWholeSliceIsOneCall) { EXPECT_EQ(operations_until_pause(arm, 12345), 12345u); }

}  // namespace
}  // namespace hitmark::native
