// Each transition of the reference's table, by name, on a Rome: what the engine is told.
#include "harness/simulator/memory/coherent_memory.hpp"

#include <gtest/gtest.h>

namespace hitmark::simulator {
namespace {

using enum LineState;

// Cores 0 to 3 are CCX 0, 4 to 7 CCX 1, ...
class Transition : public testing::Test {
 protected:
  explicit Transition(ProtocolSwitches switches = {}) : memory_(machine_with(switches), std::vector<Home>(1 << 16)) {}
  static MachineModel machine_with(const ProtocolSwitches& switches) {
    MachineModel machine;
    machine.protocol = switches;
    return machine;
  }
  void start(const ProtocolSwitches& switches) {
    memory_ = CoherentMemory(machine_with(switches), std::vector<Home>(1 << 16));
  }
  const Outcome& load(unsigned core, Line line = kLine) { return access(core, line, false); }
  const Outcome& store(unsigned core, Line line = kLine) { return access(core, line, true); }
  const Outcome& access(unsigned core, Line line, bool write) {
    memory_.access(core, line, write, now_);
    return now_;
  }
  // Reads lines that share the sets of kLine until the L2 has let it go.
  void push_to_l3(unsigned core) {
    for (unsigned n = 1; n < 60 && memory_.in_l2(core, kLine); ++n) load(core, kLine + 1024 * n);
    ASSERT_FALSE(memory_.in_l2(core, kLine));
  }
  CoreSet cores(std::initializer_list<unsigned> list) {
    CoreSet set;
    for (const unsigned core : list) set.set(core);
    return set;
  }
  void TearDown() override { EXPECT_EQ(memory_.violated_invariant(), ""); }

  static constexpr Line kLine = 7;
  CoherentMemory memory_;
  Outcome now_;
};

TEST_F(Transition, FirstLoadComesFromDramExclusive) {
  EXPECT_EQ(load(0).served, Served::kDram);
  EXPECT_EQ(now_.granted, kE);
  EXPECT_TRUE(now_.home_asked);
  EXPECT_EQ(now_.probed_ccxs, 0u);
  EXPECT_EQ(memory_.directory(kLine).kind, DirectoryKind::kExclusive);
}

TEST_F(Transition, FirstStoreComesFromDramModified) {
  EXPECT_EQ(store(0).served, Served::kDram);
  EXPECT_EQ(now_.granted, kM);
}

TEST_F(Transition, StoreToExclusiveIsSilent) {
  load(0);
  EXPECT_EQ(store(0).served, Served::kL1);
  EXPECT_FALSE(now_.home_asked);
  EXPECT_EQ(memory_.state(0, kLine), kM);
}

TEST_F(Transition, LoadOfModifiedInTheSameCcxLeavesItDirtyThere) {
  store(0);
  EXPECT_EQ(load(1).served, Served::kCore);
  EXPECT_FALSE(now_.home_asked);
  EXPECT_EQ(now_.supplied_from, kM);
  EXPECT_EQ(now_.supplier, 0);
  EXPECT_EQ(memory_.state(0, kLine), kO);
  EXPECT_EQ(memory_.state(1, kLine), kS);
}

TEST_F(Transition, LoadOfExclusiveInTheSameCcxShares) {
  load(0);
  EXPECT_EQ(load(1).served, Served::kCore);
  EXPECT_EQ(now_.supplied_from, kE);
  EXPECT_EQ(memory_.state(0, kLine), kS);
  EXPECT_EQ(memory_.state(1, kLine), kS);
}

TEST_F(Transition, StoreInACcxThatIsAloneAsksNoHome) {
  store(0);
  load(1);
  load(2);
  EXPECT_EQ(store(1).served, Served::kUpgrade);
  EXPECT_FALSE(now_.home_asked);
  EXPECT_EQ(now_.invalidated, cores({0, 2}));
  EXPECT_EQ(store(3).served, Served::kCore);
  EXPECT_FALSE(now_.home_asked);
  EXPECT_EQ(now_.invalidated, cores({1}));
}

TEST_F(Transition, LoadOfModifiedInAnotherCcxGoesByTheHomeWithoutAWriteBack) {
  store(0);
  EXPECT_EQ(load(4).served, Served::kRemoteCcx);
  EXPECT_TRUE(now_.home_asked);
  EXPECT_EQ(now_.supplied_from, kM);
  EXPECT_EQ(now_.supplier, 0);
  EXPECT_EQ(now_.supplier_core, 0);
  EXPECT_EQ(now_.probed_ccxs, 1u);
  EXPECT_EQ(memory_.state(0, kLine), kO);
  EXPECT_EQ(memory_.state(4, kLine), kS);
  EXPECT_EQ(memory_.directory(kLine).kind, DirectoryKind::kOwned);
}

TEST_F(Transition, LoadOfOwnedInAnotherCcxIsSuppliedByTheOwner) {
  store(0);
  load(4);
  EXPECT_EQ(load(8).served, Served::kRemoteCcx);
  EXPECT_EQ(now_.supplied_from, kO);
  EXPECT_EQ(now_.supplier, 0);
  EXPECT_EQ(memory_.state(0, kLine), kO);
}

TEST_F(Transition, LoadOfExclusiveInAnotherCcxIsProbed) {
  load(0);
  EXPECT_EQ(load(4).served, Served::kRemoteCcx);
  EXPECT_EQ(now_.supplied_from, kE);
  EXPECT_EQ(memory_.state(0, kLine), kS);
  EXPECT_EQ(memory_.directory(kLine).kind, DirectoryKind::kShared);
}

TEST_F(Transition, LoadOfSharedComesFromDram) {
  load(0);
  load(4);
  EXPECT_EQ(load(8).served, Served::kDram);
  EXPECT_EQ(now_.granted, kS);
  EXPECT_EQ(now_.probed_ccxs, 0u);
}

TEST_F(Transition, ForwarderAnswersForShared) {
  start({.forwarder = true});
  load(0);
  load(4);
  EXPECT_EQ(memory_.state(0, kLine), kF);
  EXPECT_EQ(load(8).served, Served::kRemoteCcx);
  EXPECT_EQ(now_.supplied_from, kF);
  EXPECT_EQ(now_.supplier, 0);
}

TEST_F(Transition, MigratoryLoadTakesModifiedAway) {
  start({.migratory = true});
  store(0);
  EXPECT_EQ(load(4).served, Served::kRemoteCcx);
  EXPECT_EQ(now_.granted, kM);
  EXPECT_EQ(now_.invalidated, cores({0}));
  EXPECT_EQ(store(4).served, Served::kL1);
  EXPECT_EQ(load(5).served, Served::kCore);  // now shared inside a CCX, so no longer migratory
  EXPECT_EQ(load(8).granted, kS);
}

TEST_F(Transition, StoreToModifiedInAnotherCcxMovesDirtyData) {
  store(0);
  EXPECT_EQ(store(4).served, Served::kRemoteCcx);
  EXPECT_EQ(now_.supplied_from, kM);
  EXPECT_EQ(now_.invalidated, cores({0}));
  EXPECT_EQ(memory_.state(0, kLine), kI);
  EXPECT_EQ(memory_.state(4, kLine), kM);
}

TEST_F(Transition, StoreToSharedInvalidatesExactlyTheSharers) {
  store(0);
  load(4);
  load(64);
  EXPECT_EQ(store(4).served, Served::kUpgrade);
  EXPECT_TRUE(now_.home_asked);
  EXPECT_FALSE(now_.broadcast);
  EXPECT_EQ(now_.probed_ccxs, 1u | 1u << 16);
  EXPECT_EQ(now_.invalidated, cores({0, 64}));
  EXPECT_EQ(memory_.state(4, kLine), kM);
}

TEST_F(Transition, StoreToOwnOwnedInvalidatesTheSharers) {
  store(0);
  load(4);
  EXPECT_EQ(store(0).served, Served::kUpgrade);
  EXPECT_EQ(now_.probed_ccxs, 2u);
  EXPECT_EQ(now_.invalidated, cores({4}));
}

TEST_F(Transition, StoreToUnknownSharersIsABroadcast) {
  start({.precise = false});
  store(0);
  load(4);
  EXPECT_EQ(store(4).served, Served::kUpgrade);
  EXPECT_TRUE(now_.broadcast);
  EXPECT_EQ(now_.probed_ccxs, ~2u);
  EXPECT_EQ(now_.invalidated, cores({0}));
  store(8);  // of a sole owner the home knows
  EXPECT_FALSE(now_.broadcast);
  EXPECT_EQ(now_.probed_ccxs, 2u);
}

TEST_F(Transition, StoreWithDataInTheCcxGetsOnlyOwnershipFromTheHome) {
  load(0);
  load(4);
  EXPECT_EQ(store(1).served, Served::kCore);
  EXPECT_TRUE(now_.home_asked);
  EXPECT_EQ(now_.invalidated, cores({0, 4}));
}

TEST_F(Transition, L2VictimKeepsItsStateInTheL3) {
  store(0);
  push_to_l3(0);
  EXPECT_TRUE(now_.l2_victim.happened);
  EXPECT_EQ(now_.l2_victim.line, kLine);
  EXPECT_FALSE(now_.l2_victim.written_back);
  EXPECT_EQ(memory_.l3_state(0, kLine), kM);
  EXPECT_EQ(memory_.state(0, kLine), kI);
  EXPECT_FALSE(memory_.in_l1(0, kLine));
  EXPECT_EQ(load(1).served, Served::kL3);  // and it moves up
  EXPECT_FALSE(now_.home_asked);
  EXPECT_EQ(now_.supplied_from, kM);
  EXPECT_EQ(now_.granted, kM);
  EXPECT_EQ(memory_.l3_state(0, kLine), kI);
}

TEST_F(Transition, L3KeepsALineThatSeveralCoresUse) {
  load(0);
  load(1);
  push_to_l3(0);
  EXPECT_EQ(load(0).served, Served::kL3);
  EXPECT_EQ(now_.granted, kS);
  EXPECT_EQ(memory_.l3_state(0, kLine), kS);
}

TEST_F(Transition, L3SuppliesAnotherCcx) {
  store(0);
  push_to_l3(0);
  EXPECT_EQ(load(4).served, Served::kRemoteCcx);
  EXPECT_EQ(now_.supplied_from, kM);
  EXPECT_EQ(now_.supplier_core, -1);
  EXPECT_EQ(memory_.l3_state(0, kLine), kO);
  store(4);
  EXPECT_EQ(memory_.l3_state(0, kLine), kI);
}

class TinyTransition : public Transition {
 protected:
  static MachineModel tiny(const ProtocolSwitches& switches, unsigned l3_ways = 1) {
    MachineModel machine = machine_with(switches);
    machine.l1 = machine.l2 = CacheGeometry{1, 1};
    machine.l3 = CacheGeometry{1, l3_ways};
    return machine;
  }
  void start_tiny(const ProtocolSwitches& switches, unsigned l3_ways = 1) {
    memory_ = CoherentMemory(tiny(switches, l3_ways), std::vector<Home>(16));
  }
};

TEST_F(TinyTransition, L3VictimThatIsDirtyIsWrittenBackAndAnnounced) {
  start_tiny({});
  store(0, 1);
  load(0, 2);
  EXPECT_FALSE(now_.l3_victim.happened);
  load(0, 3);
  EXPECT_TRUE(now_.l3_victim.happened);
  EXPECT_EQ(now_.l3_victim.line, 1u);
  EXPECT_TRUE(now_.l3_victim.written_back);
  EXPECT_EQ(memory_.directory(1).kind, DirectoryKind::kUncached);
  load(0, 4);
  EXPECT_EQ(now_.l3_victim.line, 2u);
  EXPECT_FALSE(now_.l3_victim.written_back);
  EXPECT_EQ(load(4, 1).served, Served::kDram);
}

TEST_F(TinyTransition, OwnedThatLeavesItsL3LeavesTheSharersToDram) {
  start_tiny({});
  store(0, 1);
  load(4, 1);
  load(0, 2);
  load(0, 3);
  EXPECT_TRUE(now_.l3_victim.written_back);
  EXPECT_EQ(memory_.directory(1).kind, DirectoryKind::kShared);
  EXPECT_EQ(load(8, 1).served, Served::kDram);
}

TEST_F(TinyTransition, WithoutAnL3TheL2VictimIsWrittenBack) {
  start_tiny({}, 0);
  store(0, 1);
  load(0, 2);
  EXPECT_TRUE(now_.l2_victim.happened);
  EXPECT_TRUE(now_.l2_victim.written_back);
  EXPECT_EQ(load(0, 1).served, Served::kDram);
}

TEST_F(TinyTransition, FullDirectoryRecallsItsOldestLineEverywhere) {
  start({.directory_entries = 2});
  store(0, 1);
  load(4, 1);
  load(8, 2);
  load(8, 1);  // used again, but no younger
  load(8, 3);
  EXPECT_TRUE(now_.recall.happened);
  EXPECT_EQ(now_.recall.line, 1u);
  EXPECT_TRUE(now_.recall.written_back);
  EXPECT_EQ(now_.recall.invalidated, cores({0, 4, 8}));
  EXPECT_EQ(now_.invalidated, cores({}));
  EXPECT_EQ(load(0, 1).served, Served::kDram);
  EXPECT_EQ(now_.recall.line, 2u);
  EXPECT_FALSE(now_.recall.written_back);
}

TEST_F(TinyTransition, ChannelsHaveDirectoriesOfTheirOwn) {
  std::vector<Home> homes(4);
  homes[2] = {1, 3, 1};
  memory_ = CoherentMemory(machine_with({.directory_entries = 1}), homes);
  load(0, 1);
  EXPECT_FALSE(load(0, 2).recall.happened);
  EXPECT_EQ(load(0, 3).recall.line, 1u);
}

// Two cores in lockstep on one line: every increment takes the line from the other, exactly once.
TEST_F(Transition, TwoCoresThatIncrementInTurnInvalidateOncePerIncrement) {
  for (const unsigned other : {1u, 4u, 64u}) {
    store(0);
    std::size_t invalidations = 0, transfers = 0;
    for (unsigned n = 0; n < 1000; ++n) {
      const Outcome& outcome = store(n % 2 == 0 ? other : 0);
      invalidations += outcome.invalidated.count();
      transfers += dirty(outcome.supplied_from) ? 1 : 0;
    }
    EXPECT_EQ(invalidations, 1000u);
    EXPECT_EQ(transfers, 1000u);
  }
}

TEST_F(Transition, HitPathInStepsDoesWhatHitL1Does) {
  load(0);
  EXPECT_EQ(memory_.find_l1(1, kLine), -1);
  const int way = memory_.find_l1(0, kLine);
  ASSERT_GE(way, 0);
  EXPECT_TRUE(memory_.writable(0, kLine, way));
  memory_.touch_l1(0, kLine, way, true);
  EXPECT_EQ(memory_.state(0, kLine), kM);
  load(1);
  EXPECT_FALSE(memory_.writable(0, kLine, way));
  EXPECT_TRUE(memory_.hit_l1(0, kLine, false));
  EXPECT_FALSE(memory_.hit_l1(0, kLine, true));
  EXPECT_EQ(memory_.holders(kLine), cores({0, 1}));
  EXPECT_TRUE(memory_.in_l1(1, kLine));
  EXPECT_FALSE(memory_.in_l2(2, kLine));
  EXPECT_EQ(memory_.l1_set(64 + 7), 7u);
}

}  // namespace
}  // namespace hitmark::simulator
