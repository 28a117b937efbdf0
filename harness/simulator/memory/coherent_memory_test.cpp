#include "harness/simulator/memory/coherent_memory.hpp"

#include <gtest/gtest.h>

namespace hitmark::simulator {
namespace {

TEST(CoherentMemory, Starts) {
  MachineModel machine;
  CoherentMemory memory(machine, std::vector<Home>(1000));
  Outcome outcome;
  EXPECT_FALSE(memory.hit_l1(0, 7, false));
  memory.access(0, 7, false, outcome);
  EXPECT_EQ(outcome.served, Served::kDram);
  EXPECT_EQ(outcome.granted, LineState::kE);
  EXPECT_TRUE(memory.hit_l1(0, 7, true));
  memory.access(4, 7, false, outcome);
  EXPECT_EQ(outcome.served, Served::kRemoteCcx);
  EXPECT_EQ(outcome.supplied_from, LineState::kM);
  EXPECT_EQ(memory.violated_invariant(), "");
}

}  // namespace
}  // namespace hitmark::simulator
