// The pure rules, apart from any cache: every combination that can be, for every switch.
#include "harness/simulator/memory/protocol.hpp"

#include <gtest/gtest.h>

#include <bit>

namespace hitmark::simulator {
namespace {

using enum LineState;
constexpr LineState kStates[] = {kI, kS, kF, kE, kO, kM};

std::vector<ProtocolSwitches> all_switches() {
  std::vector<ProtocolSwitches> all;
  for (unsigned bits = 0; bits < 8; ++bits) all.push_back({(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, 0});
  return all;
}

// Whether copies in these states can be in one CCX.
bool can_be(const CcxView& view) {
  unsigned soles = 0, answering = 0, copies = 0;
  for (const LineState state : {view.own, view.core, view.l3}) {
    copies += state != kI ? 1 : 0;
    soles += sole(state) ? 1 : 0;
    answering += state == kO || state == kF ? 1 : 0;
  }
  if (copies == 0 && view.exclusive) return false;
  return answering <= 1 && (soles == 0 || (copies == 1 && view.exclusive));
}

// `core` is the greatest of the others, so a lesser one may be there too; the greatest says enough here.
std::vector<CcxView> all_views() {
  std::vector<CcxView> all;
  for (const LineState own : kStates)
    for (const LineState core : kStates)
      for (const LineState l3 : kStates)
        for (const bool exclusive : {false, true})
          if (const CcxView view{own, core, l3, exclusive}; can_be(view)) all.push_back(view);
  return all;
}

std::string text(const CcxView& view) {
  return std::string("own ") + to_string(view.own) + ", core " + to_string(view.core) + ", L3 " + to_string(view.l3) +
         (view.exclusive ? ", exclusive" : "");
}

void expect_data_from_a_holder(const CcxView& view, const CcxAction& action) {
  EXPECT_TRUE(action.source != Source::kOwn || view.own != kI) << text(view);
  EXPECT_TRUE(action.source != Source::kL3 || view.l3 != kI) << text(view);
  EXPECT_TRUE(action.source != Source::kCore || view.core != kI) << text(view);
  const bool nowhere = view.own == kI && view.core == kI && view.l3 == kI;
  EXPECT_EQ(action.source == Source::kHome, nowhere) << text(view);
}

TEST(Protocol, InACcxALoadFindsCurrentDataAndKeepsDirtyOnes) {
  unsigned seen = 0;
  for (const ProtocolSwitches& switches : all_switches()) {
    for (const CcxView& view : all_views()) {
      const CcxAction action = Protocol::in_ccx(Request::kLoad, view, switches);
      ++seen;
      expect_data_from_a_holder(view, action);
      EXPECT_EQ(action.home, action.source == Source::kHome ? HomeRequest::kRead : HomeRequest::kNone) << text(view);
      if (action.home != HomeRequest::kNone) continue;
      EXPECT_NE(action.own, kI);
      const CcxView after{action.own, action.core, action.l3, view.exclusive};
      EXPECT_TRUE(can_be(after)) << text(view) << " -> " << text(after);
      const auto any_dirty = [](const CcxView& v) { return dirty(v.own) || dirty(v.core) || dirty(v.l3); };
      EXPECT_EQ(any_dirty(after), any_dirty(view)) << text(view) << " -> " << text(after);
      const bool new_forwarder = after.core == kF && view.core != kF;
      EXPECT_TRUE(!new_forwarder || (switches.forwarder && view.core == kE)) << text(view);
      EXPECT_TRUE(view.core == kI || after.core != kI) << "a load took a copy away: " << text(view);
    }
  }
  EXPECT_GT(seen, 8u * 30u);
}

TEST(Protocol, InACcxAStoreLeavesOneCopyAndAsksTheHomeUnlessTheCcxIsAlone) {
  for (const ProtocolSwitches& switches : all_switches()) {
    for (const CcxView& view : all_views()) {
      const CcxAction action = Protocol::in_ccx(Request::kStore, view, switches);
      expect_data_from_a_holder(view, action);
      EXPECT_EQ(action.own, kM) << text(view);
      EXPECT_EQ(action.core, kI) << text(view);
      EXPECT_EQ(action.l3, kI) << text(view);
      const HomeRequest expected = action.source == Source::kHome ? HomeRequest::kReadForStore
                                   : view.exclusive               ? HomeRequest::kNone
                                                                  : HomeRequest::kChangeToDirty;
      EXPECT_EQ(action.home, expected) << text(view);
    }
  }
}

constexpr unsigned kCcxs = 3;
constexpr std::uint32_t kAll = (1u << kCcxs) - 1;

// What is true of the line, and what the directory has of it.
struct World {
  std::uint32_t holders;
  DirectoryEntry entry;
  LineState found;  // in the owner's CCX
  bool memory_current;
};

std::vector<World> all_worlds(const ProtocolSwitches& switches) {
  std::vector<World> all;
  const auto kept = [&](std::uint32_t sharers) { return switches.precise ? sharers : 0; };
  all.push_back({0, {}, kI, true});
  for (std::uint32_t holders = switches.precise ? 1 : 0; holders <= kAll; ++holders) {
    all.push_back({holders, {kept(holders), 0, DirectoryKind::kShared}, kI, true});
    for (std::uint8_t owner = 0; owner < kCcxs; ++owner) {
      if ((holders >> owner & 1) == 0) continue;
      all.push_back({holders, {kept(holders), owner, DirectoryKind::kOwned}, kO, false});
      if (switches.forwarder) all.push_back({holders, {kept(holders), owner, DirectoryKind::kForwarded}, kF, true});
      if (holders != 1u << owner) continue;
      for (const LineState found : {kS, kF, kE, kO, kM})
        all.push_back({holders, {kept(holders), owner, DirectoryKind::kExclusive}, found, !dirty(found)});
    }
  }
  return all;
}

std::string text(const World& world, unsigned ccx, const ProtocolSwitches& switches) {
  return "holders " + std::to_string(world.holders) + ", kind " + std::to_string(static_cast<int>(world.entry.kind)) +
         ", owner " + std::to_string(world.entry.owner) + " in " + to_string(world.found) + ", asked by " +
         std::to_string(ccx) + (switches.precise ? ", precise" : "") + (switches.forwarder ? ", forwarder" : "") +
         (switches.migratory ? ", migratory" : "");
}

template <typename Body>
void for_each_world(Body&& body) {
  unsigned seen = 0;
  for (const ProtocolSwitches& switches : all_switches())
    for (const World& world : all_worlds(switches))
      for (unsigned ccx = 0; ccx < kCcxs; ++ccx, ++seen) body(switches, world, ccx);
  EXPECT_GT(seen, 500u);
}

TEST(Protocol, TheHomeAnswersAReadWithCurrentData) {
  for_each_world([](const ProtocolSwitches& switches, const World& world, unsigned ccx) {
    if ((world.holders >> ccx & 1) != 0) return;  // it would not ask
    const std::string where = text(world, ccx, switches);
    const DirectoryEntry& entry = world.entry;
    const HomeAction action = Protocol::at_home(HomeRequest::kRead, entry, ccx, world.found, kAll, switches);
    EXPECT_NE(action.supplier, Supplier::kRequester) << where;
    EXPECT_TRUE(action.supplier == Supplier::kOwner || world.memory_current) << where;
    EXPECT_TRUE(action.supplier == Supplier::kDram || entry.has_owner()) << where;
    EXPECT_EQ(action.probed, action.supplier == Supplier::kOwner ? 1u << entry.owner : 0u) << where;
    EXPECT_FALSE(action.broadcast) << where;
    const std::uint32_t stay = world.holders & ~action.invalidated, after = stay | 1u << ccx;
    if (sole(action.granted)) {
      EXPECT_EQ(stay, 0u) << where;
      EXPECT_EQ(action.next.kind, DirectoryKind::kExclusive) << where;
      EXPECT_EQ(action.next.owner, ccx) << where;
    }
    EXPECT_EQ(action.granted == kM, switches.migratory && world.found == kM) << where;
    if (action.supplier == Supplier::kOwner && action.invalidated == 0) {
      EXPECT_FALSE(sole(action.owner)) << where;
      EXPECT_EQ(dirty(action.owner), dirty(world.found)) << "dirty data lost or invented: " << where;
      EXPECT_EQ(action.next.kind == DirectoryKind::kOwned, dirty(action.owner)) << where;
    }
    if (!world.memory_current) {
      EXPECT_TRUE(action.next.has_owner()) << where;
    }
    if (action.next.kind == DirectoryKind::kForwarded) {
      EXPECT_TRUE((action.next.owner == ccx ? action.granted : action.owner) == kF) << where;
    }
    EXPECT_EQ(action.next.sharers, switches.precise ? after : 0u) << where;
  });
}

TEST(Protocol, TheHomeLeavesOneWriter) {
  for_each_world([](const ProtocolSwitches& switches, const World& world, unsigned ccx) {
    for (const HomeRequest request : {HomeRequest::kReadForStore, HomeRequest::kChangeToDirty}) {
      const bool has = (world.holders >> ccx & 1) != 0;
      if (has != (request == HomeRequest::kChangeToDirty)) continue;
      if (has && world.entry.kind == DirectoryKind::kExclusive) continue;  // it would not ask
      const std::string where = text(world, ccx, switches);
      const HomeAction action = Protocol::at_home(request, world.entry, ccx, world.found, kAll, switches);
      EXPECT_EQ(action.granted, kM) << where;
      EXPECT_EQ(world.holders & ~action.invalidated & ~(1u << ccx), 0u) << "a copy survives: " << where;
      EXPECT_EQ(action.invalidated & 1u << ccx, 0u) << where;
      EXPECT_EQ(action.invalidated, action.probed) << where;
      const DirectoryEntry mine{switches.precise ? 1u << ccx : 0, static_cast<std::uint8_t>(ccx),
                                DirectoryKind::kExclusive};
      EXPECT_EQ(action.next, mine) << where;
      EXPECT_EQ(action.supplier == Supplier::kRequester, has) << where;
      EXPECT_TRUE(action.supplier != Supplier::kDram || world.memory_current) << where;
      EXPECT_TRUE(action.supplier != Supplier::kOwner || (world.holders >> world.entry.owner & 1) != 0) << where;
      if (switches.precise) {
        EXPECT_EQ(action.probed & ~world.holders, 0u) << "a probe for nothing: " << where;
      }
      if (action.broadcast) {
        EXPECT_EQ(action.probed, kAll & ~(1u << ccx)) << where;
      }
      const bool unknown =
          world.entry.kind != DirectoryKind::kUncached && world.entry.kind != DirectoryKind::kExclusive;
      EXPECT_EQ(action.broadcast, !switches.precise && unknown) << where;
    }
  });
}

TEST(Protocol, ARecallReachesEveryCopy) {
  for_each_world([](const ProtocolSwitches& switches, const World& world, unsigned ccx) {
    EXPECT_EQ(world.holders & ~Protocol::recalled(world.entry, kAll, switches), 0u) << text(world, ccx, switches);
  });
  for (const LineState state : kStates) EXPECT_EQ(Protocol::recall_writes_back(state), dirty(state));
}

TEST(Protocol, TheHomeForgetsNoCopyThatRemains) {
  for_each_world([](const ProtocolSwitches& switches, const World& world, unsigned ccx) {
    if ((world.holders >> ccx & 1) == 0) return;
    const std::string where = text(world, ccx, switches);
    const bool owner = world.entry.has_owner() && world.entry.owner == ccx;
    const std::uint32_t stay = world.holders & ~(1u << ccx);
    const DirectoryEntry gone = Protocol::noticed(world.entry, ccx, Notice::kGone, switches);
    if (stay != 0) {
      EXPECT_NE(gone.kind, DirectoryKind::kUncached) << where;
    }
    EXPECT_FALSE(gone.has_owner() && gone.owner == ccx) << "stale owner: " << where;
    EXPECT_TRUE(!world.entry.has_owner() || owner || gone.owner == world.entry.owner) << "owner forgotten: " << where;
    EXPECT_EQ(gone.sharers, switches.precise ? stay : 0u) << where;
    if (world.entry.kind == DirectoryKind::kExclusive || !owner) return;
    const DirectoryEntry demoted = Protocol::noticed(world.entry, ccx, Notice::kNoLongerOwner, switches);
    EXPECT_EQ(demoted.kind, DirectoryKind::kShared) << where;
    EXPECT_EQ(demoted.sharers, world.entry.sharers) << where;
  });
}

TEST(Protocol, WhatLeavesACcxIsWrittenBackWhenDirtyAndAnnounced) {
  for (const LineState state : {kS, kF, kE, kO, kM}) {
    for (const bool remains : {false, true}) {
      for (const bool exclusive : {false, true}) {
        if (sole(state) && (remains || !exclusive)) continue;
        const Departure departure = Protocol::leave_ccx(state, remains, exclusive);
        EXPECT_EQ(departure.write_back, dirty(state));
        EXPECT_EQ(departure.notice == Notice::kGone, !remains);
        const bool home_knows_it_as_owner = !exclusive && (state == kO || state == kF);
        EXPECT_EQ(departure.notice == Notice::kNoLongerOwner, remains && home_knows_it_as_owner);
      }
    }
  }
}

TEST(Protocol, AnL3KeepsTheGreaterOfTwoStates) {
  for (const LineState victim : kStates)
    for (const LineState l3 : kStates) {
      const LineState kept = Protocol::into_l3(victim, l3);
      EXPECT_TRUE(kept == victim || kept == l3);
      EXPECT_EQ(dirty(kept), dirty(victim) || dirty(l3)) << to_string(victim) << to_string(l3);
    }
}

}  // namespace
}  // namespace hitmark::simulator
