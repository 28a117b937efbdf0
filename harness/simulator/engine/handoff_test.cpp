// Lines that CPUs take from each other: periods and counts worked out by hand from the path model's legs.
#include <gtest/gtest.h>

#include "harness/simulator/engine/rig.hpp"

namespace hitmark::simulator {
namespace {

// The generic Rome at 3.3 GHz: F is 80 cycles and 75 ns.
constexpr Picoseconds kFixed = 24'242 + 75'000, kInCcx = 25'455, kSmt = 8'182;

struct Pair {
  const char* name;
  unsigned a, b;  // CPUs
  Home home;
  Picoseconds period;
};

class Handoff : public testing::TestWithParam<Pair> {};

// Each CPU waits for its number with compare-and-swap alone, as the published matrices do.
TEST_P(Handoff, OfCompareAndSwapTakesThePathModelsTime) {
  const Pair& pair = GetParam();
  for (const bool run_ahead : {true, false}) {
    Rig rig({.os_cpus = {pair.a, pair.b}, .home = [&](Line) { return pair.home; }});
    rig.reset({.run_ahead = run_ahead, .shared_lines = std::vector<bool>(64, true)});
    std::vector<Picoseconds> done[2];
    ASSERT_TRUE(rig.engine().run([&](unsigned cpu) {
      for (unsigned i = 0; i < 50; ++i) {
        while (!rig.compare_and_swap<std::uint64_t>(cpu, 0, cpu, 1 - cpu)) continue;
        done[cpu].push_back(rig.engine().now(cpu));
      }
    }));
    for (unsigned i = 10; i < 49; ++i)  // a round trip is two hand-offs
      for (const auto& times : done) EXPECT_EQ(times[i + 1] - times[i], 2 * pair.period) << i;
  }
}

const Home kNear{0, 0, 0}, kShort{0, 1, 0}, kDiagonal{0, 3, 0}, kOther{1, 0, 0};

INSTANTIATE_TEST_SUITE_P(Every, Handoff,
                         testing::Values(Pair{"smt", 0, 128, kNear, kSmt}, Pair{"same_ccx", 0, 1, kNear, kInCcx},
                                         Pair{"same_ccx_remote_home", 0, 3, kOther, kInCcx},
                                         Pair{"same_ccd", 0, 4, kNear, kFixed},
                                         Pair{"same_quadrant", 0, 12, kNear, kFixed},
                                         Pair{"same_quadrant_far_home", 0, 12, kDiagonal, kFixed + 2 * 16'000},
                                         Pair{"short", 0, 16, kNear, kFixed + 4'000 + 5'800},
                                         Pair{"short_home_there", 0, 16, kShort, kFixed + 4'000 + 5'800},
                                         Pair{"diagonal", 0, 48, kNear, kFixed + 16'000 + 23'300},
                                         Pair{"remote_home", 0, 12, kOther, kFixed + 2 * 60'000},
                                         Pair{"across_sockets", 0, 64, kNear, kFixed + 60'000 + 67'000},
                                         Pair{"across_sockets_diagonal", 0, 112, kNear, kFixed + 60'000 + 67'000}),
                         [](const auto& test) { return std::string(test.param.name); });

// After one write the other thread takes the line once; then both have it, and reading in turn costs nothing.
TEST(SmtHandoff, HappensOnceAWriteHoweverOftenBothThreadsRead) {
  for (const bool run_ahead : {true, false}) {
    Rig rig({.os_cpus = {0, 128}});
    rig.reset({.run_ahead = run_ahead, .shared_lines = std::vector<bool>(64, true)});
    ASSERT_TRUE(rig.engine().run([&](unsigned cpu) {
      if (cpu == 0) rig.store<std::uint64_t>(cpu, 0, 1);
      for (unsigned i = 0; i < 100; ++i) rig.load<std::uint64_t>(cpu, 0);
    }));
    std::uint64_t smt = 0;
    for (const Engine::Row& row : rig.engine().traffic()) smt += row.traffic.smt;
    EXPECT_LE(smt, 1u) << run_ahead;
  }
}

Picoseconds time_per_add(const std::vector<unsigned>& cpus) {
  constexpr unsigned kAdds = 60, kSkip = 20;
  Rig rig({.os_cpus = cpus});
  rig.reset({.shared_lines = std::vector<bool>(64, true)});
  std::vector<Picoseconds> begin(cpus.size()), end(cpus.size());
  EXPECT_TRUE(rig.engine().run([&](unsigned cpu) {
    for (unsigned i = 0; i < kAdds; ++i) {
      if (i == kSkip) begin[cpu] = rig.engine().now(cpu);
      if (i == kAdds - 10) end[cpu] = rig.engine().now(cpu);  // the last ones have less company
      rig.locked_add(cpu, 0, std::uint64_t{1});
    }
  }));
  EXPECT_EQ(rig.at(0), kAdds * cpus.size());
  return (end[0] - begin[0]) / (kAdds - 10 - kSkip);
}

// The home serves one at a time: each CPU waits for all the others.
TEST(Contention, CostsOneHandOffForEachCpu) {
  EXPECT_EQ(time_per_add({0, 1, 2, 3}), 4 * kInCcx);
  EXPECT_EQ(time_per_add({0, 4, 8, 12}), 4 * kFixed);
  std::vector<unsigned> quadrant;
  for (unsigned ccx = 0; ccx < 4; ++ccx) quadrant.push_back(ccx * 4);
  const Picoseconds four = time_per_add(quadrant);
  EXPECT_EQ(time_per_add({0, 4}), four / 2);
  // Eight CCXs of two quadrants, in turn: six hand-offs within a quadrant (the line's home is in the first, so those
  // of the second pay its r twice), two between them.
  const Picoseconds two_quadrants = 3 * kFixed + 3 * (kFixed + 2 * 4'000) + 2 * (kFixed + 4'000 + 5'800);
  EXPECT_EQ(time_per_add({0, 4, 8, 12, 16, 20, 24, 28}), two_quadrants);
}

TEST(Contention, OfTwoCoresInLockstepIsOneInvalidationPerIncrement) {
  for (const unsigned other : {1u, 4u, 64u}) {
    Rig rig({.os_cpus = {0, other}});
    Engine& engine = rig.reset({.shared_lines = std::vector<bool>(64, true)});
    constexpr unsigned kAdds = 1000;
    const auto adds = [&](unsigned cpu) {
      for (unsigned i = 0; i < kAdds; ++i) rig.locked_add(cpu, 0, std::uint64_t{1});
    };
    ASSERT_TRUE(engine.run(adds));
    engine.clear_traffic();
    ASSERT_TRUE(engine.run(adds));
    const Traffic t = rig.total();
    EXPECT_EQ(t.invalidations_suffered, 2 * kAdds);
    EXPECT_EQ(t.locked, 2 * kAdds);
    EXPECT_EQ(t.hitm_true, 2 * kAdds);
    EXPECT_EQ(t.from_modified, 2 * kAdds);
    EXPECT_EQ(t.true_sharing, 2 * kAdds);
    EXPECT_EQ(t.false_sharing, 0u);
    EXPECT_EQ(t.hitm_ibs, 0u) << "no loads";
    EXPECT_EQ(t.ccx_dirty, other == 1 ? 2 * kAdds : 0);
    EXPECT_EQ(t.quadrant, other == 4 ? 2 * kAdds : 0);
    EXPECT_EQ(t.cross_socket, other == 64 ? 2 * kAdds : 0);
    EXPECT_EQ(t.l1, 0u);
  }
}

TEST(Sharing, IsFalseWhenTheBytesAreOthers) {
  Rig rig({.os_cpus = {0, 4}});
  Engine& engine = rig.reset({.shared_lines = std::vector<bool>(64, true)});
  const auto adds = [&](unsigned cpu) {
    for (unsigned i = 0; i < 100; ++i) rig.locked_add(cpu, cpu * 8, std::uint64_t{1});
  };
  ASSERT_TRUE(engine.run(adds));
  const Traffic t = rig.total();
  EXPECT_EQ(t.true_sharing, 0u);
  EXPECT_EQ(t.false_sharing, 199u);
  EXPECT_EQ(t.invalidations_suffered, 199u);
  for (const Engine::Row& row : engine.traffic()) EXPECT_EQ(row.offset, row.cpu * 8);
}

// The directory has one entry, so that the access of another line recalls what CPU 0 has written. What it reads then is
// a new stay, in which it has written nothing.
TEST(Sharing, BeginsAnewAfterARecall) {
  MachineModel machine;
  machine.protocol.directory_entries = 1;
  Rig rig({.machine = machine, .os_cpus = {0, 4}});
  for (const bool run_ahead : {false, true}) {
    Engine& engine = rig.reset({.run_ahead = run_ahead, .shared_lines = std::vector<bool>(64, run_ahead)});
    ASSERT_TRUE(engine.run([&](unsigned cpu) {
      if (cpu == 1) {
        engine.spend(cpu, 10'000'000);
        rig.load(cpu, 0);
        return;
      }
      rig.locked_add(cpu, 0, std::uint64_t{1});
      rig.locked_add(cpu, 64, std::uint64_t{1});
      rig.load(cpu, 8);
    }));
    const Traffic t = rig.total();
    EXPECT_EQ(t.recalls_suffered, 2u);
    EXPECT_EQ(t.quadrant, 1u);
    EXPECT_EQ(t.true_sharing, 0u);
    EXPECT_EQ(t.no_conflict, 1u);
  }
}

// The writer has the line in M; a reader takes it to O.
TEST(Hitm, IsWhatIbsSeesWhenTheHomeIsNear) {
  struct Case {
    unsigned reader;
    Home home;
    std::uint64_t ibs, near, far, ccx, across;
  };
  for (const Case& k :
       {Case{1, kNear, 1, 0, 0, 1, 0}, Case{1, kOther, 1, 0, 0, 1, 0}, Case{4, kNear, 1, 1, 0, 0, 0},
        Case{4, kOther, 0, 0, 1, 0, 0}, Case{64, kNear, 0, 0, 1, 0, 1}, Case{64, kOther, 1, 1, 0, 0, 1}}) {
    Rig rig({.os_cpus = {0, k.reader}, .home = [&](Line) { return k.home; }});
    Engine& engine = rig.reset({.shared_lines = std::vector<bool>(64, true)});
    ASSERT_TRUE(engine.run([&](unsigned cpu) {
      if (cpu == 0) rig.store(cpu, 0, std::uint64_t{1});
      if (cpu == 1) {
        engine.spend(cpu, 1'000'000);
        rig.load(cpu, 0);
      }
    }));
    const Traffic t = rig.total(1);
    EXPECT_EQ(t.hitm_true, 1u);
    EXPECT_EQ(t.hitm_ibs, k.ibs);
    EXPECT_EQ(t.hitm_home_local, k.near);
    EXPECT_EQ(t.hitm_home_remote, k.far);
    EXPECT_EQ(t.hitm_ccx, k.ccx);
    EXPECT_EQ(t.hitm_cross_socket, k.across);
    EXPECT_EQ(t.fill_lcl_cache, k.ccx + k.near);
    EXPECT_EQ(t.fill_rmt_cache, k.far);
    EXPECT_EQ(t.rd_blk_l, 1u);
    EXPECT_EQ(t.true_sharing, 1u);
  }
}

// Read, then written: 1.15 hand-offs and one without its data leg.
TEST(Handoff, OfAFlagIsAReadAndAnUpgrade) {
  Rig rig({.os_cpus = {0, 4}});
  Engine& engine = rig.reset({.shared_lines = std::vector<bool>(64, true)});
  Picoseconds read = 0, upgraded = 0;
  ASSERT_TRUE(engine.run([&](unsigned cpu) {
    if (cpu == 0) rig.store(cpu, 0, std::uint64_t{1});
    if (cpu == 0) return;
    rig.store(cpu, 64 * 8, std::uint64_t{1});  // its page's translation
    engine.spend(cpu, 1'000'000);
    const Picoseconds begin = engine.now(cpu);
    rig.load(cpu, 0);
    engine.on_relax(cpu);  // waits for it
    read = engine.now(cpu) - begin;
    const Picoseconds second = engine.now(cpu);
    rig.locked_add(cpu, 0, std::uint64_t{1});
    upgraded = engine.now(cpu) - second;
  }));
  const Picoseconds instruction = 121, pause = 19'697, lock = 5'455;
  EXPECT_EQ(read, instruction + static_cast<Picoseconds>(kFixed * 1.15 + 0.5) + pause);
  EXPECT_EQ(upgraded, instruction + kFixed - 10'000 + lock);
  EXPECT_EQ(rig.total(1).upgrades, 1u);
  EXPECT_EQ(rig.total(1).upgrades_at_home, 1u);
}

}  // namespace
}  // namespace hitmark::simulator
