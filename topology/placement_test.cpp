#include "topology/placement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "topology/cpu_list.hpp"
#include "topology/hwloc_reader.hpp"

namespace hitmark {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Topology& capture(const std::string& name) {
  static std::map<std::string, Topology> read;
  if (const auto at = read.find(name); at != read.end()) return at->second;
  auto topology = read_topology_file("testdata/" + name + ".xml");
  if (!topology) throw std::runtime_error(topology.error().message);
  return read.emplace(name, std::move(*topology)).first->second;
}
const Topology& rome() { return capture("ours-rome2s-nps1-sysfs"); }
const Topology& rome_nps4() { return capture("ours-rome2s-nps4-sysfs"); }

// The groups as lists, or the error.
std::string cpus(const Topology& machine, const std::string& text) {
  const auto placement = resolve_placement(machine, text);
  if (!placement) return "error: " + placement.error().message;
  EXPECT_EQ(placement->name, text);
  std::string all;
  for (const auto& group : placement->groups) all += (all.empty() ? "" : " | ") + format_cpu_list(group);
  return all;
}

TEST(Classes, OnRome) {
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"single", "0"},          {"smt-siblings", "0,128"},  {"same-ccx", "0,1"},
      {"same-quadrant", "0,4"}, {"cross-quadrant", "0,16"}, {"cross-socket", "0,64"}};
  std::vector<std::string> names;
  for (const auto& [name, list] : expected) {
    EXPECT_EQ(cpus(rome(), name), list) << name;
    EXPECT_EQ(resolve_placement(rome(), name)->relation, name);
    names.push_back(name);
  }
  EXPECT_EQ(available_placements(rome()), names);
  EXPECT_TRUE(missing_placements(rome()).empty());
}

// Whatever the machine: each available class resolves to CPUs that stand in that relation and nothing else
// is available; each missing one is refused by name.
TEST(Classes, OnEveryCaptureMeanWhatTheySay) {
  for (const char* name :
       {"hwloc-linux-16amd64-8n2c-cpusets", "hwloc-linux-16em64t-4s2c2t-offlines",
        "hwloc-linux-20em64t-hybrid-1p6c2t+2ca4co1t", "hwloc-linux-32amd64-4s2n4c-cgroup2",
        "hwloc-linux-fakecpuid1f-64intel64-2p4d2n2c2t", "hwloc-x86-AMD-19h-Zen4-2xEpyc-9654",
        "hwloc-x86-AMD-1Ah-Zen5StrixPoint-RyzenAI9HX370", "hwloc-x86-Intel-Skylake-2xXeon6140", "mpibind-epyc-corona",
        "ours-rome2s-nps1-cpuset-full", "ours-rome2s-nps1-cpuset-restricted", "ours-rome2s-nps1-offline",
        "ours-rome2s-nps1-smtoff", "ours-vm16-nocache", "ours-vm16-one-package-per-vcpu", "ours-vm16-rome-2ccx",
        "ours-vm2-one-ccx", "sysinfojl-viper-2x9554-16nodes"}) {
    SCOPED_TRACE(name);
    const Topology& machine = capture(name);
    for (const std::string& available : available_placements(machine)) {
      const auto placement = resolve_placement(machine, available);
      ASSERT_TRUE(placement) << placement.error().message;
      EXPECT_EQ(relation_between(machine, placement->cpus.front(), placement->cpus.back()), available);
      EXPECT_EQ(placement->cpus.size(), available == "single" ? 1u : 2u);
    }
    for (const auto& missing : missing_placements(machine)) {
      const auto placement = resolve_placement(machine, missing.name);
      ASSERT_FALSE(placement) << missing.name;
      EXPECT_EQ(placement.error().kind, ErrorKind::kUnavailable);
      EXPECT_THAT(placement.error().message, HasSubstr("'" + missing.name + "'"));
      EXPECT_THAT(placement.error().message, HasSubstr("it has single"));
      EXPECT_THAT(placement.error().message, HasSubstr(missing.reason));
    }
  }
}

TEST(Classes, AreMissingWithTheReason) {
  EXPECT_THAT(cpus(capture("ours-vm2-one-ccx"), "cross-socket"), HasSubstr("one socket; it has single, same-ccx"));
  EXPECT_THAT(cpus(capture("ours-vm16-nocache"), "same-ccx"),
              HasSubstr("describes no L3 cache; it has single, same-socket"));
  EXPECT_THAT(cpus(capture("hwloc-x86-Intel-Skylake-2xXeon6140"), "same-ccx"), HasSubstr("not CCXs"));
  EXPECT_THAT(cpus(capture("ours-vm16-rome-2ccx"), "same-quadrant"), HasSubstr("cannot be inferred"));
  EXPECT_THAT(cpus(capture("ours-rome2s-nps1-smtoff"), "smt-siblings"), HasSubstr("no core has two CPUs"));
  EXPECT_THAT(cpus(capture("ours-rome2s-nps1-cpuset-full"), "cross-quadrant"),
              HasSubstr("no socket has two quadrants"));
  EXPECT_THAT(cpus(capture("hwloc-linux-32amd64-4s2n4c-cgroup2"), "cross-socket"), HasSubstr("only one socket"));
}

TEST(Classes, PassOverCpusThatAreMissing) {
  const Topology& offline = capture("ours-rome2s-nps1-offline");
  EXPECT_EQ(cpus(offline, "cross-socket"), "0,68");
  EXPECT_EQ(cpus(capture("ours-rome2s-nps1-cpuset-full"), "same-quadrant"), "4,8");
  EXPECT_EQ(cpus(capture("ours-rome2s-nps1-cpuset-full"), "cross-socket"), "4,66");
}

TEST(Spread, GoesAsFarApartAsCanBe) {
  EXPECT_EQ(cpus(rome(), "spread:2"), "0,64");
  EXPECT_EQ(cpus(rome(), "spread:9"), "0,64,16,80,32,96,48,112,4");
  EXPECT_THAT(cpus(rome(), "spread:257"), HasSubstr("needs 257 CPUs, and this machine has 256"));
  const auto all = resolve_placement(rome(), "spread:256");
  for (int i = 0; i < 128; ++i) EXPECT_EQ(rome().find(all->cpus[static_cast<std::size_t>(i)])->thread, 0);
  EXPECT_EQ(std::set<int>(all->cpus.begin(), all->cpus.end()).size(), 256u);
}

TEST(Fill, TakesOneL3AfterAnother) {
  EXPECT_EQ(cpus(rome(), "fill:4"), "0-3");
  EXPECT_EQ(cpus(rome(), "fill:9"), "0-3,128-131,4");
  EXPECT_EQ(resolve_placement(rome(), "fill:4")->relation, "same-ccx");
  EXPECT_EQ(resolve_placement(rome(), "fill:9")->relation, "same-quadrant");
}

TEST(Groups, AreDisjointAndEachInOneL3) {
  EXPECT_EQ(cpus(rome(), "groups:4x2"), "0,1 | 64,65 | 16,17 | 80,81");
  const auto many = resolve_placement(rome(), "groups:32x8");
  ASSERT_TRUE(many) << many.error().message;
  std::set<int> seen;
  for (const auto& group : many->groups) {
    EXPECT_EQ(group.size(), 8u);
    for (const int os : group) {
      EXPECT_TRUE(seen.insert(os).second);
      EXPECT_EQ(rome().find(os)->ccx, rome().find(group[0])->ccx);
    }
  }
  EXPECT_EQ(seen.size(), 256u);
  EXPECT_EQ(many->cpus.size(), 256u);
}

TEST(Groups, WidenToAPackageAndToTheMachine) {
  const auto by_package = resolve_placement(rome(), "groups:2x128");
  ASSERT_TRUE(by_package);
  for (const auto& group : by_package->groups)
    for (const int os : group) EXPECT_EQ(rome().find(os)->package, rome().find(group[0])->package);
  EXPECT_EQ(resolve_placement(rome(), "groups:3x85")->groups.size(), 3u);
  EXPECT_EQ(cpus(capture("ours-vm2-one-ccx"), "groups:2x1"), "0 | 1");
  EXPECT_THAT(cpus(rome(), "groups:3x86"), HasSubstr("needs 258 CPUs, and this machine has 256"));
}

int home(const Topology& machine, const std::string& text) {
  const auto placement = resolve_placement(machine, text);
  EXPECT_TRUE(placement) << placement.error().message;
  return placement ? placement->home_node : -2;
}

TEST(Home, IsLocalRemoteOrANode) {
  EXPECT_EQ(home(rome(), "same-ccx"), kUnknown);
  EXPECT_EQ(home(rome(), "same-ccx@home:local"), 0);
  EXPECT_EQ(home(rome(), "same-ccx@home:remote"), 1);
  EXPECT_EQ(home(rome_nps4(), "same-ccx@home:remote"), 4);  // SLIT 32, not the 12 of nodes 1 to 3
  EXPECT_EQ(home(rome_nps4(), "16@home:local"), 1);
  EXPECT_EQ(home(rome_nps4(), "64@home:remote"), 0);
  EXPECT_EQ(home(rome_nps4(), "cross-socket@home:3"), 3);
  EXPECT_EQ(home(capture("ours-rome2s-nps4-synthetic"), "single@home:remote"), 4);  // no distance table
  EXPECT_EQ(resolve_placement(rome(), "single@home:1")->home, "node 1");
  EXPECT_EQ(resolve_placement(rome(), "single@home:remote")->home, "remote");
}

// Without another package the distance table alone tells what is far.
TEST(Home, RemoteIsTheFarthestByTheDistanceTable) {
  std::vector<Cpu> cpus(3);
  for (int i = 0; i < 3; ++i) cpus[static_cast<std::size_t>(i)] = {.os = i, .package = 0, .node = i, .core = i};
  const Topology machine(cpus, {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{10, 12, 16}, {12, 10, 12}, {16, 12, 10}}, Facts{});
  EXPECT_EQ(home(machine, "0@home:remote"), 2);
  EXPECT_EQ(home(machine, "1@home:remote"), 0);
  EXPECT_EQ(home(machine, "2@home:remote"), 0);
}

TEST(Home, IsRefusedWhenThereIsNone) {
  const Topology& vm = capture("ours-vm2-one-ccx");
  EXPECT_THAT(cpus(vm, "single@home:remote"), HasSubstr("this machine has one NUMA node"));
  EXPECT_EQ(resolve_placement(vm, "single@home:remote").error().kind, ErrorKind::kUnavailable);
  EXPECT_THAT(cpus(vm, "single@home:1"), HasSubstr("there is no NUMA node 1 here; there is 0"));
  EXPECT_THAT(cpus(vm, "single@home:lcoal"), HasSubstr("did you mean local?"));
  EXPECT_EQ(resolve_placement(vm, "single@home:").error().kind, ErrorKind::kUsage);
}

TEST(Home, IsNotTakenForALikwidChain) {
  EXPECT_EQ(cpus(rome(), "S0:0-1@S1:0-1"), "0,1,64,65");
  EXPECT_EQ(home(rome(), "S0:0-1@S1:0-1@home:remote"), 1);
  EXPECT_EQ(resolve_placement(rome(), "S0:0@home:local@S1:0").error().kind, ErrorKind::kUsage);
}

TEST(Syntax, ErrorsNameWhatIsNear) {
  for (const char* text : {"", "same-cxc", "spread", "spread:", "spread:0", "spread:-1", "spread:2x2", "fill:a",
                           "groups:4", "groups:x", "groups:0x4", "groups:4x0", "single:2", "foo:1", "@home:local"}) {
    const auto placement = resolve_placement(rome(), text);
    ASSERT_FALSE(placement) << text;
    EXPECT_EQ(placement.error().kind, ErrorKind::kUsage) << text;
  }
  EXPECT_THAT(cpus(rome(), "same-cxc"), HasSubstr("did you mean same-ccx"));
}

TEST(Relation, IsTheClosest) {
  EXPECT_EQ(relation_between(rome(), 3, 3), "single");
  EXPECT_EQ(relation_between(rome(), 3, 131), "smt-siblings");
  EXPECT_EQ(relation_between(rome(), 3, 130), "same-ccx");
  EXPECT_EQ(relation_between(rome(), 3, 15), "same-quadrant");
  EXPECT_EQ(relation_between(rome(), 3, 63), "cross-quadrant");
  EXPECT_EQ(relation_between(rome(), 3, 64), "cross-socket");
  EXPECT_EQ(relation_between(rome(), 3, 999), "unknown");
  EXPECT_EQ(relation_between(capture("ours-vm16-rome-2ccx"), 0, 4), "cross-ccx");
  EXPECT_EQ(relation_between(capture("ours-vm16-nocache"), 0, 4), "same-socket");
}

}  // namespace
}  // namespace hitmark
