// Every path of charging, one by one, for every variant: what each leaves behind.
#include <gtest/gtest.h>

#include "kernels/memcg/simulation.hpp"
#include "kernels/memory/native_cpu.hpp"

namespace hitmark::memcg {
namespace {

constexpr NativeCpu kCpu;
constexpr RefillRule kLow32{.kind = RefillRule::Kind::kWatermark, .low = 32};

class Paths : public testing::TestWithParam<const Variant*> {
 protected:
  std::unique_ptr<Simulation> make(Workload workload = {}, unsigned cpus = 2) {
    return std::make_unique<Simulation>(*GetParam(), workload, cpus);
  }
  static bool batched(Simulation& s) { return s.globals()->setup->stock.nr_sock != StockLayout::kNone; }
  static unsigned slot_count(Simulation& s) { return s.globals()->setup->stock.slots; }
  static long usage(Simulation& s, std::size_t memcg) {
    return kCpu.read_once(s.globals()->setup->memcgs[memcg]->memory.usage);
  }
  // root, g0.l1, g0.m0: depth 2 has three levels.
  static void expect_usage(Simulation& s, long pages) {
    for (std::size_t i = 0; i < s.globals()->setup->memcgs.size(); ++i) EXPECT_EQ(usage(s, i), pages) << "level " << i;
  }
  static long applied(Simulation& s) {
    long sum = sock_pages(s.globals(), s.memcg(0));
    for (const Slot& slot : slots(s.globals()))
      if (slot.cached == s.memcg(0)) sum -= slot.nr_sock;
    return sum;
  }
  static void expect_sound(Simulation& s) { EXPECT_EQ(violated_invariant(s.globals()), ""); }
};

class TrylockPaths : public Paths {};
class RoundRobinPaths : public Paths {};

TEST_P(Paths, MissChargesABatch) {
  auto s = make();
  EXPECT_TRUE(s->charge(0));
  expect_usage(*s, 64);
  EXPECT_EQ(s->slot(0, 0).nr_pages, 63u);
  EXPECT_EQ(s->slot(0, 0).cached, s->memcg(0));
  EXPECT_EQ(references(s->globals(), s->memcg(0)), 1);
  EXPECT_EQ(applied(*s), 1);  // the slow path is not batched
  expect_sound(*s);
}

TEST_P(Paths, HitTouchesNoCounter) {
  auto s = make();
  s->run("charge", 0);
  s->run("charge", 0);
  expect_usage(*s, 64);
  EXPECT_EQ(s->slot(0, 0).nr_pages, 62u);
  EXPECT_EQ(s->slot(0, 0).nr_sock, batched(*s) ? 1 : 0);
  expect_sound(*s);
}

TEST_P(Paths, FirstMatchEndsTheScanEvenWhenShort) {
  auto s = make();
  s->run("charge", 0, 0, 60);  // leaves 4 in the slot
  s->run("charge", 0, 0, 5);   // not enough: another batch, refilled into the same slot
  expect_usage(*s, s->slot(0, 0).nr_pages ? 65 + s->slot(0, 0).nr_pages : 128);
  EXPECT_EQ(s->slot(0, 1).cached, nullptr);
  EXPECT_EQ(live_pages(s->globals(), s->memcg(0)), 65);
  expect_sound(*s);
}

TEST_P(Paths, MoreThanABatchGoesPastTheStock) {
  auto s = make();
  s->run("charge", 0, 0, 65);
  expect_usage(*s, 65);
  EXPECT_EQ(s->slot(0, 0).cached, nullptr);
  s->run("uncharge", 0, 0, 65);
  expect_usage(*s, 0);
  EXPECT_EQ(applied(*s), 0);
  expect_sound(*s);
}

TEST_P(TrylockPaths, LockTakenGoesPastTheStock) {
  auto s = make();
  s->run("charge", 0);
  auto* lock = static_cast<Cell<std::uint8_t>*>(s->arena().percpu_address(0, kStaticPercpu));
  kCpu.write(*lock, 1);  // what an interrupt inside the section finds
  s->run("charge", 0);
  expect_usage(*s, 65);
  s->run("uncharge", 0);
  expect_usage(*s, 64);
  EXPECT_EQ(s->slot(0, 0).nr_pages, 63u);
  EXPECT_EQ(applied(*s), 1);
  kCpu.write(*lock, 0);
  expect_sound(*s);
}

TEST_P(Paths, EmptiedSlotIsKeptOrReleasedByTheRule) {
  for (const bool keep_low : {false, true}) {
    Workload workload;
    if (keep_low) workload.refill = kLow32;
    auto s = make(workload);
    for (int i = 0; i < 64; ++i) s->run("charge", 0);
    EXPECT_EQ(s->slot(0, 0).nr_pages, 0u);
    const bool released = keep_low && !batched(*s);  // 63 are counted in the slot, so batching keeps it
    EXPECT_EQ(s->slot(0, 0).cached, released ? nullptr : s->memcg(0));
    EXPECT_EQ(references(s->globals(), s->memcg(0)), released ? 0 : 1);
    expect_sound(*s);
  }
}

TEST_P(Paths, OverflowDrainsOrKeepsLow) {
  for (const bool keep_low : {false, true}) {
    Workload workload;
    if (keep_low) workload.refill = kLow32;
    auto s = make(workload);
    s->run("charge", 0, 0, 64);
    s->run("charge", 0, 0, 64);
    s->run("uncharge", 1, 0, 64);
    EXPECT_EQ(s->slot(1, 0).nr_pages, 64u);
    s->run("uncharge", 1, 0, 1);
    EXPECT_EQ(s->slot(1, 0).nr_pages, keep_low ? 32u : 0u);
    EXPECT_EQ(s->slot(1, 0).cached, keep_low ? s->memcg(0) : nullptr);
    expect_usage(*s, keep_low ? 63 + 32 : 63);
    expect_sound(*s);
  }
}

TEST_P(RoundRobinPaths, EvictionGoesRound) {
  Workload workload;
  workload.memcgs = 9;
  auto s = make(workload);
  const unsigned n = slot_count(*s);
  for (unsigned i = 0; i < n; ++i) s->run("pair", 0, i);
  for (unsigned i = 0; i < n; ++i) EXPECT_EQ(s->slot(0, i).cached, s->memcg(0, i));
  s->run("pair", 0, n);
  EXPECT_EQ(s->slot(0, 0).cached, s->memcg(0, n));
  EXPECT_EQ(live_pages(s->globals(), s->memcg(0, 0)), 0);
  EXPECT_EQ(kCpu.read_once(s->memcg(0, 0)->memory.usage), 0);
  EXPECT_EQ(references(s->globals(), s->memcg(0, 0)), 0);
  s->run("pair", 0, n + 1);
  EXPECT_EQ(s->slot(0, 1).cached, s->memcg(0, n + 1));
  expect_sound(*s);
}

class SingleSlotPaths : public Paths {};

TEST_P(SingleSlotPaths, AnotherMemcgTakesTheSlot) {
  Workload workload;
  workload.memcgs = 2;
  auto s = make(workload);
  s->run("charge", 0, 0);
  s->run("charge", 0, 1);
  EXPECT_EQ(s->slot(0, 0).cached, s->memcg(0, 1));
  EXPECT_EQ(s->slot(0, 0).nr_pages, 63u);
  EXPECT_EQ(kCpu.read_once(s->memcg(0, 0)->memory.usage), 1);
  EXPECT_EQ(references(s->globals(), s->memcg(0, 0)), 0);
  // An uncharge of nothing does, too (the reference, section 4.2).
  s->run("uncharge", 0, 0, 0);
  EXPECT_EQ(s->slot(0, 0).cached, s->memcg(0, 0));
  EXPECT_EQ(s->slot(0, 0).nr_pages, 0u);
  EXPECT_EQ(kCpu.read_once(s->memcg(0, 1)->memory.usage), 1);
  expect_sound(*s);
}

// More than a batch goes into the slot, and with it what the slot held goes back.
TEST_P(SingleSlotPaths, LargeUnchargeDrainsTheSlot) {
  auto s = make();
  s->run("charge", 0, 0, 65);
  s->run("charge", 0);
  EXPECT_EQ(s->slot(0, 0).nr_pages, 63u);
  s->run("uncharge", 0, 0, 65);
  EXPECT_EQ(s->slot(0, 0).cached, nullptr);
  expect_usage(*s, 1);
  expect_sound(*s);
}

class RandomPaths : public Paths {};

TEST_P(RandomPaths, EveryVictimIsAsLikely) {
  Workload workload;
  workload.memcgs = 8;
  auto s = make(workload);
  const auto at = [&](unsigned slot) { return s->slot(0, slot).cached; };
  for (unsigned i = 0; i < 7; ++i) s->run("pair", 0, i);
  std::vector<int> evictions(7);
  unsigned missing = 7;  // the memcg that no slot holds
  for (int i = 0; i < 7000; ++i) {
    std::vector<MemCgroup*> before;
    for (unsigned slot = 0; slot < 7; ++slot) before.push_back(at(slot));
    s->run("pair", 0, missing);
    unsigned changed = 0;
    for (unsigned slot = 0; slot < 7; ++slot)
      if (at(slot) != before[slot]) {
        ++evictions[slot];
        ++changed;
        for (unsigned m = 0; m < 8; ++m)
          if (s->memcg(0, m) == before[slot]) missing = m;
      }
    ASSERT_EQ(changed, 1u);
  }
  // 1000 each, with a standard deviation of 29; the generator's seed is fixed.
  for (const int count : evictions) EXPECT_NEAR(count, 1000, 100);
  expect_sound(*s);
}

TEST_P(RandomPaths, NoTwoCpusDrawAlike) {
  Workload workload;
  workload.memcgs = 40;
  auto s = make(workload);
  for (unsigned cpu = 0; cpu < 2; ++cpu)
    for (unsigned i = 0; i < 40; ++i) s->run("pair", cpu, i);
  unsigned equal = 0;
  for (unsigned slot = 0; slot < 7; ++slot) equal += s->slot(0, slot).cached == s->slot(1, slot).cached;
  EXPECT_LT(equal, 7u);
}

TEST_P(Paths, LimitRollsBackAndTriesTheExactSize) {
  Workload workload;
  workload.limit_pages = 100;
  workload.depth = 3;
  auto s = make(workload);
  EXPECT_TRUE(s->charge(0, 0, 64));
  EXPECT_FALSE(s->charge(0, 0, 64));
  expect_usage(*s, 64);  // every level as before
  EXPECT_TRUE(s->charge(0, 0, 30));
  expect_usage(*s, 94);  // the exact size, nothing stocked
  EXPECT_FALSE(s->charge(0, 0, 7));
  EXPECT_TRUE(s->charge(0, 0, 6));
  EXPECT_FALSE(s->charge(0));
  expect_usage(*s, 100);
  EXPECT_EQ(applied(*s), 100);
  expect_sound(*s);
  s->run("pair", 0);  // refused, so not uncharged
  expect_usage(*s, 100);
  expect_sound(*s);
}

TEST_P(Paths, LimitOfAnInnerLevelCancelsBelowIt) {
  auto s = make();
  MemCgroup* inner = s->globals()->setup->memcgs[1];
  kCpu.write_once(inner->memory.max, 10);
  kCpu.write(inner->memory.track_failcnt, true);
  EXPECT_FALSE(s->charge(0, 0, 11));
  expect_usage(*s, 0);
  EXPECT_EQ(kCpu.read_once(inner->memory.failcnt), 3u);  // batch, exact, after the drain
  EXPECT_TRUE(s->charge(0, 0, 10));
  expect_usage(*s, 10);
}

TEST_P(Paths, LimitDrainsOtherCpusThroughTheirMailbox) {
  Workload workload;
  workload.limit_pages = 100;
  auto s = make(workload);
  s->charge(0, 0, 64);
  s->run("uncharge", 1, 0, 60);  // stocked on CPU 1
  EXPECT_FALSE(s->charge(0, 0, 64));
  EXPECT_EQ(s->slot(1, 0).nr_pages, 60u);  // asked, but it has not run
  s->run("work", 0);
  EXPECT_EQ(s->slot(1, 0).nr_pages, 60u);  // not this CPU's mailbox
  s->run("work", 1);
  EXPECT_EQ(s->slot(1, 0).cached, nullptr);
  expect_usage(*s, 4);
  EXPECT_TRUE(s->charge(0, 0, 64));
  expect_sound(*s);
}

TEST_P(Paths, DrainEmptiesEveryStockOnce) {
  Workload workload;
  workload.memcgs = 3;
  auto s = make(workload, 3);
  for (unsigned cpu = 0; cpu < 3; ++cpu)
    for (unsigned i = 0; i < 3; ++i) s->run("pair", cpu, i);
  s->run("drain", 0);
  s->run("drain", 1);  // CPU 1 drains itself; the request for CPU 2 is already queued
  for (unsigned cpu = 0; cpu < 3; ++cpu) s->run("work", cpu);
  for (const Slot& slot : slots(s->globals())) EXPECT_EQ(slot.cached, nullptr);
  EXPECT_EQ(usage(*s, 0), 0);
  expect_sound(*s);
  s->run("charge", 2);
  s->run("work", 2);  // nothing is left in the mailbox
  EXPECT_EQ(s->slot(2, 0).nr_pages, 63u);
}

TEST_P(Paths, DrainSkipsWhileAnotherIsAtIt) {
  auto s = make();
  s->run("charge", 0);
  kCpu.write_once(s->globals()->percpu_charge_mutex, 1);
  s->run("drain", 0);
  EXPECT_EQ(s->slot(0, 0).nr_pages, 63u);
  kCpu.write_once(s->globals()->percpu_charge_mutex, 0);
  s->run("drain", 0);
  EXPECT_EQ(s->slot(0, 0).cached, nullptr);
  EXPECT_EQ(applied(*s), 1);
}

TEST_P(Paths, ProtectionFollowsUsage) {
  auto s = make();
  MemCgroup* leaf = s->memcg(0);
  MemCgroup* inner = s->globals()->setup->memcgs[1];
  kCpu.write_once(leaf->memory.min, 10);
  kCpu.write_once(leaf->memory.low, 100);
  s->run("charge", 0);
  EXPECT_EQ(kCpu.read_once(leaf->memory.min_usage), 10);
  EXPECT_EQ(kCpu.read_once(inner->memory.children_min_usage), 10);
  EXPECT_EQ(kCpu.read_once(leaf->memory.low_usage), 64);
  EXPECT_EQ(kCpu.read_once(inner->memory.children_low_usage), 64);
  s->run("uncharge", 0);
  s->run("drain", 0);
  EXPECT_EQ(kCpu.read_once(inner->memory.children_min_usage), 0);
  EXPECT_EQ(kCpu.read_once(inner->memory.children_low_usage), 0);
}

TEST_P(Paths, WatermarksKeepThePeak) {
  auto s = make();
  s->run("charge", 0);
  s->run("uncharge", 0);
  s->run("drain", 0);
  for (const MemCgroup* memcg : s->globals()->setup->memcgs) {
    EXPECT_EQ(kCpu.read_once(memcg->memory.watermark), 64u);
    EXPECT_EQ(kCpu.read_once(memcg->memory.local_watermark), 64u);
  }
}

TEST_P(Paths, HighIsCheckedUpToTheRoot) {
  auto s = make();
  MemCgroup* root = s->globals()->setup->memcgs.front();
  s->run("charge", 0);
  EXPECT_EQ(kCpu.read_once(root->high_work.data), 0u);
  kCpu.write_once(root->memory.high, 100);
  for (int i = 0; i < 64; ++i) s->run("charge", 0);
  EXPECT_EQ(kCpu.read_once(root->high_work.data), 1u);
  EXPECT_EQ(kCpu.read_once(s->memcg(0)->high_work.data), 0u);
}

TEST_P(Paths, DyingCssCountsAtomically) {
  auto s = make();
  CgroupSubsysState& css = s->memcg(0)->css;
  kCpu.write_once(css.refcnt.percpu_count_ptr, kCpu.read(css.refcnt.percpu_count_ptr) | kPercpuRefAtomic);
  s->run("charge", 0);
  EXPECT_EQ(kCpu.read_once(kCpu.read(css.refcnt.data)->count), 1);
  s->run("drain", 0);
  EXPECT_EQ(kCpu.read_once(kCpu.read(css.refcnt.data)->count), 0);
}

std::string name_of(const testing::TestParamInfo<const Variant*>& tested) { return test_name_of(*tested.param); }

INSTANTIATE_TEST_SUITE_P(Every, Paths, testing::ValuesIn(sock_charge_variants()), name_of);
INSTANTIATE_TEST_SUITE_P(With, TrylockPaths, testing::ValuesIn(variants_with("guard", "lock byte")), name_of);
INSTANTIATE_TEST_SUITE_P(With, RoundRobinPaths, testing::ValuesIn(variants_with("victim", "round robin")), name_of);
INSTANTIATE_TEST_SUITE_P(With, SingleSlotPaths, testing::ValuesIn(variants_with("slots", "1")), name_of);
INSTANTIATE_TEST_SUITE_P(With, RandomPaths, testing::ValuesIn(variants_with("victim", "random")), name_of);

}  // namespace
}  // namespace hitmark::memcg
