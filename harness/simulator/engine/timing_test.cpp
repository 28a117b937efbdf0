// What queues behind what: the home serves all CCXs, a CCX's own tags only its cores.
#include "harness/simulator/engine/timing.hpp"

#include <gtest/gtest.h>

namespace hitmark::simulator {
namespace {

class TimingQueues : public testing::Test {
 protected:
  static constexpr Line kLine = 0;
  Outcome in_the_ccx() const {
    Outcome outcome;
    outcome.served = Served::kCore;
    outcome.supplied_from = LineState::kS;
    return outcome;
  }
  Outcome from_ccx(unsigned supplier) const {
    Outcome outcome;
    outcome.served = Served::kRemoteCcx;
    outcome.supplied_from = LineState::kM;
    outcome.supplier = static_cast<std::uint16_t>(supplier);
    outcome.home_asked = true;
    return outcome;
  }
  Picoseconds read(unsigned ccx, const Outcome& outcome, Picoseconds at) {
    return timing_.complete(ccx, kLine, false, outcome, at, at);
  }

  MachineModel machine_;
  Timing timing_{machine_, std::vector<Home>(1)};
};

TEST_F(TimingQueues, TransfersInsideOneCcxWaitForEachOther) {
  const Picoseconds one = read(0, in_the_ccx(), 1000) - 1000;
  EXPECT_EQ(read(0, in_the_ccx(), 1000), 1000 + 2 * one);
}

TEST_F(TimingQueues, TransfersInsideTwoCcxsDoNot) {
  const Picoseconds one = read(0, in_the_ccx(), 1000) - 1000;
  EXPECT_EQ(read(1, in_the_ccx(), 1000), 1000 + one);
}

TEST_F(TimingQueues, TransfersThroughTheHomeWaitForEachOther) {
  const Picoseconds first = read(1, from_ccx(0), 1000), second = read(2, from_ccx(0), 1000);
  EXPECT_GT(second, first + (first - 1000) / 2);
}

TEST_F(TimingQueues, NobodyInACcxHasALineBeforeItHasArrivedThere) {
  const Picoseconds arrived = read(1, from_ccx(0), 1000);
  const Picoseconds one = read(5, in_the_ccx(), 1000) - 1000;
  EXPECT_EQ(read(1, in_the_ccx(), 2000), arrived + one);
  Outcome l3;
  l3.served = Served::kL3;
  EXPECT_GT(read(1, l3, 2000), arrived);
}

TEST_F(TimingQueues, ALineIsSuppliedOnceItHasArrived) {
  const Picoseconds alone = read(3, from_ccx(2), 1000) - 1000;
  Timing fresh(machine_, std::vector<Home>(1));
  const Picoseconds inside = fresh.complete(0, kLine, false, in_the_ccx(), 1000, 1000);
  EXPECT_GE(fresh.complete(1, kLine, false, from_ccx(0), 1000, 1000), inside + alone / 2);
}

}  // namespace
}  // namespace hitmark::simulator
