// One core's time: what overlaps, what waits, what an instruction costs. The generic Rome at 3.3 GHz.
#include <gtest/gtest.h>

#include <stdexcept>

#include "harness/simulator/engine/rig.hpp"

namespace hitmark::simulator {
namespace {

constexpr Picoseconds kInstruction = 121;  // 1 / (3.3 GHz x 2.5)
constexpr Picoseconds kDram = 91'300, kL2 = 3'636, kL1 = 1'212, kWalk = 13'030, kTlbL2 = 2'121, kLock = 5'455;

// One CPU; huge pages, so that one translation serves all. `body` is timed from a warm TLB on, in both modes.
Picoseconds time_of_body(const std::function<void(Rig&)>& body, MachineModel machine = {}) {
  Picoseconds times[2];
  for (const bool run_ahead : {true, false}) {
    Rig rig({.machine = machine, .lines = 4096, .os_cpus = {0}, .huge = true});
    Engine& engine = rig.reset({.run_ahead = run_ahead, .shared_lines = {}});
    Picoseconds begin = 0;
    EXPECT_TRUE(engine.run([&](unsigned) {
      rig.locked_add(0, 4095 * 64, std::uint64_t{1});
      begin = engine.now(0);
      body(rig);
    }));
    times[run_ahead] = engine.now(0) - begin;
  }
  EXPECT_EQ(times[0], times[1]);
  return times[1];
}

TEST(Core, HitsCostTheirInstruction) {
  EXPECT_EQ(time_of_body([](Rig& rig) {
              rig.locked_add(0, 0, std::uint64_t{1});
              for (int i = 0; i < 100; ++i) rig.load(0, 0);
              for (int i = 0; i < 100; ++i) rig.store(0, 8, std::uint64_t{1});
            }),
            kInstruction * 201 + kDram + kLock);
}

TEST(Core, IndependentMissesOverlapUpToTheLimit) {
  const auto loads = [](unsigned count) {
    return time_of_body([count](Rig& rig) {
      for (unsigned i = 0; i < count; ++i) rig.load(0, i * 64);
    });
  };
  EXPECT_EQ(loads(1), kInstruction + kDram);
  EXPECT_GE(loads(7), 7 * kInstruction + kDram);
  EXPECT_LE(loads(7), 7 * kInstruction + kDram + 10 * 1'364) << "but for the link, which carries a line in 1.36 ns";
  EXPECT_GT(loads(9), 2 * kDram) << "the eighth takes the last place, the ninth waits for the first";
  EXPECT_LT(loads(14), 2 * kDram + kDram / 2);
}

TEST(Core, PointersAreFollowedOneByOne) {
  const auto chase = [](std::size_t stride, std::size_t nodes, unsigned steps) {
    return time_of_body([=](Rig& rig) {
      for (std::size_t i = 0; i < nodes; ++i) rig.at(i * stride) = rig.base() + (i + 1) % nodes * stride;
      std::size_t at = 0;
      for (unsigned i = 0; i < steps; ++i) at = rig.load(0, at) - rig.base();
    });
  };
  EXPECT_EQ(chase(64, 2000, 100), kInstruction + 100 * kDram);
  // Second time round: 16 lines from the L1, 1024 lines (64 KiB) from the L2.
  EXPECT_NEAR(static_cast<double>(chase(64, 16, 2016) - chase(64, 16, 1016)), 1000.0 * kL1, 250.0 * kL1);
  EXPECT_EQ(chase(64, 1024, 4000) - chase(64, 1024, 3000), 1000 * kL2);
}

TEST(Core, StoresAreWaitedForWhenTheBufferIsFull) {
  const auto stores = [](unsigned count) {
    Picoseconds dispatched = 0;
    time_of_body([&](Rig& rig) {
      const Picoseconds begin = rig.engine().now(0);
      for (unsigned i = 0; i < count; ++i) rig.store(0, i * 64, std::uint64_t{1});
      dispatched = rig.engine().now(0) - begin;
    });
    return dispatched;
  };
  EXPECT_EQ(stores(48), 48 * kInstruction);
  EXPECT_EQ(stores(49), kInstruction + kDram) << "the first has left";
}

TEST(Core, ALockedOperationDrainsTheStores) {
  EXPECT_EQ(time_of_body([](Rig& rig) {
              rig.locked_add(0, 64, std::uint64_t{1});  // here from now on
              rig.store(0, 0, std::uint64_t{1});
              rig.locked_add(0, 64, std::uint64_t{1});
            }),
            kInstruction + kDram + kLock + kInstruction + kDram + kLock)
      << "the second one's instruction passes while the store is on its way";
}

TEST(Core, StoredBytesAreForwardedOthersWaitForTheLine) {
  const auto load_after_store = [](std::size_t offset) {
    Picoseconds loaded = 0;
    time_of_body([&](Rig& rig) {
      const Picoseconds begin = rig.engine().now(0);
      rig.store(0, 0, std::uint64_t{1});
      rig.load(0, offset);
      rig.engine().on_relax(0);
      loaded = rig.engine().now(0) - begin;
    });
    return loaded;
  };
  const Picoseconds pause = 19'697, forward = 2'121;
  EXPECT_EQ(load_after_store(0), 2 * kInstruction + forward + pause);
  EXPECT_EQ(load_after_store(8), kInstruction + kDram + pause);
}

TEST(Core, RunsAWindowPastALoad) {
  MachineModel machine;
  const auto with = [&](double instructions) {
    return time_of_body(
        [=](Rig& rig) {
          rig.load(0, 0);
          rig.engine().spend_instructions(0, 2 + instructions);  // two accesses are made
          rig.engine().spend_instructions(0, 1000);
        },
        machine);
  };
  // 224 instructions (27 ns) pass under the load, the rest after it.
  const double per_instruction = 1000 / 3.3 / 2.5;
  EXPECT_NEAR(static_cast<double>(with(0)), kInstruction + kDram + (1000 - 224) * per_instruction, 2 * kInstruction);
  EXPECT_EQ(with(101) - with(1), static_cast<Picoseconds>(100 * per_instruction));
}

TEST(Core, AnAccessIsPartOfTheInstructionsSpentAfterIt) {
  EXPECT_EQ(time_of_body([](Rig& rig) {
              rig.locked_add(0, 0, std::uint64_t{1});
              for (int i = 0; i < 9; ++i) rig.load(0, 0);
              rig.engine().spend_instructions(0, 1000 + 1);  // and the one that warmed the TLB
            }),
            static_cast<Picoseconds>(kDram + kLock + 10 * kInstruction + (1001 - 11) * (1000 / 3.3 / 2.5)));
}

TEST(Core, TwoThreadsShareTheCore) {
  const auto run = [](std::vector<unsigned> cpus) {
    Rig rig({.os_cpus = cpus});
    EXPECT_TRUE(rig.engine().run([&](unsigned cpu) { rig.engine().spend_instructions(cpu, 33'000); }));
    return rig.engine().now(0);
  };
  EXPECT_EQ(run({0}), 4'000'000u);
  EXPECT_EQ(run({0, 1}), 4'000'000u);
  EXPECT_EQ(run({0, 128}), 8'000'000u);
  // Alone again when the other has finished.
  Rig rig({.os_cpus = {0, 128}});
  Picoseconds last = 0;
  EXPECT_TRUE(rig.engine().run([&](unsigned cpu) {
    rig.engine().spend(cpu, cpu == 0 ? 0 : 1);
    if (cpu == 1) return;
    rig.engine().on_relax(0);
    const Picoseconds begin = rig.engine().now(0);
    rig.engine().spend_instructions(0, 33'000);
    last = rig.engine().now(0) - begin;
  }));
  EXPECT_EQ(last, 4'000'000u);
}

TEST(Core, CountsAndPaysForTranslations) {
  Rig rig({.lines = 64 * 100, .os_cpus = {0}});
  Engine& engine = rig.engine();
  ASSERT_TRUE(engine.run([&](unsigned) {
    for (unsigned round = 0; round < 2; ++round)  // 65 pages do not fit into 64 entries, but into the L2
      for (unsigned page = 0; page < 65; ++page) rig.locked_add(0, page * 4096, std::uint64_t{1});
  }));
  EXPECT_EQ(rig.total().dtlb_walks, 65u);
  EXPECT_EQ(rig.total().dtlb_l2_hits, 65u);
  // 65 lines, one in each page, are all in the same L1 set: the second round hits the L2.
  EXPECT_EQ(rig.total().l2, 65u);
  EXPECT_EQ(engine.now(0), 65 * (kWalk + kDram) + 65 * (kTlbL2 + kL2) + 130 * (kInstruction + kLock));
}

TEST(Run, MayBeRepeatedAndTellsWhatABodyThrows) {
  Rig rig({.os_cpus = {0, 4, 8}});
  Engine& engine = rig.engine();
  EXPECT_THROW(engine.run([](unsigned cpu) {
    if (cpu == 1) throw std::runtime_error("a body's");
  }),
               std::runtime_error);
  EXPECT_TRUE(engine.run([&](unsigned cpu) { engine.spend(cpu, cpu * 1000); }));
  Picoseconds start[3];
  EXPECT_TRUE(engine.run([&](unsigned cpu) { start[cpu] = engine.now(cpu); }));
  for (const Picoseconds time : start) EXPECT_EQ(time, 2000u);
}

// One CPU spins on what another writes later, with and without saying so.
TEST(Run, LetsASpinningCpuSeeWhatOthersWrite) {
  for (const bool relax : {true, false})
    for (const bool run_ahead : {true, false}) {
      Rig rig({.os_cpus = {0, 4}});
      std::vector<bool> shared;
      for (unsigned tries = 0; tries < 3; ++tries) {
        Engine& engine = rig.reset({.run_ahead = run_ahead, .shared_lines = shared});
        const bool fine = engine.run([&](unsigned cpu) {
          if (cpu == 0) {
            while (rig.load(0, 0) == 0)
              if (relax) engine.on_relax(0);
          } else {
            engine.spend(1, 2'000'000);
            rig.store(1, 0, std::uint64_t{1});
          }
        });
        shared = engine.shared_lines();
        if (!fine) continue;
        EXPECT_GE(engine.now(0), 2'000'000u);
        EXPECT_LE(engine.now(0), 2'600'000u);
        break;
      }
      EXPECT_FALSE(rig.engine().surprised());
    }
}

}  // namespace
}  // namespace hitmark::simulator
