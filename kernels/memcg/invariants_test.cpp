// The invariants of the reference's section 9 under random operations on simulated CPUs, with drains, flushes
// and readers interleaved, for every registered variant: with HITMARK_LONG in the environment (ctest -L long) 10^7
// operations under the full-drain rule and a fifth of that under the watermark rule with a limit, else a tenth of both.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <map>

#include "kernels/memcg/random_operations.hpp"
#include "kernels/memcg/simulation.hpp"
#include "kernels/memory/native_cpu.hpp"

namespace hitmark::memcg {
namespace {

struct Case {
  const Variant* variant;
  RefillRule rule;
  std::uint64_t limit;
  std::uint64_t operations;
};

// Sanitizers slow the same code down by ten.
std::uint64_t scale() {
#if HITMARK_TSAN || defined(__SANITIZE_ADDRESS__)
  return 100;
#else
  return std::getenv("HITMARK_LONG") ? 1 : 10;
#endif
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Variant* variant : sock_charge_variants()) {
    all.push_back({variant, {}, 0, 10'000'000 / scale()});
    all.push_back({variant, {.kind = RefillRule::Kind::kWatermark, .low = 32}, 2000, 2'000'000 / scale()});
  }
  return all;
}

std::string case_name(const testing::TestParamInfo<Case>& tested) {
  std::string name(tested.param.variant->name);
  for (char& c : name)
    if (c == '-') c = '_';
  return name + (tested.param.limit ? "_watermark_limited" : "_drain");
}

class RandomOperationsTest : public testing::TestWithParam<Case> {};

// Runs the queued drains and compares with what the driver knows. Statistics above are checked after a flush.
void check_quiescent(Simulation& simulation, const RandomOperations& operations, const Workload& workload,
                     unsigned cpus) {
  for (unsigned cpu = 0; cpu < cpus; ++cpu) simulation.run("work", cpu);
  ASSERT_EQ(violated_invariant(simulation.globals()), "");
  ASSERT_EQ(unlisted_update(simulation.globals()), "");
  long everything = 0;
  for (unsigned group = 0; group < workload.groups; ++group)
    for (unsigned i = 0; i < workload.memcgs; ++i) {
      const MemCgroup* memcg = simulation.memcg(group * cpus / workload.groups, i);
      ASSERT_EQ(live_pages(simulation.globals(), memcg), operations.live(group, i));
      ASSERT_EQ(sock_pages(simulation.globals(), memcg), operations.live(group, i));
      everything += operations.live(group, i);
    }
  for (const Slot& slot : slots(simulation.globals())) everything -= slot.nr_sock;
  simulation.run("flush", 0);
  ASSERT_EQ(violated_invariant(simulation.globals()), "");
  const MemCgroup* root = simulation.globals()->setup->memcgs.front();
  everything -= kept_pages(simulation.globals(), root);
  ASSERT_EQ(NativeCpu{}.read_once(NativeCpu{}.read(root->vmstats)->state[kSockItem]), everything);
}

TEST_P(RandomOperationsTest, InvariantsHold) {
  constexpr unsigned kCpus = 6;
  const std::uint64_t total = GetParam().operations, between_checks = total / 20;
  Workload workload;
  workload.groups = 2;
  workload.memcgs = 9;
  workload.depth = 3;
  workload.refill = GetParam().rule;
  workload.limit_pages = GetParam().limit;
  Simulation simulation(*GetParam().variant, workload, kCpus);
  RandomOperations operations(workload, kCpus, 20261028);

  std::map<std::string_view, const Operation*> by_name;
  for (const auto name : {"pair", "charge", "uncharge", "work", "flush", "drain", "read"})
    by_name[name] = &operation_named(simulation.variant(), name);
  std::uint64_t refused = 0;
  const auto run = [&](std::string_view name, unsigned cpu, unsigned index, unsigned pages) {
    const unsigned long before = failed_charges(simulation.globals(), cpu);
    simulation.run(*by_name.find(name)->second, cpu, simulation.memcg(cpu, index), pages);
    const bool done = failed_charges(simulation.globals(), cpu) == before;
    refused += !done;
    return done;
  };
  for (std::uint64_t i = 0; i < total; ++i) {
    operations.step(run);
    if ((i + 1) % between_checks == 0) {
      check_quiescent(simulation, operations, workload, kCpus);
      if (HasFatalFailure()) FAIL() << "after " << i + 1 << " operations";
    }
  }
  EXPECT_EQ(refused != 0, GetParam().limit != 0);
}

INSTANTIATE_TEST_SUITE_P(Invariants, RandomOperationsTest, testing::ValuesIn(cases()), case_name);

// The checks can fail: each broken state is seen.
class BrokenState : public testing::Test {
 protected:
  BrokenState() {
    simulation_.run("charge", 0);
    simulation_.run("charge", 0);
  }
  unsigned char* stock() { return static_cast<unsigned char*>(simulation_.arena().percpu_address(0, kStaticPercpu)); }
  void expect_broken(const std::string& text) {
    EXPECT_NE(violated_invariant(simulation_.globals()).find(text), std::string::npos)
        << violated_invariant(simulation_.globals());
  }
  Simulation simulation_{variant_named("packed6"), Workload{}, 2};
  const StockLayout& layout_ = simulation_.globals()->setup->stock;
};

TEST_F(BrokenState, SoundBefore) {
  EXPECT_EQ(violated_invariant(simulation_.globals()), "");
  EXPECT_EQ(unlisted_update(simulation_.globals()), "");
}
TEST_F(BrokenState, LostPage) {
  --stock()[layout_.nr_pages];
  expect_broken("differ from applied plus batched");
}
TEST_F(BrokenState, LostStatistic) {
  stock()[layout_.nr_sock] = 0;
  expect_broken("differ from applied plus batched");
}
TEST_F(BrokenState, CountBeyondBound) {
  stock()[layout_.nr_sock] = 64;
  expect_broken("nr_sock beyond its bound");
}
TEST_F(BrokenState, TwoSlots) {
  std::memcpy(stock() + layout_.cached + 8, stock() + layout_.cached, 8);
  expect_broken("the same memcg");
}
TEST_F(BrokenState, CountWithoutMemcg) {
  stock()[layout_.nr_sock + 3] = 1;
  expect_broken("without a memcg");
}
TEST_F(BrokenState, LostReference) {
  MemCgroup* memcg = simulation_.memcg(0);
  NativeCpu{}.atomic_add(NativeCpu{}.read(memcg->css.refcnt.data)->count, -1);
  expect_broken("references differ");
}
TEST_F(BrokenState, Locked) {
  stock()[layout_.lock] = 1;
  expect_broken("locked");
}
TEST_F(BrokenState, UsageOfOneLevel) {
  NativeCpu{}.atomic_add(simulation_.globals()->setup->memcgs.front()->memory.usage, 1);
  expect_broken("sum of the children's");
}
TEST_F(BrokenState, MorePagesThanABatch) {
  stock()[layout_.nr_pages] = 65;
  expect_broken("more pages than a batch");
}
TEST_F(BrokenState, VictimBehindTheLastSlot) {
  stock()[layout_.drain_idx] = 6;
  expect_broken("drain_idx is no slot");
}
TEST_F(BrokenState, DrainNotRun) {
  stock()[layout_.flags] = 1;
  expect_broken("flags");
}
TEST_F(BrokenState, WorkPending) {
  stock()[layout_.work] = 1;
  expect_broken("pending");
}
TEST_F(BrokenState, DrainOfAnotherCpuNotRun) {
  simulation_.run("drain", 1);
  expect_broken("cpu 0: a drain is asked for");
  simulation_.run("work", 0);
  EXPECT_EQ(violated_invariant(simulation_.globals()), "");
}
TEST_F(BrokenState, StocksHoldMoreThanIsCharged) {
  for (MemCgroup* memcg : simulation_.globals()->setup->memcgs) NativeCpu{}.atomic_add(memcg->memory.usage, -10);
  expect_broken("hold more pages than are charged (-8, 0)");
}
TEST_F(BrokenState, InnerMemcgHasStatistics) {
  const auto offset = NativeCpu{}.read(simulation_.globals()->setup->memcgs[1]->vmstats_percpu);
  auto& statc = *static_cast<MemcgVmstatsPercpu*>(simulation_.arena().percpu_address(0, offset));
  NativeCpu{}.write(statc.state[kSockItem], 3);
  expect_broken("an inner memcg has statistics of its own (3, 0)");
}
TEST_F(BrokenState, UpdateThatNoFlushWillSee) {
  MemCgroup* memcg = simulation_.memcg(1);
  const auto offset = NativeCpu{}.read(memcg->vmstats_percpu);
  for (unsigned cpu = 0; cpu < 2; ++cpu) {  // CPU 0's node is on its list, CPU 1's is not
    auto& statc = *static_cast<MemcgVmstatsPercpu*>(simulation_.arena().percpu_address(cpu, offset));
    NativeCpu{}.write(statc.events[30], 1);
    EXPECT_EQ(unlisted_update(simulation_.globals()).empty(), cpu == 0);
  }
  simulation_.run("charge", 1);  // lists it
  EXPECT_EQ(unlisted_update(simulation_.globals()), "");
}
TEST_F(BrokenState, LostInFlush) {
  simulation_.run("flush", 0);
  NativeCpu{}.atomic_add(NativeCpu{}.read(simulation_.memcg(0)->vmstats)->state_local[kSockItem], 1);
  expect_broken("state_local");
}

}  // namespace
}  // namespace hitmark::memcg
