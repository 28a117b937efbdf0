// What paths_test.cpp cannot see in the state that one path leaves: repeated and partial drains, the walk of the
// update counts, and the order of accesses. For every variant.
#include <gtest/gtest.h>

#include "kernels/memcg/recorder.hpp"
#include "kernels/memory/native_cpu.hpp"

namespace hitmark::memcg {
namespace {

constexpr NativeCpu kCpu;
constexpr std::size_t kStateOfSock = offsetof(MemcgVmstatsPercpu, state) + 8 * kSockItem;
constexpr std::size_t kUsage = offsetof(MemCgroup, memory) + offsetof(PageCounter, usage);
constexpr auto kStore = AccessKind::kStore;
constexpr auto kUpdate = AccessKind::kReadModifyWrite;
constexpr auto kLocked = AccessKind::kLockedReadModifyWrite;

class Sequence : public testing::TestWithParam<const Variant*> {
 protected:
  std::unique_ptr<Simulation> make(Workload workload = {}, unsigned cpus = 2) {
    return std::make_unique<Simulation>(*GetParam(), workload, cpus, &recorder_);
  }
  void record(Simulation& s, std::string_view name, unsigned cpu, unsigned index = 0, unsigned amount = 1) {
    recorder_.start(s);
    s.run(name, cpu, index, amount);
  }
  static const StockLayout& layout(Simulation& s) { return s.globals()->setup->stock; }
  static bool batched(Simulation& s) { return layout(s).nr_sock != StockLayout::kNone; }
  static unsigned long word(Simulation& s, unsigned cpu, std::size_t offset) {
    return kCpu.read_once(*static_cast<Cell<unsigned long>*>(s.arena().percpu_address(cpu, kStaticPercpu + offset)));
  }
  static bool asked(Simulation& s, unsigned cpu) {
    const unsigned long flag = word(s, cpu, layout(s).flags), pending = word(s, cpu, layout(s).work);
    EXPECT_EQ(flag, pending) << "claimed and handed off go together";
    return flag != 0;
  }
  // The counts of update of one level on CPU 0.
  struct Updates {
    unsigned percpu;
    int shared;
    bool operator==(const Updates&) const = default;
  };
  static std::vector<Updates> updates(Simulation& s) {  // root, g0.l1, g0.m0 and on
    std::vector<Updates> all;
    for (MemCgroup* memcg : s.globals()->setup->memcgs) {
      const auto* statc =
          static_cast<MemcgVmstatsPercpu*>(s.arena().percpu_address(0, kCpu.read(memcg->vmstats_percpu)));
      all.push_back({kCpu.read_once(statc->stats_updates), kCpu.read_once(kCpu.read(memcg->vmstats)->stats_updates)});
    }
    return all;
  }
  // Of the two stores to the lock of that CPU's stock, first and second.
  std::pair<std::size_t, std::size_t> section(Simulation& s, unsigned cpu) {
    const std::string stock = "memcg_stock@" + std::to_string(cpu);
    const std::size_t taken = recorder_.first(stock, layout(s).lock, kStore);
    const std::size_t released = recorder_.first(stock, layout(s).lock, kStore, taken + 1);
    EXPECT_LT(released, recorder_.touches.size()) << "the lock is not taken and released";
    EXPECT_EQ(recorder_.count(stock, layout(s).lock, writes), 2u);
    return {taken, released};
  }
  void expect_within(std::pair<std::size_t, std::size_t> section, std::size_t at, const char* what) {
    EXPECT_TRUE(section.first < at && at < section.second) << what << " is not under the lock";
  }

  Recorder recorder_;
};

class TrylockSequence : public Sequence {};
class CountedSequence : public Sequence {};    // a count of updates per memcg
class EarlyStopSequence : public Sequence {};  // and it ends the walk
class FlushedSequence : public Sequence {};    // there is a flusher
class TreeSequence : public Sequence {};       // whose tree the update itself makes

// Up to 6.16: the first update on a CPU links the memcg and all above it, under the CPU's lock; the next only look.
TEST_P(TreeSequence, FirstUpdateLinksEveryLevelUnderTheCpusLock) {
  auto s = make();
  record(*s, "charge", 0);
  const std::size_t taken = recorder_.first("rstat_cpu_lock@0", 0, kLocked);
  const std::size_t released = recorder_.first("rstat_cpu_lock@0", 0, kStore);
  ASSERT_LT(released, recorder_.touches.size());
  for (const char* name : {"css_rstat_cpu[g0.m0]@0", "css_rstat_cpu[g0.l1]@0", "css_rstat_cpu[root]@0"}) {
    const std::size_t linked = recorder_.first(name, offsetof(CssRstatCpu, updated_next), kStore);
    EXPECT_TRUE(taken < linked && linked < released) << name;
  }
  EXPECT_EQ(recorder_.first("rstat_cpu_lock@1", 0, kLocked), recorder_.touches.size());

  record(*s, "charge", 0);
  EXPECT_EQ(recorder_.count("rstat_cpu_lock@0", 0, reads), 0u);
  EXPECT_EQ(recorder_.read("css_rstat_cpu[g0.m0]@0", 1), std::set<std::size_t>{offsetof(CssRstatCpu, updated_next)});
  EXPECT_EQ(recorder_.read("css_rstat_cpu[g0.l1]@0", 1), std::set<std::size_t>{});
}

TEST_P(TreeSequence, LinkingEndsAtALinkedAncestor) {
  Workload workload;
  workload.memcgs = 2;
  auto s = make(workload);
  s->run("charge", 0, 0);
  record(*s, "charge", 0, 1);
  EXPECT_EQ(recorder_.written("css_rstat_cpu[g0.l1]@0", 1),
            std::set<std::size_t>{offsetof(CssRstatCpu, updated_children)});
  EXPECT_EQ(recorder_.read("css_rstat_cpu[root]@0", 1), std::set<std::size_t>{});
  s->run("flush", 1);
  EXPECT_EQ(unlisted_update(s->globals()), "");
  record(*s, "charge", 0, 1);  // the flush has cut the links
  EXPECT_EQ(recorder_.count("rstat_cpu_lock@0", 0, writes), 2u);
}

TEST_P(TreeSequence, FlusherTakesEachCpusLock) {
  auto s = make();
  s->run("charge", 0);
  record(*s, "flush", 1);
  for (const char* lock : {"rstat_cpu_lock@0", "rstat_cpu_lock@1"}) {
    EXPECT_LT(recorder_.first(lock, 0, kLocked), recorder_.first(lock, 0, kStore)) << lock;
    EXPECT_EQ(recorder_.count(lock, 0, writes), 2u) << lock;
  }
  // Statistics are read when the tree is cut: after the CPU's lock.
  EXPECT_LT(recorder_.first("rstat_cpu_lock@0", 0, kStore),
            recorder_.first("vmstats_percpu[g0.m0]@0", kStateOfSock, AccessKind::kLoad));
}

TEST_P(Sequence, AStockCanBeDrainedAgain) {
  auto s = make();
  for (int round = 1; round <= 3; ++round) {
    s->run("charge", 1);
    s->run("drain", 0);
    EXPECT_TRUE(asked(*s, 1)) << round;
    s->run("work", 1);
    EXPECT_FALSE(asked(*s, 1)) << round;
    EXPECT_EQ(s->slot(1, 0).cached, nullptr) << round;
    EXPECT_EQ(kCpu.read_once(s->memcg(1)->memory.usage), round);
    EXPECT_EQ(violated_invariant(s->globals()), "");
  }
  for (int round = 4; round <= 5; ++round) {  // its own, without a mailbox
    s->run("charge", 0);
    s->run("drain", 0);
    EXPECT_FALSE(asked(*s, 0)) << round;
    EXPECT_EQ(s->slot(0, 0).cached, nullptr) << round;
  }
}

TEST_P(Sequence, DrainOfAMemcgLeavesItsSiblingsStock) {
  Workload workload;
  workload.memcgs = 2;
  auto s = make(workload, 3);
  kCpu.write_once(s->memcg(0, 0)->memory.max, 100);
  s->run("charge", 1, 1);
  s->run("charge", 2, 0, 64);
  s->run("uncharge", 2, 0, 60);
  EXPECT_FALSE(s->charge(0, 0, 64));
  EXPECT_FALSE(asked(*s, 1));
  EXPECT_TRUE(asked(*s, 2));
  for (unsigned cpu = 1; cpu < 3; ++cpu) s->run("work", cpu);
  EXPECT_EQ(s->slot(1, 0).nr_pages, 63u);
  EXPECT_EQ(s->slot(2, 0).cached, nullptr);
}

TEST_P(Sequence, DrainOfAnInnerMemcgReachesWhatIsBelowIt) {
  Workload workload;
  workload.groups = 2;
  auto s = make(workload, 4);  // 0 and 1 charge g0.m0, 2 and 3 g1.m0
  kCpu.write_once(s->globals()->setup->memcgs[1]->memory.max, 100);
  s->run("charge", 1);
  s->run("charge", 2);
  EXPECT_FALSE(s->charge(0, 0, 64));
  EXPECT_TRUE(asked(*s, 1));
  EXPECT_FALSE(asked(*s, 2));
  EXPECT_FALSE(asked(*s, 3));  // an empty stock
}

TEST_P(Sequence, DrainSeesACountWithoutPages) {
  auto s = make();
  for (int i = 0; i < 64; ++i) s->run("charge", 1);
  EXPECT_EQ(s->slot(1, 0).nr_pages, 0u);
  s->run("drain", 0);
  EXPECT_EQ(asked(*s, 1), batched(*s));
}

TEST_P(CountedSequence, UpdatesReachTheSharedCountsByBatches) {
  Workload workload;
  workload.online_cpus = 1;  // to be flushed above 64
  workload.memcgs = 2;
  auto s = make(workload);
  using Levels = std::vector<Updates>;
  s->run("charge", 0, 0, 63);
  EXPECT_EQ(updates(*s), (Levels{{63, 0}, {63, 0}, {63, 0}, {0, 0}}));
  s->run("drain", 0);
  s->run("charge", 0);  // a miss: its page is not batched
  EXPECT_EQ(updates(*s), (Levels{{0, 64}, {0, 64}, {0, 64}, {0, 0}}));
  EXPECT_EQ(phase(s->globals()), Phase::kAccumulating);  // the threshold itself
  s->run("charge", 0, 0, 65);                            // past the stock
  EXPECT_EQ(updates(*s), (Levels{{0, 129}, {0, 129}, {0, 129}, {0, 0}}));
  s->run("charge", 0, 0, 65);  // above it at the leaf: the walk ends there
  EXPECT_EQ(updates(*s), (Levels{{0, 129}, {0, 129}, {0, 129}, {0, 0}}));
  s->run("charge", 0, 1, 65);  // and here at its parent
  EXPECT_EQ(updates(*s), (Levels{{0, 129}, {0, 129}, {0, 129}, {0, 65}}));
  s->run("flush", 1);
  EXPECT_EQ(updates(*s), (Levels{{0, 0}, {0, 0}, {0, 0}, {0, 0}}));
  s->run("uncharge", 0, 0, 65);  // counts by magnitude
  EXPECT_EQ(updates(*s), (Levels{{0, 65}, {0, 65}, {0, 65}, {0, 0}}));
}

TEST_P(EarlyStopSequence, EarlyStopAtEachLevel) {
  for (std::size_t full = 0; full < 3; ++full) {  // root, g0.l1, g0.m0
    Workload workload;
    workload.online_cpus = 1;
    auto s = make(workload);
    kCpu.write_once(kCpu.read(s->globals()->setup->memcgs[full]->vmstats)->stats_updates, 65);
    s->run("charge", 0);
    for (std::size_t level = 0; level < 3; ++level)
      EXPECT_EQ(updates(*s)[level].percpu, level > full ? 1u : 0u) << "level " << level << ", full " << full;
  }
}

TEST_P(Sequence, SwapHighIsChecked) {
  auto s = make();
  const auto& memcgs = s->globals()->setup->memcgs;
  const auto scheduled = [&](std::size_t level) { return kCpu.read_once(memcgs[level]->high_work.data); };
  kCpu.write_once(memcgs[1]->swap.high, 5);
  kCpu.write_once(memcgs[1]->swap.usage, 5);
  kCpu.write_once(memcgs[0]->memory.high, 70);
  s->run("charge", 0);
  EXPECT_EQ(scheduled(1), 0u);
  kCpu.write_once(memcgs[1]->swap.usage, 6);
  s->run("charge", 0);  // a hit checks nothing
  EXPECT_EQ(scheduled(1), 0u);
  s->run("charge", 0, 0, 64);
  EXPECT_EQ(scheduled(1), 1u);
  EXPECT_EQ(scheduled(2), 0u);
  EXPECT_EQ(scheduled(0), 0u);  // the lowest that is over is scheduled, alone
}

TEST_P(TrylockSequence, StatisticsAreAppliedAfterTheUnlock) {
  auto s = make();
  for (int i = 0; i < 65; ++i) s->run("charge", 0);
  record(*s, "charge", 0);  // batched, the 64th hit
  const std::size_t applied = recorder_.first("vmstats_percpu[g0.m0]@0", kStateOfSock, kUpdate);
  ASSERT_LT(applied, recorder_.touches.size());
  EXPECT_LT(section(*s, 0).second, applied);
  if (!batched(*s)) return;
  for (int i = 0; i < 64; ++i) s->run("uncharge", 1);  // the first is a miss
  EXPECT_EQ(s->slot(1, 0).nr_sock, -63);
  record(*s, "uncharge", 1);
  const std::size_t taken_off = recorder_.first("vmstats_percpu[g0.m0]@1", kStateOfSock, kUpdate);
  ASSERT_LT(taken_off, recorder_.touches.size());
  EXPECT_LT(section(*s, 1).second, taken_off);
}

TEST_P(FlushedSequence, StatisticIsAddedBeforeTheListIsLookedAt) {
  auto s = make();
  record(*s, "charge", 0);
  const std::size_t added = recorder_.first("vmstats_percpu[g0.m0]@0", kStateOfSock, kUpdate);
  const bool list = trait(*GetParam(), "rstat") == "lockless list";
  const std::size_t link = list ? offsetof(CssRstatCpu, lnode) : offsetof(CssRstatCpu, updated_next);
  const std::size_t looked = recorder_.first("css_rstat_cpu[g0.m0]@0", link, AccessKind::kLoad);
  ASSERT_LT(looked, recorder_.touches.size());
  EXPECT_LT(added, looked);  // else a flush in between would miss it until the next update
}

TEST_P(TrylockSequence, BusyLockIsOnlyRead) {
  auto s = make();
  s->run("charge", 0, 0, 2);
  const std::size_t lock = layout(*s).lock;
  kCpu.write(*static_cast<Cell<std::uint8_t>*>(s->arena().percpu_address(0, kStaticPercpu + lock)), 1);
  for (const char* name : {"charge", "uncharge"}) {
    record(*s, name, 0);
    EXPECT_EQ(recorder_.read("memcg_stock@0", 1), std::set<std::size_t>{lock}) << name;
    EXPECT_EQ(recorder_.written("memcg_stock@0", 1), std::set<std::size_t>{}) << name;
  }
}

TEST_P(TrylockSequence, DrainsUnderTheLock) {
  for (const char* name : {"drain", "work"}) {
    auto s = make();
    const unsigned cpu = name == std::string("drain") ? 0 : 1;
    s->run("charge", cpu);
    s->run("charge", cpu);
    if (cpu == 1) s->run("drain", 0);
    record(*s, name, cpu);
    const std::string stock = "memcg_stock@" + std::to_string(cpu), state = "vmstats_percpu[g0.m0]@";
    const auto lock = section(*s, cpu);
    expect_within(lock, recorder_.first("mem_cgroup[root]", kUsage, kLocked), "the uncharge");
    expect_within(lock, recorder_.first(stock, layout(*s).cached, kStore), "the release of the slot");
    for (std::size_t i = 0; i < recorder_.touches.size(); ++i) {  // the claim itself is another's and unlocked
      const Touch& t = recorder_.touches[i];
      if (t.object == stock && t.offset == layout(*s).flags && t.kind == kLocked && i > lock.first)
        expect_within(lock, i, "the clearing of the flag");
    }
    EXPECT_EQ(recorder_.count(stock, layout(*s).flags, [](AccessKind k) { return k == kLocked; }), cpu == 0 ? 2u : 1u);
    if (batched(*s))
      expect_within(lock, recorder_.first(state + std::to_string(cpu), kStateOfSock, kUpdate), "the count");
  }
}

TEST_P(TrylockSequence, OverflowDrainsUnderTheLock) {
  auto s = make();
  for (int i = 0; i < 2; ++i) s->run("charge", 0, 0, 64);
  s->run("uncharge", 1, 0, 64);
  record(*s, "uncharge", 1);
  const auto lock = section(*s, 1);
  expect_within(lock, recorder_.first("mem_cgroup[g0.m0]", kUsage, kLocked), "the uncharge");
  expect_within(lock, recorder_.first("memcg_stock@1", layout(*s).cached, kStore), "the release of the slot");
  const std::size_t applied = recorder_.first("vmstats_percpu[g0.m0]@1", kStateOfSock, kUpdate);
  if (batched(*s))
    expect_within(lock, applied, "the count");
  else
    EXPECT_LT(applied, lock.first);  // per call: first the statistic, then the pages
}

TEST_P(TrylockSequence, ScanEndsAtTheFirstMatch) {
  Workload workload;
  workload.memcgs = 4;
  auto s = make(workload);
  for (unsigned i = 0; i < 4; ++i) s->run("pair", 0, i);
  for (unsigned i = 0; i < 4; ++i)
    for (const char* name : {"charge", "uncharge"}) {
      record(*s, name, 0, i);
      std::set<std::size_t> read, counts;
      for (unsigned before = 0; before <= i; ++before) read.insert(layout(*s).cached + 8 * before);
      for (const std::size_t offset : recorder_.read("memcg_stock@0", 1)) {
        if (offset >= layout(*s).cached && offset < layout(*s).cached + 8 * layout(*s).slots) {
          EXPECT_EQ(read.count(offset), 1u) << name << " " << i << " reads " << offset;
        }
        if (offset >= layout(*s).nr_pages && offset < layout(*s).nr_pages + layout(*s).slots) counts.insert(offset);
      }
      EXPECT_EQ(counts, std::set<std::size_t>{layout(*s).nr_pages + i});
      for (const std::size_t offset : read) EXPECT_EQ(recorder_.count("memcg_stock@0", offset, reads), 1u) << name;
    }
}

std::string name_of(const testing::TestParamInfo<const Variant*>& tested) { return test_name_of(*tested.param); }

std::vector<const Variant*> counted() {
  auto all = variants_with("update-rule", "V4");
  for (const Variant* variant : variants_with("update-rule", "V5")) all.push_back(variant);
  return all;
}

std::vector<const Variant*> flushed() {
  auto all = sock_charge_variants();
  std::erase_if(all, [](const Variant* variant) { return trait(*variant, "rstat") == "none"; });
  return all;
}

INSTANTIATE_TEST_SUITE_P(Every, Sequence, testing::ValuesIn(sock_charge_variants()), name_of);
INSTANTIATE_TEST_SUITE_P(With, TrylockSequence, testing::ValuesIn(variants_with("guard", "lock byte")), name_of);
INSTANTIATE_TEST_SUITE_P(With, CountedSequence, testing::ValuesIn(counted()), name_of);
INSTANTIATE_TEST_SUITE_P(With, EarlyStopSequence, testing::ValuesIn(variants_with("update-rule", "V5")), name_of);
INSTANTIATE_TEST_SUITE_P(With, FlushedSequence, testing::ValuesIn(flushed()), name_of);
INSTANTIATE_TEST_SUITE_P(With, TreeSequence, testing::ValuesIn(variants_with("rstat", "tree")), name_of);

}  // namespace
}  // namespace hitmark::memcg
