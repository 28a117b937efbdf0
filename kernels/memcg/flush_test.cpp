// The flusher and the reader of memory.stat against the reference's section 3.4, access by access: what is read
// and written of each (memcg, CPU) on the list, and that nothing else is.
#include <gtest/gtest.h>

#include "kernels/memcg/recorder.hpp"
#include "kernels/memory/native_cpu.hpp"

namespace hitmark::memcg {
namespace {

constexpr NativeCpu kCpu;
constexpr unsigned kCpus = 4;  // 0 and 1 charge the leaves of g0, 2 and 3 g1's
using Set = std::set<std::size_t>;
using Names = std::set<std::string>;

// Offsets in bytes, from the reference's tables (section 3.1).
constexpr std::size_t kSock = 8 * kSockItem, kLocal = 568, kPending = 1136, kSharedUpdates = 1704;
constexpr std::size_t kChildren = 0, kNext = 8, kLnode = 16, kOwner = 24, kLock = 244;

class Flush : public testing::Test {
 protected:
  static Workload workload() {
    Workload w;
    w.groups = 2;
    w.memcgs = 3;
    w.online_cpus = 1;  // a reader flushes above 64 updates
    return w;
  }
  MemCgroup* named(const std::string& name) {
    const auto& setup = *s_.globals()->setup;
    for (std::size_t i = 0; i < setup.names.size(); ++i)
      if (setup.names[i] == name) return setup.memcgs[i];
    ADD_FAILURE() << "no memcg " << name;
    return nullptr;
  }
  MemcgVmstats& stats(const std::string& name) { return *kCpu.read(named(name)->vmstats); }
  MemcgVmstatsPercpu& statc(const std::string& name, unsigned cpu) {
    return *static_cast<MemcgVmstatsPercpu*>(s_.arena().percpu_address(cpu, kCpu.read(named(name)->vmstats_percpu)));
  }
  long total(const std::string& name) { return kCpu.read_once(stats(name).state[kSockItem]); }
  long local(const std::string& name) { return kCpu.read_once(stats(name).state_local[kSockItem]); }
  long pending(const std::string& name) { return kCpu.read_once(stats(name).state_pending[kSockItem]); }
  void record(std::string_view event, unsigned cpu = 1) {
    recorder_.start(s_);
    s_.run(event, cpu);
  }
  // The memcgs of which CPU `cpu` has an object KIND[MEMCG]@cpu that was touched.
  Names touched(const std::string& kind, unsigned cpu) {
    const std::string end = "]@" + std::to_string(cpu);
    Names names;
    for (const Touch& t : recorder_.touches)
      if (t.object.starts_with(kind + "[") && t.object.ends_with(end))
        names.insert(t.object.substr(kind.size() + 1, t.object.size() - kind.size() - 1 - end.size()));
    return names;
  }

  Recorder recorder_;
  Simulation s_{variant_named("percall7"), workload(), kCpus, &recorder_};
};

Set from_to(std::size_t first, std::size_t last) {
  Set all;
  for (; first <= last; ++first) all.insert(first);
  return all;
}

TEST_F(Flush, TouchesWhatIsOnTheListAndNothingElse) {
  s_.run("charge", 0);
  s_.run("charge", 2);
  record("flush");
  EXPECT_EQ(touched("vmstats_percpu", 0), (Names{"g0.m0", "g0.l1", "root"}));
  EXPECT_EQ(touched("vmstats_percpu", 1), Names{});
  EXPECT_EQ(touched("vmstats_percpu", 2), (Names{"g1.m0", "g1.l1", "root"}));
  EXPECT_EQ(touched("vmstats_percpu", 3), Names{});
  EXPECT_EQ(touched("css_rstat_cpu", 0), (Names{"g0.m0", "g0.l1", "root"}));
  EXPECT_EQ(touched("css_rstat_cpu", 1), Names{"root"});  // is the flush's root linked?
  EXPECT_EQ(touched("css_rstat_cpu", 2), (Names{"g1.m0", "g1.l1", "root"}));
  EXPECT_EQ(touched("css_rstat_cpu", 3), Names{"root"});
  for (const Touch& t : recorder_.touches) {
    EXPECT_TRUE(t.object.find(".m1]") == std::string::npos && t.object.find(".m2]") == std::string::npos) << t.object;
    EXPECT_FALSE(t.object.starts_with("memcg_stock") || t.object == "elsewhere") << t.object;
  }
}

TEST_F(Flush, LinesOfAPercpuPart) {
  s_.run("charge", 0);
  record("flush");
  const std::string leaf = "vmstats_percpu[g0.m0]@0", inner = "vmstats_percpu[g0.l1]@0";
  EXPECT_EQ(recorder_.read(leaf, 64), from_to(0, 18));
  EXPECT_EQ(recorder_.written(leaf, 64), (Set{0, 13}));  // stats_updates; state_prev of MEMCG_SOCK
  EXPECT_EQ(recorder_.written(leaf, 1), (Set{0, 592 + kSock}));
  EXPECT_EQ(recorder_.read(leaf, 1).count(0), 0u);  // a plain store
  for (const std::string& above : {inner, std::string("vmstats_percpu[root]@0")}) {
    EXPECT_EQ(recorder_.read(above, 64), from_to(0, 18));
    EXPECT_EQ(recorder_.written(above, 1), Set{0});  // nothing was charged to it
  }
}

TEST_F(Flush, ListNodeAndTree) {
  s_.run("charge", 0);
  record("flush");
  EXPECT_EQ(recorder_.read("css_rstat_cpu[g0.m0]@0", 1), (Set{kChildren, kNext, kLnode, kOwner}));
  EXPECT_EQ(recorder_.written("css_rstat_cpu[g0.m0]@0", 1), (Set{kChildren, kNext, kLnode}));
  EXPECT_EQ(recorder_.written("css_rstat_cpu[g0.l1]@0", 1), (Set{kChildren, kNext}));
  EXPECT_EQ(recorder_.written("css_rstat_cpu[root]@0", 1), (Set{kChildren, kNext}));
  EXPECT_EQ(recorder_.written("lhead@0", 1), Set{0});
  for (unsigned cpu = 1; cpu < kCpus; ++cpu) {
    const std::string at = "@" + std::to_string(cpu);
    EXPECT_EQ(recorder_.read("css_rstat_cpu[root]" + at, 1), Set{kNext});
    EXPECT_EQ(recorder_.written("css_rstat_cpu[root]" + at, 1), Set{});
    EXPECT_EQ(recorder_.read("lhead" + at, 1), Set{0});
    EXPECT_EQ(recorder_.written("lhead" + at, 1), Set{});
  }
  EXPECT_EQ(recorder_.written("mem_cgroup[g0.m0]", 1), Set{offsetof(CgroupSubsysState, rstat_flush_next)});
  EXPECT_EQ(recorder_.written("mem_cgroup[g1.m0]", 1), Set{});
}

TEST_F(Flush, SharedPartIsWrittenWhereItChanged) {
  s_.run("charge", 0, 0, 3);
  record("flush");
  EXPECT_EQ(recorder_.written("vmstats[g0.m0]", 1), (Set{kSock, kLocal + kSock}));
  EXPECT_EQ(recorder_.written("vmstats[g0.l1]", 1), (Set{kSock, kPending + kSock}));
  EXPECT_EQ(recorder_.written("vmstats[root]", 1), (Set{kSock, kPending + kSock}));
  EXPECT_EQ(recorder_.written("vmstats[g1.m0]", 1), Set{});
  EXPECT_EQ(recorder_.count("vmstats[g0.l1]", kPending + kSock, writes), 2u);  // the child adds, its own flush zeroes
  for (const char* name : {"g0.m0", "g0.l1", "root"}) {
    EXPECT_EQ(total(name), 3) << name;
    EXPECT_EQ(pending(name), 0) << name;
    EXPECT_EQ(local(name), name == std::string("g0.m0") ? 3 : 0) << name;
  }
}

TEST_F(Flush, WritesNoStatisticThatIsAsBefore) {
  s_.run("charge", 0);
  s_.run("flush", 1);
  s_.run("pair", 0);  // +1 -1: on the list, and nothing to add
  record("flush");
  EXPECT_EQ(touched("vmstats_percpu", 0), (Names{"g0.m0", "g0.l1", "root"}));
  EXPECT_EQ(recorder_.written("vmstats_percpu[g0.m0]@0", 1), Set{0});
  for (const char* name : {"vmstats[g0.m0]", "vmstats[g0.l1]", "vmstats[root]"})
    EXPECT_EQ(recorder_.written(name, 1), Set{}) << name;
  EXPECT_EQ(total("root"), 1);
  record("flush");  // and now nothing is on it
  for (unsigned cpu = 0; cpu < kCpus; ++cpu) EXPECT_EQ(touched("vmstats_percpu", cpu), Names{});
}

TEST_F(Flush, AggregatesEventsOfAllCpus) {
  s_.run("charge", 0);  // puts the node on the list of each CPU
  s_.run("charge", 1);
  kCpu.write(statc("g0.m0", 0).events[5], 7);
  kCpu.write(statc("g0.m0", 1).events[5], 4);
  kCpu.write(statc("g0.l1", 0).events[30], 2);
  s_.run("flush", 2);
  const auto events = [&](const char* name, std::size_t i) { return kCpu.read_once(stats(name).events[i]); };
  for (const char* name : {"g0.m0", "g0.l1", "root"}) EXPECT_EQ(events(name, 5), 11u) << name;
  EXPECT_EQ(events("g1.m0", 5), 0u);
  EXPECT_EQ(events("g0.m0", 30), 0u);
  for (const char* name : {"g0.l1", "root"}) EXPECT_EQ(events(name, 30), 2u) << name;
  EXPECT_EQ(kCpu.read_once(stats("g0.m0").events_local[5]), 11u);
  EXPECT_EQ(kCpu.read_once(stats("g0.l1").events_local[5]), 0u);
  EXPECT_EQ(kCpu.read_once(stats("g0.l1").events_local[30]), 2u);
  EXPECT_EQ(kCpu.read(statc("g0.m0", 0).events_prev[5]), 7u);
  s_.run("charge", 0);
  kCpu.write(statc("g0.m0", 0).events[5], 10);
  s_.run("flush", 2);
  EXPECT_EQ(events("root", 5), 14u);  // only what is new
}

TEST_F(Flush, LocksOnceForEachCpuAndHoldsIt) {
  for (unsigned cpu = 0; cpu < kCpus; ++cpu) s_.run("charge", cpu);
  record("flush");
  unsigned taken = 0, released = 0;
  for (const Touch& t : recorder_.touches) {
    if (t.object == "memory_cgrp_subsys" && t.offset == kLock) {
      taken += t.kind == AccessKind::kLockedReadModifyWrite;
      released += t.kind == AccessKind::kStore;
      continue;
    }
    const std::size_t at = t.object.find('@');
    if (at == std::string::npos) continue;
    EXPECT_EQ(taken, released + 1) << t.object << " without the lock";
    EXPECT_EQ(t.object.substr(at + 1), std::to_string(taken - 1)) << "in the section of another CPU";
  }
  EXPECT_EQ(taken, kCpus);
  EXPECT_EQ(released, kCpus);
}

TEST_F(Flush, ClearsTheUpdateCounts) {
  s_.run("charge", 0, 0, 3);
  EXPECT_EQ(kCpu.read_once(statc("g0.m0", 0).stats_updates), 3u);
  record("flush");
  for (const char* name : {"g0.m0", "g0.l1", "root"}) {
    EXPECT_EQ(kCpu.read_once(statc(name, 0).stats_updates), 0u) << name;
    EXPECT_EQ(recorder_.count("vmstats[" + std::string(name) + "]", kSharedUpdates, writes), 0u);  // it was 0
    EXPECT_EQ(recorder_.count("vmstats[" + std::string(name) + "]", kSharedUpdates, reads), 1u);
  }
  s_.run("charge", 0, 0, 64);
  EXPECT_EQ(kCpu.read_once(stats("root").stats_updates), 64);
  record("flush");
  for (const char* name : {"g0.m0", "g0.l1", "root"}) {
    EXPECT_EQ(kCpu.read_once(stats(name).stats_updates), 0) << name;
    EXPECT_EQ(recorder_.count("vmstats[" + std::string(name) + "]", kSharedUpdates, writes), 1u);
  }
}

TEST_F(Flush, LinkingStopsAtALinkedAncestor) {
  s_.run("charge", 0, 0);
  s_.run("charge", 0, 1);
  record("flush");
  EXPECT_EQ(recorder_.count("css_rstat_cpu[root]@0", kNext, reads), 2u);   // by the first leaf, and by the flush
  EXPECT_EQ(recorder_.count("css_rstat_cpu[root]@0", kNext, writes), 2u);  // linked, unlinked
  EXPECT_EQ(recorder_.count("css_rstat_cpu[root]@0", kChildren, writes), 2u);
  EXPECT_EQ(recorder_.count("css_rstat_cpu[g0.l1]@0", kNext, writes), 2u);
  EXPECT_EQ(recorder_.count("css_rstat_cpu[g0.l1]@0", kChildren, writes), 3u);  // two children
  EXPECT_EQ(total("root"), 2);
}

TEST_F(Flush, ReadBelowTheThresholdWritesNothing) {
  s_.run("charge", 0, 0, 64);  // the threshold itself
  EXPECT_EQ(kCpu.read_once(stats("g0.m0").stats_updates), 64);
  record("read", 0);
  for (const Touch& t : recorder_.touches) EXPECT_FALSE(writes(t.kind)) << t.object << "+" << t.offset;
  EXPECT_EQ(recorder_.read("vmstats[g0.m0]", 1).size(), kStateItems + kEventItems + 1);
  EXPECT_EQ(*recorder_.read("vmstats[g0.m0]", 1).rbegin(), kSharedUpdates);
  EXPECT_EQ(total("g0.m0"), 0);
}

TEST_F(Flush, ReadAboveTheThresholdFlushesItsSubtree) {
  s_.run("charge", 0, 0, 64);
  s_.run("charge", 0, 1, 64);  // two leaves: 128 in their parent
  s_.run("charge", 2, 0, 64);
  auto& driver = *static_cast<Driver*>(s_.arena().percpu_address(3, kCpu.read(s_.globals()->driver)));
  kCpu.write(driver.reads, named("g0.l1"));
  record("read", 3);
  EXPECT_EQ(touched("vmstats_percpu", 0), (Names{"g0.l1", "g0.m0", "g0.m1"}));
  EXPECT_EQ(touched("vmstats_percpu", 2), Names{});
  EXPECT_EQ(total("g0.l1"), 128);
  EXPECT_EQ(total("root"), 0);
  EXPECT_EQ(pending("root"), 128);
  EXPECT_EQ(total("g1.m0"), 0);
  EXPECT_EQ(kCpu.read_once(statc("root", 0).stats_updates), 0u);
  EXPECT_EQ(kCpu.read_once(stats("root").stats_updates), 128);  // the root is as far from its flush as before
  EXPECT_EQ(recorder_.written("vmstats[root]", 1), Set{kPending + kSock});

  s_.run("flush", 3);  // the rest is where it was
  EXPECT_EQ(total("root"), 192);
  EXPECT_EQ(total("g1.l1"), 64);
  EXPECT_EQ(violated_invariant(s_.globals()), "");
}

// First, last or in the middle of its parent's children: the others stay in the tree.
TEST_F(Flush, ReadUnlinksOneChildAndLeavesItsSiblings) {
  auto& driver = *static_cast<Driver*>(s_.arena().percpu_address(0, kCpu.read(s_.globals()->driver)));
  long charged = 0;
  for (const std::string one : {"g0.m0", "g0.m1", "g0.m2"}) {
    for (unsigned leaf = 0; leaf < 3; ++leaf) s_.run("charge", 0, leaf, 65);
    charged += 65;
    kCpu.write(driver.reads, named(one));
    record("read", 0);
    EXPECT_EQ(touched("vmstats_percpu", 0), Names{one});
    EXPECT_EQ(total(one), charged);
    record("flush");
    Names others{"g0.m0", "g0.m1", "g0.m2", "g0.l1", "root"};
    others.erase(one);
    EXPECT_EQ(touched("vmstats_percpu", 0), others) << "after a read of " << one;
    EXPECT_EQ(total("root"), 3 * charged);
  }
  EXPECT_EQ(violated_invariant(s_.globals()), "");
}

}  // namespace
}  // namespace hitmark::memcg
