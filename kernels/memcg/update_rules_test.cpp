// What one update of a statistic costs on shared lines, by generation (the reference, sections 3.2, 3.5 and 3.7): LOCK
// operations and reads of shared counts, counted access by access over charges of one page on one CPU. Three levels.
#include <gtest/gtest.h>

#include "kernels/memcg/simulation.hpp"
#include "kernels/memory/native_cpu.hpp"

namespace hitmark::memcg {
namespace {

constexpr unsigned kLevels = 3;                   // a workload of depth 2 and the root
constexpr std::uint64_t kCharges = 64 * 65 * 33;  // whole periods of 64, 65 and 33

// Accesses to what all CPUs share of the statistics.
class SharedAccesses : public AccessObserver {
 public:
  void watch(Simulation& simulation) {
    threshold_ = reinterpret_cast<std::uintptr_t>(&simulation.globals()->stats_flush_threshold);
    for (const ArenaObject& object : simulation.arena().objects())
      if (object.name.starts_with("vmstats[")) objects_.push_back({object.address, object.size});
  }
  void on_access(unsigned, const Access& access) override {
    bool shared = access.address == threshold_;
    for (const auto& [start, size] : objects_) shared = shared || access.address - start < size;
    if (!shared) return;
    locked += access.kind == AccessKind::kLockedReadModifyWrite;
    loads += access.kind == AccessKind::kLoad;
    others += access.kind == AccessKind::kStore || access.kind == AccessKind::kReadModifyWrite;
  }
  void clear() { locked = loads = others = 0; }
  std::uint64_t locked = 0, loads = 0, others = 0;

 private:
  struct Range {
    std::uintptr_t start;
    std::size_t size;
  };
  std::uintptr_t threshold_ = 0;
  std::vector<Range> objects_;
};

struct Counts {
  std::uint64_t locked, loads;
  bool operator==(const Counts&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Counts& c) {
  return out << c.locked << " LOCK, " << c.loads << " loads";
}

// `before` charges first, to get somewhere; then `charges`, of which the accesses are counted.
Counts charged(std::string_view variant, unsigned online_cpus, std::uint64_t before, std::uint64_t charges,
               std::string_view operation = "charge") {
  SharedAccesses accesses;
  Workload workload;
  workload.online_cpus = online_cpus;
  Simulation simulation(variant_named(variant), workload, 1, &accesses);
  accesses.watch(simulation);
  const Operation& run = operation_named(simulation.variant(), operation);
  for (std::uint64_t i = 0; i < before + charges; ++i) {
    if (i == before) accesses.clear();
    simulation.run(run, 0, simulation.memcg(0), 1);
  }
  EXPECT_EQ(accesses.others, 0u);
  return {accesses.locked, accesses.loads};
}

constexpr unsigned kNever = 1u << 20;  // so many CPUs that nothing is to be flushed

TEST(UpdateRules, AccumulatingByGeneration) {
  const auto accumulating = [](std::string_view variant) { return charged(variant, kNever, 0, kCharges); };
  EXPECT_EQ(accumulating("g0-v0"), (Counts{kLevels * kCharges / 33, 0}));  // |x| > 32: every level, for each item
  EXPECT_EQ(accumulating("g0-v1"), (Counts{0, 0}));
  EXPECT_EQ(accumulating("g2-v3"), (Counts{kCharges / 64, 0}));   // one global count
  EXPECT_EQ(accumulating("g3-v3b"), (Counts{kCharges / 65, 0}));  // past 64, and from 0 again
  for (const char* variant : {"g3-v4", "g3-v4b", "g5-v4b"})
    EXPECT_EQ(accumulating(variant), (Counts{kLevels * kCharges / 64, kLevels * kCharges / 64})) << variant;
  for (const char* variant : {"g5-v5", "percall7", "g4-v5b"})
    EXPECT_EQ(accumulating(variant), (Counts{kLevels * kCharges / 64, kLevels * kCharges})) << variant;
}

// Every level is to be flushed: nothing is added any more. V4 still reads each level's count once a batch, V5 the
// leaf's on every update. V3 goes on adding: its count has no such test.
TEST(UpdateRules, SaturatedByGeneration) {
  const auto saturated = [](std::string_view variant) { return charged(variant, 1, 65 * 33, kCharges); };
  EXPECT_EQ(saturated("g0-v0"), (Counts{kLevels * kCharges / 33, 0}));
  EXPECT_EQ(saturated("g2-v3"), (Counts{kCharges / 64, 0}));
  for (const char* variant : {"g3-v4", "g3-v4b", "g5-v4b"})
    EXPECT_EQ(saturated(variant), (Counts{0, kLevels * kCharges / 64})) << variant;
  for (const char* variant : {"g5-v5", "percall7", "g4-v5b"})
    EXPECT_EQ(saturated(variant), (Counts{0, kCharges})) << variant;
}

// The headline comparison in one number: reads of shared counts per update.
TEST(UpdateRules, V5Reads64TimesAsOftenAsV4b) {
  const Counts v4b = charged("g5-v4b", kNever, 0, kCharges), v5 = charged("g5-v5", kNever, 0, kCharges);
  EXPECT_EQ(v5.loads, 64 * v4b.loads);
  EXPECT_EQ(v5.locked, v4b.locked);
}

// A charge and its uncharge cancel in V0's remainder; every later rule counts both.
TEST(UpdateRules, PairedByGeneration) {
  constexpr std::uint64_t kPairs = 64 * 65;
  const auto paired = [](std::string_view variant) { return charged(variant, kNever, 0, kPairs, "pair"); };
  EXPECT_EQ(paired("g0-v0"), (Counts{0, 0}));
  EXPECT_EQ(paired("g0-v1"), (Counts{0, 0}));
  EXPECT_EQ(paired("g2-v3"), (Counts{2 * kPairs / 64, 0}));
  EXPECT_EQ(paired("g3-v3b"), (Counts{2 * kPairs / 65, 0}));
  EXPECT_EQ(paired("g3-v4b"), (Counts{kLevels * 2 * kPairs / 64, kLevels * 2 * kPairs / 64}));
  EXPECT_EQ(paired("percall7"), (Counts{kLevels * 2 * kPairs / 64, kLevels * 2 * kPairs}));
  EXPECT_EQ(charged("packed6", kNever, 1, kPairs, "pair"), (Counts{0, 0}));  // V7, but for the first
}

// No LOCK once more than 64 updates per online CPU have come, whatever follows (section 3.7).
TEST(UpdateRules, SaturatesJustAboveTheThreshold) {
  for (const unsigned online : {1u, 4u, 256u})
    for (const char* variant : {"g3-v4", "g3-v4b", "g5-v4b", "g5-v5", "percall7"}) {
      const std::uint64_t threshold = std::uint64_t{64} * online;
      EXPECT_EQ(charged(variant, online, 0, threshold + 64).locked, kLevels * (online + 1)) << variant;
      EXPECT_EQ(charged(variant, online, threshold + 64, 1000).locked, 0u) << variant;
      Workload workload;
      workload.online_cpus = online;
      Simulation simulation(variant_named(variant), workload, 1);
      const auto phase = [&] { return simulation.variant().phase(simulation.state()); };
      for (std::uint64_t i = 0; i < threshold + 63; ++i) simulation.run("charge", 0);
      EXPECT_EQ(phase(), Phase::kAccumulating) << variant;
      simulation.run("charge", 0);
      EXPECT_EQ(phase(), Phase::kSaturated) << variant;
      simulation.run("flush", 0);
      EXPECT_EQ(phase(), Phase::kAccumulating) << variant;
    }
}

TEST(UpdateRules, PhasesOfTheOlderGenerations) {
  for (const char* variant : {"g0-v0", "g0-v1"}) {
    Simulation simulation(variant_named(variant), Workload{}, 1);
    for (int i = 0; i < 1000; ++i) simulation.run("charge", 0);
    EXPECT_EQ(simulation.variant().phase(simulation.state()), Phase::kNone) << variant;
  }
  Simulation simulation(variant_named("g2-v3"), Workload{}, 1);
  const auto phase = [&] { return simulation.variant().phase(simulation.state()); };
  for (int i = 0; i < 127; ++i) simulation.run("charge", 0);
  EXPECT_EQ(phase(), Phase::kAccumulating);  // more than one batch for the one CPU is two
  simulation.run("charge", 0);
  EXPECT_EQ(phase(), Phase::kSaturated);
  simulation.run("flush", 0);
  EXPECT_EQ(phase(), Phase::kAccumulating);
}

}  // namespace
}  // namespace hitmark::memcg
