// 10^8 random accesses of 128 cores for every switch, with caches so small that lines evict and recall each other,
// and with those of a Rome. HITMARK_RANDOM_ACCESSES sets another number.
#include <gtest/gtest.h>

#include <cstdlib>

#include "harness/simulator/memory/random_accesses.hpp"

namespace hitmark::simulator {
namespace {

std::uint64_t wanted() {
  const char* text = std::getenv("HITMARK_RANDOM_ACCESSES");
  return text ? std::strtoull(text, nullptr, 10) : 100'000'000;
}

class LongRandomAccesses : public testing::TestWithParam<unsigned> {};

TEST_P(LongRandomAccesses, OfSmallCachesSeeTheLastStore) {
  RandomRun run(small_rome(GetParam()), GetParam());
  EXPECT_EQ(run.go(wanted()), "");
  std::printf("switches %2u, small caches: %s\n", GetParam(), run.summary().c_str());
  EXPECT_TRUE(run.saw_everything());
}

TEST_P(LongRandomAccesses, OfARomeSeeTheLastStore) {
  MachineModel machine;
  machine.protocol = switches_of(GetParam(), 2048);
  RandomRun run(machine, GetParam(), 1 << 16);
  EXPECT_EQ(run.go(wanted()), "");
  std::printf("switches %2u, Rome's caches: %s\n", GetParam(), run.summary().c_str());
}

INSTANTIATE_TEST_SUITE_P(EverySwitch, LongRandomAccesses, testing::Range(0u, 16u));

}  // namespace
}  // namespace hitmark::simulator
