// The error bound of nr_sock: 63 pages per CPU and slot, reached on both sides and never passed, and the
// largest steps (63 + 64 and -63 - 64 pages) applied whole; for every variant that batches.
#include <gtest/gtest.h>

#include "kernels/memcg/simulation.hpp"

namespace hitmark::memcg {
namespace {

std::vector<const Variant*> batching_variants() {
  std::vector<const Variant*> batching;
  for (const Variant* variant : sock_charge_variants())
    for (const Trait& trait : variant->traits)
      if (trait.aspect == "statistics" && trait.value == "batched") batching.push_back(variant);
  return batching;
}

class CountBound : public testing::TestWithParam<const Variant*> {
 protected:
  Simulation simulation_{*GetParam(), Workload{}, 2};
  int count(unsigned cpu) { return simulation_.slot(cpu, 0).nr_sock; }
  long applied() { return sock_pages(simulation_.globals(), simulation_.memcg(0)) - count(0) - count(1); }
};

TEST_P(CountBound, ChargesReach63) {
  for (int hits = 0; hits <= 63; ++hits) {
    simulation_.run("charge", 0);
    EXPECT_EQ(count(0), hits);  // the first charge is a miss
  }
  EXPECT_EQ(applied(), 1);
  simulation_.run("charge", 0);  // the slot is empty: a batch, unbatched
  EXPECT_EQ(count(0), 63);
  simulation_.run("charge", 0);
  EXPECT_EQ(count(0), 0);
  EXPECT_EQ(applied(), 66);
}

TEST_P(CountBound, UnchargesReachMinus63) {
  for (int i = 0; i < 3; ++i) simulation_.run("charge", 0, 0, 64);
  for (int matches = 0; matches <= 63; ++matches) {
    simulation_.run("uncharge", 1);
    EXPECT_EQ(count(1), -matches);  // the first inserts the slot
  }
  simulation_.run("uncharge", 1);
  EXPECT_EQ(count(1), 0);
  EXPECT_EQ(applied(), 192 - 65);
}

TEST_P(CountBound, LargestStepsAreAppliedWhole) {
  for (int i = 0; i < 64; ++i) simulation_.run("charge", 0);
  ASSERT_EQ(count(0), 63);
  for (int i = 0; i < 63; ++i) simulation_.run("charge", 1);
  ASSERT_EQ(count(1), 62);
  simulation_.run("drain", 1);  // CPU 1 at once, CPU 0 asked: its slot is emptied by hand below
  simulation_.run("work", 0);
  ASSERT_EQ(simulation_.slot(0, 0).cached, nullptr);

  // 64 pages in the slot and a count of 63, then a charge of 64.
  simulation_.run("uncharge", 0, 0, 64);
  ASSERT_EQ(count(0), 0);
  for (int i = 0; i < 63; ++i) simulation_.run("charge", 0);
  ASSERT_EQ(count(0), 63);
  ASSERT_EQ(simulation_.slot(0, 0).nr_pages, 1u);
  const long before = applied();
  // Fill the slot without touching the count: the miss of a larger charge refills it.
  simulation_.run("charge", 0, 0, 2);
  ASSERT_EQ(simulation_.slot(0, 0).nr_pages, 63u);
  ASSERT_EQ(count(0), 63);
  ASSERT_EQ(applied(), before + 2);
  simulation_.run("charge", 0, 0, 63);
  EXPECT_EQ(count(0), 0);
  EXPECT_EQ(applied(), before + 2 + 126);
  EXPECT_EQ(violated_invariant(simulation_.globals()), "");
}

TEST_P(CountBound, NoSequenceOfStepsPasses63) {
  Workload workload;
  workload.refill = {.kind = RefillRule::Kind::kWatermark, .low = 32};
  Simulation simulation(*GetParam(), workload, 2);
  int top = 0, bottom = 0;
  for (unsigned step = 0; step < 200'000; ++step) {
    const unsigned pages = 1 + (step * 2654435761u >> 16) % 64;
    simulation.run("charge", 0, 0, pages);
    simulation.run("uncharge", 1, 0, pages);
    for (unsigned cpu = 0; cpu < 2; ++cpu) {
      top = std::max(top, simulation.slot(cpu, 0).nr_sock);
      bottom = std::min(bottom, simulation.slot(cpu, 0).nr_sock);
    }
  }
  EXPECT_EQ(top, 63);
  EXPECT_EQ(bottom, -63);
  EXPECT_EQ(violated_invariant(simulation.globals()), "");
}

INSTANTIATE_TEST_SUITE_P(Batching, CountBound, testing::ValuesIn(batching_variants()), [](const auto& tested) {
  std::string name(tested.param->name);
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

}  // namespace
}  // namespace hitmark::memcg
