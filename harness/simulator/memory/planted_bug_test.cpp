// Each bug that a protocol is known for, planted as the one wrong decision of otherwise right rules: the walk over
// all states must name it. Where values can go wrong, they must also be seen to, with the other invariants off.
#include <gtest/gtest.h>

#include "harness/simulator/memory/enumeration.hpp"

namespace hitmark::simulator {
namespace {

struct LostInvalidation : Protocol {
  static HomeAction at_home(HomeRequest request, const DirectoryEntry& entry, unsigned ccx, LineState found,
                            std::uint32_t all_ccxs, const ProtocolSwitches& switches) {
    HomeAction action = Protocol::at_home(request, entry, ccx, found, all_ccxs, switches);
    if (request == HomeRequest::kChangeToDirty) action.invalidated = 0;
    return action;
  }
};

struct LostInvalidationInCcx : Protocol {
  static CcxAction in_ccx(Request request, const CcxView& view, const ProtocolSwitches& switches) {
    CcxAction action = Protocol::in_ccx(request, view, switches);
    if (request == Request::kStore && view.core == LineState::kS) action.core = LineState::kS;
    return action;
  }
};

struct LostInvalidationOfTheL3 : Protocol {
  static CcxAction in_ccx(Request request, const CcxView& view, const ProtocolSwitches& switches) {
    CcxAction action = Protocol::in_ccx(request, view, switches);
    if (request == Request::kStore) action.l3 = view.l3;
    return action;
  }
};

struct StaleOwner : Protocol {  // the home goes on asking the one before
  static HomeAction at_home(HomeRequest request, const DirectoryEntry& entry, unsigned ccx, LineState found,
                            std::uint32_t all_ccxs, const ProtocolSwitches& switches) {
    HomeAction action = Protocol::at_home(request, entry, ccx, found, all_ccxs, switches);
    if (action.supplier == Supplier::kOwner) action.next.owner = entry.owner;
    return action;
  }
};

struct DoubleOwner : Protocol {  // the reader of a modified line gets it as its owner had it
  static CcxAction in_ccx(Request request, const CcxView& view, const ProtocolSwitches& switches) {
    CcxAction action = Protocol::in_ccx(request, view, switches);
    if (request == Request::kLoad && action.source == Source::kCore && action.core == LineState::kO)
      action.own = LineState::kO;
    return action;
  }
};

struct DoubleWriter : Protocol {
  static HomeAction at_home(HomeRequest request, const DirectoryEntry& entry, unsigned ccx, LineState found,
                            std::uint32_t all_ccxs, const ProtocolSwitches& switches) {
    HomeAction action = Protocol::at_home(request, entry, ccx, found, all_ccxs, switches);
    if (request == HomeRequest::kRead && action.granted == LineState::kS) action.granted = LineState::kE;
    return action;
  }
};

struct MissedDowngrade : Protocol {  // the owner that another CCX has read may still write
  static HomeAction at_home(HomeRequest request, const DirectoryEntry& entry, unsigned ccx, LineState found,
                            std::uint32_t all_ccxs, const ProtocolSwitches& switches) {
    HomeAction action = Protocol::at_home(request, entry, ccx, found, all_ccxs, switches);
    if (request == HomeRequest::kRead && action.supplier == Supplier::kOwner) action.owner = found;
    return action;
  }
};

struct MissedDowngradeInCcx : Protocol {
  static CcxAction in_ccx(Request request, const CcxView& view, const ProtocolSwitches& switches) {
    CcxAction action = Protocol::in_ccx(request, view, switches);
    if (request == Request::kLoad && action.source == Source::kCore) action.core = view.core;
    return action;
  }
};

struct LostWriteBack : Protocol {
  static Departure leave_ccx(LineState victim, bool remains, bool exclusive) {
    return {false, Protocol::leave_ccx(victim, remains, exclusive).notice};
  }
};

struct LostWriteBackOfOwned : Protocol {
  static Departure leave_ccx(LineState victim, bool remains, bool exclusive) {
    Departure departure = Protocol::leave_ccx(victim, remains, exclusive);
    departure.write_back = victim == LineState::kM;
    return departure;
  }
};

struct LostWriteBackOfRecall : Protocol {
  static bool recall_writes_back(LineState) { return false; }
};

struct LostRecall : Protocol {
  static std::uint32_t recalled(const DirectoryEntry& entry, std::uint32_t all, const ProtocolSwitches& switches) {
    const std::uint32_t ccxs = Protocol::recalled(entry, all, switches);
    return ccxs & (ccxs - 1);
  }
};

struct LostNotice : Protocol {  // a victim that is not announced
  static Departure leave_ccx(LineState victim, bool remains, bool exclusive) {
    return {Protocol::leave_ccx(victim, remains, exclusive).write_back, Notice::kNone};
  }
};

struct DirtyVictimTakenForClean : Protocol {
  static LineState into_l3(LineState, LineState l3) { return l3; }
};

struct MemoryAnswersForTheOwner : Protocol {
  static HomeAction at_home(HomeRequest request, const DirectoryEntry& entry, unsigned ccx, LineState found,
                            std::uint32_t all_ccxs, const ProtocolSwitches& switches) {
    HomeAction action = Protocol::at_home(request, entry, ccx, found, all_ccxs, switches);
    if (request == HomeRequest::kRead && entry.kind == DirectoryKind::kOwned) action.supplier = Supplier::kDram;
    return action;
  }
};

// On the smallest machine, and where that does not show the bug (nothing leaves its L3 for good, so that no victim
// is written back and none announced), with a third line.
template <typename Rules>
Enumeration planted(Check check) {
  Enumeration found;
  for (const Line lines : {2u, 3u}) {
    for (const unsigned entries : {0u, lines - 1}) {
      MachineModel machine = tiny_machine();
      machine.protocol.directory_entries = entries;
      found = enumerate<Rules>(machine, lines, check, 20000);
      if (!found.violation.empty()) return found;
    }
  }
  return found;
}

template <typename Rules>
void expect_named(const std::string& invariant) {
  const Enumeration found = planted<Rules>(Check::kAll);
  EXPECT_TRUE(found.violation.starts_with(invariant)) << "found: '" << found.violation << "'";
  EXPECT_NE(found.accesses_to_it, "");
}

template <typename Rules>
void expect_wrong_value(const std::string& what = "data value: a load of an old value") {
  const Enumeration found = planted<Rules>(Check::kValuesOnly);
  EXPECT_TRUE(found.violation.starts_with(what)) << "found: '" << found.violation << "'";
}

TEST(PlantedBug, NoneIsFoundInTheRightRules) { EXPECT_EQ(planted<Protocol>(Check::kAll).violation, ""); }

TEST(PlantedBug, LostInvalidation) {
  expect_named<LostInvalidation>("single writer");
  expect_wrong_value<LostInvalidation>();
}
TEST(PlantedBug, LostInvalidationInCcx) {
  expect_named<LostInvalidationInCcx>("single writer");
  expect_wrong_value<LostInvalidationInCcx>();
}
TEST(PlantedBug, LostInvalidationOfTheL3) {
  expect_named<LostInvalidationOfTheL3>("single writer");
  expect_wrong_value<LostInvalidationOfTheL3>();
}
TEST(PlantedBug, StaleOwner) {
  expect_named<StaleOwner>("directory coverage");
  expect_wrong_value<StaleOwner>();
}
TEST(PlantedBug, DoubleOwner) { expect_named<DoubleOwner>("single owner"); }
TEST(PlantedBug, DoubleWriter) {
  expect_named<DoubleWriter>("single writer");
  expect_wrong_value<DoubleWriter>();
}
TEST(PlantedBug, MissedDowngrade) {
  expect_named<MissedDowngrade>("single writer");
  expect_wrong_value<MissedDowngrade>();
}
TEST(PlantedBug, MissedDowngradeInCcx) {
  expect_named<MissedDowngradeInCcx>("single writer");
  expect_wrong_value<MissedDowngradeInCcx>();
}
TEST(PlantedBug, LostWriteBack) { expect_named<LostWriteBack>("data value: the last store"); }
TEST(PlantedBug, LostWriteBackOfOwned) { expect_named<LostWriteBackOfOwned>("data value"); }
TEST(PlantedBug, LostWriteBackOfRecall) { expect_named<LostWriteBackOfRecall>("data value: the last store"); }
TEST(PlantedBug, LostRecall) {
  expect_named<LostRecall>("directory coverage: copies without an entry");
  expect_wrong_value<LostRecall>();
}
TEST(PlantedBug, LostNotice) {
  expect_named<LostNotice>("directory coverage");
  expect_wrong_value<LostNotice>();
}
TEST(PlantedBug, DirtyVictimTakenForClean) { EXPECT_NE(planted<DirtyVictimTakenForClean>(Check::kAll).violation, ""); }
TEST(PlantedBug, MemoryAnswersForTheOwner) {
  expect_named<MemoryAnswersForTheOwner>("data value: a load of an old value");
}

}  // namespace
}  // namespace hitmark::simulator
