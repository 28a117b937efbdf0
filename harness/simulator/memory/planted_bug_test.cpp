// Each bug that a protocol is known for, planted as the one wrong decision of otherwise right rules: the walk over
// all states must name it. Where values can go wrong, they must also be seen to, with the other invariants off.
#include <gtest/gtest.h>

#include "harness/simulator/memory/enumeration.hpp"

namespace hitmark::simulator {
namespace {

// What the right rules decided may be changed afterwards, in one place. The hooks are run-time ones, so that the
// walk is compiled once for all bugs.
struct Bug {
  void (*in_ccx)(Request, const CcxView&, CcxAction&) = nullptr;
  void (*at_home)(HomeRequest, const DirectoryEntry&, LineState found, HomeAction&) = nullptr;
  void (*leave_ccx)(LineState victim, Departure&) = nullptr;
  void (*recalled)(std::uint32_t& ccxs) = nullptr;
  bool recall_writes_nothing_back = false;
  bool keeps_the_l3_copys_state = false;
};

struct Planted : Protocol {
  static inline Bug bug;

  static CcxAction in_ccx(Request request, const CcxView& view, const ProtocolSwitches& switches) {
    CcxAction action = Protocol::in_ccx(request, view, switches);
    if (bug.in_ccx) bug.in_ccx(request, view, action);
    return action;
  }
  static HomeAction at_home(HomeRequest request, const DirectoryEntry& entry, unsigned ccx, LineState found,
                            std::uint32_t all_ccxs, const ProtocolSwitches& switches) {
    HomeAction action = Protocol::at_home(request, entry, ccx, found, all_ccxs, switches);
    if (bug.at_home) bug.at_home(request, entry, found, action);
    return action;
  }
  static Departure leave_ccx(LineState victim, bool remains, bool exclusive) {
    Departure departure = Protocol::leave_ccx(victim, remains, exclusive);
    if (bug.leave_ccx) bug.leave_ccx(victim, departure);
    return departure;
  }
  static std::uint32_t recalled(const DirectoryEntry& entry, std::uint32_t all, const ProtocolSwitches& switches) {
    std::uint32_t ccxs = Protocol::recalled(entry, all, switches);
    if (bug.recalled) bug.recalled(ccxs);
    return ccxs;
  }
  static bool recall_writes_back(LineState state) {
    return !bug.recall_writes_nothing_back && Protocol::recall_writes_back(state);
  }
  static LineState into_l3(LineState victim, LineState l3) {
    return bug.keeps_the_l3_copys_state ? l3 : Protocol::into_l3(victim, l3);
  }
};

const Bug kLostInvalidation{.at_home = [](HomeRequest request, const DirectoryEntry&, LineState, HomeAction& action) {
  if (request == HomeRequest::kChangeToDirty) action.invalidated = 0;
}};

const Bug kLostInvalidationInCcx{.in_ccx = [](Request request, const CcxView& view, CcxAction& action) {
  if (request == Request::kStore && view.core == LineState::kS) action.core = LineState::kS;
}};

const Bug kLostInvalidationOfTheL3{.in_ccx = [](Request request, const CcxView& view, CcxAction& action) {
  if (request == Request::kStore) action.l3 = view.l3;
}};

// The home goes on asking the one before.
const Bug kStaleOwner{.at_home = [](HomeRequest, const DirectoryEntry& entry, LineState, HomeAction& action) {
  if (action.supplier == Supplier::kOwner) action.next.owner = entry.owner;
}};

// The reader of a modified line gets it as its owner had it.
const Bug kDoubleOwner{.in_ccx = [](Request request, const CcxView&, CcxAction& action) {
  if (request == Request::kLoad && action.source == Source::kCore && action.core == LineState::kO)
    action.own = LineState::kO;
}};

const Bug kDoubleWriter{.at_home = [](HomeRequest request, const DirectoryEntry&, LineState, HomeAction& action) {
  if (request == HomeRequest::kRead && action.granted == LineState::kS) action.granted = LineState::kE;
}};

// The owner that another CCX has read may still write.
const Bug kMissedDowngrade{
    .at_home = [](HomeRequest request, const DirectoryEntry&, LineState found, HomeAction& action) {
      if (request == HomeRequest::kRead && action.supplier == Supplier::kOwner) action.owner = found;
    }};

const Bug kMissedDowngradeInCcx{.in_ccx = [](Request request, const CcxView& view, CcxAction& action) {
  if (request == Request::kLoad && action.source == Source::kCore) action.core = view.core;
}};

const Bug kLostWriteBack{.leave_ccx = [](LineState, Departure& departure) { departure.write_back = false; }};

const Bug kLostWriteBackOfOwned{
    .leave_ccx = [](LineState victim, Departure& departure) { departure.write_back = victim == LineState::kM; }};

const Bug kLostWriteBackOfRecall{.recall_writes_nothing_back = true};

const Bug kLostRecall{.recalled = [](std::uint32_t& ccxs) { ccxs &= ccxs - 1; }};

// A victim that is not announced.
const Bug kLostNotice{.leave_ccx = [](LineState, Departure& departure) { departure.notice = Notice::kNone; }};

const Bug kDirtyVictimTakenForClean{.keeps_the_l3_copys_state = true};

const Bug kMemoryAnswersForTheOwner{
    .at_home = [](HomeRequest request, const DirectoryEntry& entry, LineState, HomeAction& action) {
      if (request == HomeRequest::kRead && entry.kind == DirectoryKind::kOwned) action.supplier = Supplier::kDram;
    }};

// On the smallest machine, and where that does not show the bug (nothing leaves its L3 for good, so that no victim
// is written back and none announced), with a third line.
Enumeration planted(const Bug& bug, Check check) {
  Planted::bug = bug;
  Enumeration found;
  for (const Line lines : {2u, 3u}) {
    for (const unsigned entries : {0u, lines - 1}) {
      MachineModel machine = tiny_machine();
      machine.protocol.directory_entries = entries;
      found = enumerate<Planted>(machine, lines, check, 20000);
      if (!found.violation.empty()) return found;
    }
  }
  return found;
}

void expect_named(const Bug& bug, const std::string& invariant) {
  const Enumeration found = planted(bug, Check::kAll);
  EXPECT_TRUE(found.violation.starts_with(invariant)) << "found: '" << found.violation << "'";
  EXPECT_NE(found.accesses_to_it, "");
}

void expect_wrong_value(const Bug& bug, const std::string& what = "data value: a load of an old value") {
  const Enumeration found = planted(bug, Check::kValuesOnly);
  EXPECT_TRUE(found.violation.starts_with(what)) << "found: '" << found.violation << "'";
}

TEST(PlantedBug, NoneIsFoundInTheRightRules) { EXPECT_EQ(planted({}, Check::kAll).violation, ""); }

TEST(PlantedBug, LostInvalidation) {
  expect_named(kLostInvalidation, "single writer");
  expect_wrong_value(kLostInvalidation);
}
TEST(PlantedBug, LostInvalidationInCcx) {
  expect_named(kLostInvalidationInCcx, "single writer");
  expect_wrong_value(kLostInvalidationInCcx);
}
TEST(PlantedBug, LostInvalidationOfTheL3) {
  expect_named(kLostInvalidationOfTheL3, "single writer");
  expect_wrong_value(kLostInvalidationOfTheL3);
}
TEST(PlantedBug, StaleOwner) {
  expect_named(kStaleOwner, "directory coverage");
  expect_wrong_value(kStaleOwner);
}
TEST(PlantedBug, DoubleOwner) { expect_named(kDoubleOwner, "single owner"); }
TEST(PlantedBug, DoubleWriter) {
  expect_named(kDoubleWriter, "single writer");
  expect_wrong_value(kDoubleWriter);
}
TEST(PlantedBug, MissedDowngrade) {
  expect_named(kMissedDowngrade, "single writer");
  expect_wrong_value(kMissedDowngrade);
}
TEST(PlantedBug, MissedDowngradeInCcx) {
  expect_named(kMissedDowngradeInCcx, "single writer");
  expect_wrong_value(kMissedDowngradeInCcx);
}
TEST(PlantedBug, LostWriteBack) { expect_named(kLostWriteBack, "data value: the last store"); }
TEST(PlantedBug, LostWriteBackOfOwned) { expect_named(kLostWriteBackOfOwned, "data value"); }
TEST(PlantedBug, LostWriteBackOfRecall) { expect_named(kLostWriteBackOfRecall, "data value: the last store"); }
TEST(PlantedBug, LostRecall) {
  expect_named(kLostRecall, "directory coverage: copies without an entry");
  expect_wrong_value(kLostRecall);
}
TEST(PlantedBug, LostNotice) {
  expect_named(kLostNotice, "directory coverage");
  expect_wrong_value(kLostNotice);
}
TEST(PlantedBug, DirtyVictimTakenForClean) { EXPECT_NE(planted(kDirtyVictimTakenForClean, Check::kAll).violation, ""); }
TEST(PlantedBug, MemoryAnswersForTheOwner) {
  expect_named(kMemoryAnswersForTheOwner, "data value: a load of an old value");
}

}  // namespace
}  // namespace hitmark::simulator
