// The lines that one paired operation touches when the stock serves it (the reference, section 3.6): private ones,
// read-mostly shared ones, and those that other CPUs write. Three levels.
#include <gtest/gtest.h>

#include "kernels/memcg/recorder.hpp"

namespace hitmark::memcg {
namespace {

struct Lines {
  std::set<std::string> own, shared, updated;  // "object line"; of the CPU, read-mostly, written by all CPUs
  std::size_t locked = 0;
};

bool is_update_count(const Touch& touch) {
  return touch.object.starts_with("vmstats[") && touch.offset == offsetof(MemcgVmstats, stats_updates);
}

// Of one pair after `before` others; without the area's first line, which holds this_cpu_off.
Lines lines_of_pair(std::string_view variant, unsigned online_cpus, unsigned before) {
  Workload workload;
  workload.online_cpus = online_cpus;
  Recorder recorder;
  Simulation simulation(variant_named(variant), workload, 2, &recorder);
  for (unsigned i = 0; i < before; ++i) simulation.run("pair", 0);
  recorder.start(simulation);
  simulation.run("pair", 0);
  Lines lines;
  for (const Touch& touch : recorder.touches) {
    const std::string line = touch.object + " " + std::to_string(touch.offset / kLine);
    const bool percpu = touch.object.find('@') != std::string::npos;
    if (touch.object == "area@0") continue;
    EXPECT_EQ(percpu && touch.object.ends_with("@1"), false) << touch.object;
    (percpu ? lines.own : is_update_count(touch) ? lines.updated : lines.shared).insert(line);
    lines.locked += touch.kind == AccessKind::kLockedReadModifyWrite;
  }
  return lines;
}

using Set = std::set<std::string>;
const Set kStatisticsOfLevels = {"vmstats_percpu[g0.m0]@0 0", "vmstats_percpu[g0.l1]@0 0", "vmstats_percpu[root]@0 0"};
const Set kCountsOfLevels = {"vmstats[g0.m0] 26", "vmstats[g0.l1] 26", "vmstats[root] 26"};

Set joined(Set a, const Set& b) {
  a.insert(b.begin(), b.end());
  return a;
}

// The stock, the item, and L levels' line 0. css_rstat_cpu is the CPU's own, too, but the flusher of any CPU writes it.
TEST(LineBudget, V4bOnOneSlot) {
  const Lines lines = lines_of_pair("g3-v4b", 1000, 1);
  EXPECT_EQ(lines.own,
            joined(kStatisticsOfLevels, {"memcg_stock@0 0", "vmstats_percpu[g0.m0]@0 4", "css_rstat_cpu[g0.m0]@0 0"}));
  EXPECT_EQ(lines.shared, (Set{"mem_cgroup[g0.m0] 0", "mem_cgroup[g0.m0] 19"}));
  EXPECT_EQ(lines.updated, Set{});
  EXPECT_EQ(lines.locked, 0u);
}

TEST(LineBudget, V4bAtEvery64thUpdate) {
  const Lines lines = lines_of_pair("g3-v4b", 1000, 31);  // the 63rd and 64th update
  EXPECT_EQ(lines.updated, kCountsOfLevels);
  EXPECT_EQ(lines.locked, 3u);                                                                 // L, once in 64 updates
  EXPECT_EQ(lines.shared, (Set{"mem_cgroup[g0.m0] 0", "mem_cgroup[g0.m0] 19", "globals 0"}));  // and the number of CPUs
}

TEST(LineBudget, V5AndV5bBeforeSaturation) {
  for (const char* variant : {"g5-v5", "percall7", "g4-v5b"}) {
    const Lines lines = lines_of_pair(variant, 1000, 1);
    EXPECT_EQ(lines.own,
              joined(kStatisticsOfLevels, {"memcg_stock@0 0", "vmstats_percpu[g0.m0]@0 4", "css_rstat_cpu[g0.m0]@0 0"}))
        << variant;
    EXPECT_EQ(lines.shared, (Set{"mem_cgroup[g0.m0] 0", "mem_cgroup[g0.m0] 19", "memory_cgrp_subsys 0", "globals 0"}))
        << variant;
    EXPECT_EQ(lines.updated, kCountsOfLevels) << variant;
    EXPECT_EQ(lines.locked, 0u) << variant;
    EXPECT_EQ(lines_of_pair(variant, 1000, 31).locked, 3u) << variant;
  }
}

TEST(LineBudget, V5AndV5bWhenTheLeafIsToBeFlushed) {
  for (const char* variant : {"g5-v5", "percall7", "g4-v5b"}) {
    const Lines lines = lines_of_pair(variant, 1, 1000);
    EXPECT_EQ(lines.own, (Set{"memcg_stock@0 0", "vmstats_percpu[g0.m0]@0 4", "vmstats_percpu[g0.m0]@0 0",
                              "css_rstat_cpu[g0.m0]@0 0"}))
        << variant;
    EXPECT_EQ(lines.updated, Set{"vmstats[g0.m0] 26"}) << variant;
    EXPECT_EQ(lines.locked, 0u) << variant;
  }
}

TEST(LineBudget, ThePatchTouchesTheStockAlone) {
  const Lines lines = lines_of_pair("packed6", 1000, 1);
  EXPECT_EQ(lines.own, Set{"memcg_stock@0 0"});
  EXPECT_EQ(joined(lines.shared, lines.updated), Set{});
  EXPECT_EQ(lines.locked, 0u);
}

// Before the counts per memcg no line is written by all CPUs but V3's one, once in 64 calls.
TEST(LineBudget, OlderGenerations) {
  for (const char* variant : {"g0-v0", "g0-v1", "g2-v3", "g3-v3b"}) {
    const Lines lines = lines_of_pair(variant, 1000, 1);
    Set own = {"memcg_stock@0 0", "vmstats_percpu[g0.m0]@0 4"};
    if (variant != std::string("g0-v0")) own.insert("css_rstat_cpu[g0.m0]@0 0");
    if (std::string(variant).find("v3") != std::string::npos) own.insert("stats_updates@0 0");
    EXPECT_EQ(lines.own, own) << variant;
    EXPECT_EQ(lines.updated, Set{}) << variant;
    EXPECT_EQ(lines.locked, 0u) << variant;
  }
  EXPECT_EQ(lines_of_pair("g2-v3", 1000, 31).locked, 1u);
  EXPECT_EQ(lines_of_pair("g3-v4", 1000, 1).shared,  // V4 walks the memcgs of every level
            (Set{"mem_cgroup[g0.m0] 0", "mem_cgroup[g0.m0] 19", "mem_cgroup[g0.m0] 2", "mem_cgroup[g0.l1] 19",
                 "mem_cgroup[g0.l1] 2", "mem_cgroup[root] 19", "mem_cgroup[root] 2"}));
}

}  // namespace
}  // namespace hitmark::memcg
