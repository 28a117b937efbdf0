// What sets the variants of stats-updates apart, as the rules say it: how often an update reads the shared count, how
// often it writes it, what happens once a flush is worth it, and how far a reader is off.
#include <gtest/gtest.h>

#include <random>

#include "kernels/family_state.hpp"
#include "kernels/recorder.hpp"

namespace hitmark::stats_updates {
namespace {

constexpr unsigned kCpus = 4;
constexpr int kBatch = 64, kThreshold = 64 * kCpus;

const Variant& variant(std::string_view name) {
  const Variant* found = Registry<Variant>::instance().find("stats-updates/" + std::string(name));
  HITMARK_CHECK(found, "no such variant");
  return *found;
}

struct Rates {
  std::size_t loads = 0, locked = 0;
  bool operator==(const Rates&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Rates& r) {
  return out << r.loads << " loads, " << r.locked << " locked";
}

// Accesses to the word with the count in 64 updates on CPU 1, after `before` updates on CPU 0.
Rates in_64_updates(std::string_view name, unsigned before, const std::string& object, std::size_t offset) {
  Recorder recorder;
  Simulation s(variant(name), Workload{}, kCpus, &recorder);
  for (unsigned i = 0; i < before; ++i) s.run("add", 0);
  recorder.start(s);
  for (int i = 0; i < 64; ++i) s.run("add", 1);
  Rates rates;
  for (const Touch& touch : recorder.touches) {
    if (touch.object != object || touch.offset != offset) continue;
    rates.loads += touch.kind == AccessKind::kLoad;
    rates.locked += touch.kind == AccessKind::kLockedReadModifyWrite;
  }
  return rates;
}

TEST(StatsUpdates, RatesOfTheSharedCount) {
  struct Case {
    const char* name;
    std::size_t offset;
    Rates accumulating, saturated;
  };
  const std::string stats = "stats[0]";
  for (const Case& c : {Case{"check-then-add", 80, {64, 1}, {64, 0}},
                        {"check-own-line", 128, {64, 1}, {64, 0}},
                        {"check-beside-read-mostly", 8, {64, 1}, {64, 0}},
                        {"add-then-check", 80, {1, 1}, {1, 0}},
                        {"add-always", 80, {0, 1}, {0, 1}},
                        {"atomic-checked", 80, {64, 64}, {64, 0}},
                        {"atomic-always", 80, {0, 64}, {0, 64}},
                        {"pushed-flag", 80, {0, 1}, {0, 0}}}) {
    EXPECT_EQ(in_64_updates(c.name, 0, stats, c.offset), c.accumulating) << c.name;
    EXPECT_EQ(in_64_updates(c.name, kThreshold + kBatch, stats, c.offset), c.saturated) << c.name;
  }
  EXPECT_EQ(in_64_updates("group-count", 0, "group_updates[0]", 0), (Rates{64, 1}));
  EXPECT_EQ(in_64_updates("group-count", kThreshold + kBatch, "group_updates[0]", 0), (Rates{64, 0}));
}

// Shared lines that an update reads once a flush is worth it: with the flag pushed, only that of the pointer.
TEST(StatsUpdates, ASaturatedUpdateReads) {
  const auto shared_lines = [](std::string_view name) {
    Recorder recorder;
    Simulation s(variant(name), Workload{}, kCpus, &recorder);
    for (int i = 0; i < kThreshold + kBatch; ++i) s.run("add", 0);
    recorder.start(s);
    s.run("add", 1);
    std::set<std::size_t> lines;
    for (const Touch& touch : recorder.touches)
      if (touch.object == "stats[0]") lines.insert(touch.offset / kLine);
    return lines;
  };
  EXPECT_EQ(shared_lines("pushed-flag"), (std::set<std::size_t>{0}));
  EXPECT_EQ(shared_lines("check-beside-read-mostly"), (std::set<std::size_t>{0}));
  EXPECT_EQ(shared_lines("check-then-add"), (std::set<std::size_t>{0, 1}));
  EXPECT_EQ(shared_lines("check-own-line"), (std::set<std::size_t>{0, 2}));
}

TEST(StatsUpdates, AGroupStopsAtItsShareOfTheThreshold) {
  Workload workload;
  workload.groups = 2;
  Recorder recorder;
  Simulation s(variant("group-count"), workload, kCpus, &recorder);
  recorder.start(s);
  for (int i = 0; i < 10'000; ++i) s.run("add", 3);  // of the second group
  std::size_t first = 0, second = 0;
  for (const Touch& touch : recorder.touches) {
    if (touch.object != "group_updates[0]" || touch.kind != AccessKind::kLockedReadModifyWrite) continue;
    (touch.offset / kLine ? second : first) += 1;
  }
  EXPECT_EQ(first, 0u);
  EXPECT_EQ(second, kThreshold / 2 / kBatch + 1u);  // the batch that exceeds the share is the last
}

class EveryStats : public testing::TestWithParam<const Variant*> {};

// Where nothing overlaps, a reader is off by the threshold, the batch that would exceed it, and what each CPU keeps.
TEST_P(EveryStats, ReaderIsOffByItsBoundAtMost) {
  Simulation s(*GetParam(), Workload{}, kCpus);
  auto* state = static_cast<FamilyState*>(s.state());
  void* const object = s.variant().object(s.state(), 0, 0);
  std::mt19937 random(3);
  long worst = 0;
  for (int i = 0; i < 50'000; ++i) {
    s.run((i / 3000) % 2 ? "sub" : "add", random() % kCpus);
    const unsigned reader = random() % kCpus;
    s.run("read", reader);
    const long off = s.variant().net(s.state(), object) - last_reading(state, reader);
    worst = std::max(worst, off < 0 ? -off : off);
    ASSERT_EQ(s.variant().violated_invariant(s.state()), "");
  }
  EXPECT_LE(worst, kThreshold + kBatch + static_cast<long>(kCpus) * (kBatch - 1));
  EXPECT_GE(worst, kThreshold / 2);
}

TEST_P(EveryStats, SaturatesAboveTheThresholdUntilAFlush) {
  Simulation s(*GetParam(), Workload{}, kCpus);
  const auto phase = [&] { return s.variant().phase(s.state()); };
  for (int i = 0; i < kThreshold; ++i) s.run("add", 0);
  EXPECT_EQ(phase(), Phase::kAccumulating);
  for (int i = 0; i < kBatch; ++i) s.run("add", 0);
  EXPECT_EQ(phase(), Phase::kSaturated);
  for (unsigned cpu = 0; cpu < kCpus; ++cpu)
    for (int i = 0; i < 100; ++i) s.run("add", cpu);
  s.run("read", 1);
  EXPECT_EQ(phase(), Phase::kAccumulating);
  EXPECT_EQ(last_reading(static_cast<FamilyState*>(s.state()), 1),
            kThreshold + kBatch + 100 * static_cast<long>(kCpus));
  // And all over again: nothing of the old saturation is left on any CPU.
  for (int i = 0; i < kThreshold + kBatch; ++i) s.run("add", 2);
  EXPECT_EQ(phase(), Phase::kSaturated);
}

TEST_P(EveryStats, FaultsAreSeen) {
  Simulation s(*GetParam(), Workload{}, kCpus);
  s.run("add", 0, 0, 5);
  s.run("flush", 0);
  EXPECT_EQ(s.variant().violated_invariant(s.state()), "");
  for (const ArenaObject& object : s.arena().objects()) {
    if (object.name != "stats_cpu[0]") continue;
    auto* bytes = static_cast<unsigned char*>(s.arena().percpu_address(2, object.address));
    bytes[0] = kBatch;  // stats_updates
    EXPECT_NE(s.variant().violated_invariant(s.state()).find("a batch of updates"), std::string::npos);
    bytes[0] = 0;
    bytes[kLine] = 1;  // state_prev
    EXPECT_NE(s.variant().violated_invariant(s.state()).find("differs from what was flushed"), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(Every, EveryStats, testing::ValuesIn(variants_of("stats-updates")),
                         [](const auto& tested) { return as_identifier(std::string(tested.param->name)); });

}  // namespace
}  // namespace hitmark::stats_updates
