// The inferred quadrants against the NUMA nodes of the same part under NPS4, which show them.
#include "topology/inference.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "topology/hwloc_reader.hpp"

namespace hitmark {
namespace {

Topology capture(const std::string& name) {
  auto topology = read_topology_file("testdata/" + name + ".xml");
  if (!topology) throw std::runtime_error(topology.error().message);
  return std::move(*topology);
}

// Every CPU of `inferred` is in the quadrant that its node under NPS4 shows.
void expect_quadrants_as_nodes(const std::string& inferred, const std::string& nps4) {
  const Topology machine = capture(inferred), oracle = capture(nps4);
  EXPECT_NE(machine.quadrant_basis, "");
  std::size_t compared = 0;
  for (const Cpu& cpu : machine.cpus()) {
    ASSERT_NE(oracle.find(cpu.os), nullptr);
    EXPECT_EQ(cpu.quadrant, oracle.find(cpu.os)->node % 4) << inferred << " CPU " << cpu.os;
    ++compared;
  }
  EXPECT_GE(compared, 18u);
}

TEST(Quadrants, OfRomeAgreeWithTheNodesOfHawk) {
  const std::string hawk = "sysinfojl-hawk-compute-2x7742-nps4";
  expect_quadrants_as_nodes("sysinfojl-hawk-login-2x7702-nps1", hawk);
  expect_quadrants_as_nodes("ours-rome2s-nps1-sysfs", hawk);
  expect_quadrants_as_nodes("ours-rome2s-nps1-synthetic", hawk);
  expect_quadrants_as_nodes("ours-rome2s-nps2-sysfs", hawk);
  expect_quadrants_as_nodes("ours-rome2s-nps4-sysfs", hawk);
}

TEST(Quadrants, StayRightWhenCpusOrWholeL3sAreMissing) {
  const std::string hawk = "sysinfojl-hawk-compute-2x7742-nps4";
  expect_quadrants_as_nodes("ours-rome2s-nps1-offline", hawk);
  expect_quadrants_as_nodes("ours-rome2s-nps1-smtoff", hawk);
  expect_quadrants_as_nodes("ours-rome2s-nps1-cpuset-full", hawk);
  expect_quadrants_as_nodes("ours-rome2s-nps1-cpuset-restricted", hawk);
  EXPECT_THAT(capture("ours-rome2s-nps1-offline").quadrant_basis, testing::HasSubstr("CPU numbers"));
}

TEST(Quadrants, OfMilanAgreeWithTheNodesOfPerlmutter) {
  expect_quadrants_as_nodes("hwloc-x86-AMD-19h-Zen3-2xEpyc-7763", "sysinfojl-perlmutter-2x7763-nps4");
}

TEST(Quadrants, OfNaplesAreItsDies) {
  const Topology naples = capture("mpibind-epyc-corona");
  EXPECT_THAT(naples.quadrant_basis, testing::HasSubstr("dies"));
  for (const Cpu& cpu : naples.cpus()) {
    EXPECT_EQ(cpu.quadrant, cpu.node % 4);
    EXPECT_EQ(cpu.ccd, cpu.node);
  }
}

TEST(Ccds, PairTheL3sOfZen2AndAreTheL3OfZen3) {
  const Topology rome = capture("ours-rome2s-nps1-sysfs"), offline = capture("ours-rome2s-nps1-offline");
  for (const Cpu& cpu : rome.cpus()) EXPECT_EQ(cpu.ccd, cpu.ccx / 2);
  for (const Cpu& cpu : offline.cpus()) EXPECT_EQ(cpu.ccd, rome.find(cpu.os)->ccd) << cpu.os;
  const Topology milan = capture("sysinfojl-perlmutter-2x7763-nps4");
  for (const Cpu& cpu : milan.cpus()) EXPECT_EQ(cpu.ccd, cpu.ccx);
  const Topology genoa = capture("hwloc-x86-AMD-19h-Zen4-2xEpyc-9654");
  for (const Cpu& cpu : genoa.cpus()) EXPECT_EQ(cpu.ccd, cpu.die);
  EXPECT_EQ(genoa.ccd_basis, "hwloc's Die objects");
}

TEST(Quadrants, AreNotInferredWhereNothingTells) {
  for (const char* name :
       {"hwloc-linux-fakecpuid1f-64intel64-2p4d2n2c2t", "hwloc-x86-Intel-SapphireRapids-2xXeonMax9460",
        "hwloc-x86-Intel-RaptorLake-Corei7-1370P", "mpibind-cascade-lake-ap-snl-hwloc1", "ours-vm16-rome-2ccx",
        "ours-vm2-one-ccx", "ours-vm16-nocache", "hwloc-linux-64amd64-4s2n4ca2co",
        "hwloc-x86-AMD-1Ah-Zen5StrixPoint-RyzenAI9HX370", "hwloc-x86-AMD-19h-Zen4-2xEpyc-9654",
        "sysinfojl-viper-2x9554-16nodes"}) {
    const Topology machine = capture(name);
    EXPECT_EQ(machine.quadrant_basis, "") << name;
    for (const Cpu& cpu : machine.cpus()) EXPECT_EQ(cpu.quadrant, kUnknown) << name;
  }
}

TEST(Ccx, IsAnL3ButNotOnIntel) {
  EXPECT_NE(capture("ours-vm16-rome-2ccx").ccx_basis, "");
  EXPECT_NE(capture("ours-vm2-one-ccx").ccx_basis, "");
  EXPECT_EQ(capture("hwloc-x86-Intel-Skylake-2xXeon6140").ccx_basis, "");
  EXPECT_EQ(capture("mpibind-cascade-lake-ap-snl-hwloc1").ccx_basis, "");
  EXPECT_EQ(capture("hwloc-linux-20em64t-hybrid-1p6c2t+2ca4co1t").ccx_basis, "");
  EXPECT_EQ(capture("ours-vm16-nocache").ccx_basis, "");
}

TEST(Nps, FollowsFromTheNodesOfAPackage) {
  EXPECT_EQ(capture("ours-rome2s-nps1-sysfs").nps, "NPS1");
  EXPECT_EQ(capture("ours-rome2s-nps2-sysfs").nps, "NPS2");
  EXPECT_EQ(capture("ours-rome2s-nps4-sysfs").nps, "NPS4");
  EXPECT_EQ(capture("sysinfojl-perlmutter-2x7763-nps4").nps, "NPS4");
  EXPECT_EQ(capture("sysinfojl-viper-2x9554-16nodes").nps, "");      // hidden by L3 as NUMA node
  EXPECT_EQ(capture("ours-rome2s-nps1-cpuset-restricted").nps, "");  // nodes may be hidden
  EXPECT_EQ(capture("hwloc-x86-Intel-Skylake-2xXeon6140").nps, "");
}

// A Rome of which only some CPUs are seen, by hand: `seen` are L3s by their place, each with `cores` cores.
ChipletView part_of_rome(const std::vector<int>& seen, int cores, int from_core = 0) {
  ChipletView view;
  view.cpu_model = "AMD EPYC 7742 64-Core Processor";
  view.partial = true;
  for (const int place : seen) {
    L3Group l3;
    l3.package = static_cast<int>(view.nodes_of_package.size()) - 1;
    if (view.l3.empty() || place / 16 != view.l3.back().cores[0][0] / 64) {
      view.nodes_of_package.push_back({place / 16});
      ++l3.package;
    }
    for (int core = from_core; core < from_core + cores; ++core)
      l3.cores.push_back({place * 4 + core, place * 4 + core + 128});
    view.l3.push_back(l3);
  }
  return view;
}

TEST(Slots, FollowFromCpuNumbersOnlyWithoutDoubt) {
  EXPECT_THAT(infer_chiplets(part_of_rome({0, 5, 15, 18, 31}, 4)).quadrant, testing::ElementsAre(0, 1, 3, 0, 3));
  // Two cores of each L3: whether the part has two or four cores per L3 cannot be told.
  EXPECT_THAT(infer_chiplets(part_of_rome({1, 16}, 2)).quadrant, testing::Each(kUnknown));
  // The whole machine is seen, but has fewer L3s than a Rome: a smaller part, or a slice given to a VM.
  auto slice = part_of_rome({0, 1}, 4);
  slice.partial = false;
  EXPECT_THAT(infer_chiplets(slice).quadrant, testing::Each(kUnknown));
  // Numbers that do not follow Linux's rule.
  auto strange = part_of_rome({0, 1}, 4);
  std::swap(strange.l3[0].cores[0], strange.l3[1].cores[0]);
  EXPECT_THAT(infer_chiplets(strange).quadrant, testing::Each(kUnknown));
}

TEST(Slots, AreDroppedWhenAQuadrantWouldLieInTwoNodes) {
  auto view = part_of_rome({0, 1, 2, 3}, 4);
  for (L3Group& l3 : view.l3) l3.node = 0;
  EXPECT_THAT(infer_chiplets(view).quadrant, testing::Each(0));
  view.l3[3].node = 1;
  EXPECT_THAT(infer_chiplets(view).quadrant, testing::Each(kUnknown));
}

}  // namespace
}  // namespace hitmark
