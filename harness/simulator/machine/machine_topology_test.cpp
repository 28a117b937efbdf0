#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/simulator/machine/machine_model.hpp"
#include "topology/hwloc_reader.hpp"
#include "topology/placement.hpp"

namespace hitmark::simulator {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kCaptures = "../../../topology/testdata/";

// What hwloc reads of a real Rome and what the machine file gives are the same in everything that a placement uses.
class AgainstCapture : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(AgainstCapture, EveryCpuIsWhereLinuxShowsIt) {
  const auto& [machine, capture] = GetParam();
  const auto simulated = topology_of(*load_machine(machine));
  const auto real = read_topology_file(kCaptures + capture);
  ASSERT_TRUE(simulated && real);
  ASSERT_EQ(simulated->cpus().size(), real->cpus().size());
  for (std::size_t i = 0; i < real->cpus().size(); ++i) {
    const Cpu &a = simulated->cpus()[i], &b = real->cpus()[i];
    EXPECT_THAT((std::vector<int>{a.os, a.package, a.node, a.die, a.ccx, a.core, a.thread, a.ccd, a.quadrant}),
                ElementsAre(b.os, b.package, b.node, b.die, b.ccx, b.core, b.thread, b.ccd, b.quadrant));
  }
  for (const NumaNode& from : real->nodes())
    for (const NumaNode& to : real->nodes())
      EXPECT_EQ(simulated->distance(from.os, to.os), real->distance(from.os, to.os)) << from.os << ' ' << to.os;
  const Facts &a = simulated->facts(), &b = real->facts();
  EXPECT_THAT((std::vector<int>{a.packages, a.numa, a.groups, a.l3, a.cores, a.pus, a.max_pu, a.distances}),
              ElementsAre(b.packages, b.numa, b.groups, b.l3, b.cores, b.pus, b.max_pu, b.distances));
  EXPECT_EQ(a.l3_mib + ' ' + a.cores_per_l3 + ' ' + a.pus_per_core + ' ' + a.first_core_pus,
            b.l3_mib + ' ' + b.cores_per_l3 + ' ' + b.pus_per_core + ' ' + b.first_core_pus);
  EXPECT_EQ(simulated->nps, real->nps);
}

INSTANTIATE_TEST_SUITE_P(Of, AgainstCapture,
                         testing::Values(std::pair{"rome-2s", "ours-rome2s-nps1-sysfs.xml"},
                                         std::pair{"rome-2s@nps2", "ours-rome2s-nps2-sysfs.xml"},
                                         std::pair{"rome-2s@nps4", "ours-rome2s-nps4-sysfs.xml"},
                                         std::pair{"rome-2s-7742@nps4", "sysinfojl-hawk-compute-2x7742-nps4.xml"}));

TEST(MachineTopology, PlacementsMeanWhatTheySay) {
  const auto topology = topology_of(*load_machine("rome-2s"));
  const auto cpus = [&](const char* name) {
    const auto placement = resolve_placement(*topology, name);
    return placement ? placement->cpus : std::vector<int>{};
  };
  EXPECT_THAT(cpus("single"), ElementsAre(0));
  EXPECT_THAT(cpus("smt-siblings"), ElementsAre(0, 128));
  EXPECT_THAT(cpus("same-ccx"), ElementsAre(0, 1));
  EXPECT_THAT(cpus("same-quadrant"), ElementsAre(0, 4));
  EXPECT_THAT(cpus("cross-quadrant"), ElementsAre(0, testing::AllOf(testing::Ge(16), testing::Lt(64))));
  EXPECT_THAT(cpus("cross-socket"), ElementsAre(0, 64));
  EXPECT_EQ(cpus("fill:128").size(), 128u);
  EXPECT_THAT(cpus("fill:9"), ElementsAre(0, 1, 2, 3, 128, 129, 130, 131, 4));
  EXPECT_EQ(cpus("spread:2").size(), 2u);
  EXPECT_EQ(cpus("spread:32").size(), 32u);
  EXPECT_EQ(resolve_placement(*topology, "same-ccx@home:remote")->home_node, 1);
  EXPECT_EQ(topology->remarks.size(), 1u) << "the file's caution";
}

TEST(MachineTopology, SmallerMachinesHaveFewerPlacements) {
  const auto one_socket = topology_of(*load_machine("rome-1s"));
  EXPECT_FALSE(resolve_placement(*one_socket, "cross-socket"));
  const auto fused = topology_of(*load_machine("rome-2s-7302"));
  EXPECT_THAT(resolve_placement(*fused, "cross-socket")->cpus, ElementsAre(0, 16));
  EXPECT_THAT(resolve_placement(*fused, "smt-siblings")->cpus, ElementsAre(0, 32));
  const auto milan = topology_of(*load_machine("milan-2s"));
  EXPECT_EQ(milan->cpus()[8].ccx, 1);
  EXPECT_EQ(milan->cpus()[16].quadrant, 1);
  EXPECT_EQ(milan->cpus()[8].ccd, 1);
}

MachineModel from_capture(const char* file) {
  const auto topology = read_topology_file(kCaptures + file);
  const auto model = machine_from(*topology);
  EXPECT_TRUE(model) << model.error().message;
  return model ? *model : MachineModel{};
}

TEST(MachineFrom, TakesTheStructureOfARealMachine) {
  const MachineModel rome = from_capture("sysinfojl-hawk-compute-2x7742-nps4.xml");
  EXPECT_EQ(rome.cpus(), 256u);
  EXPECT_EQ(rome.quadrants, 4u);
  EXPECT_EQ(rome.nodes_per_socket, 4u);
  EXPECT_EQ(rome.ccxs_per_ccd, 2u);
  EXPECT_THAT(rome.caution, HasSubstr("not of this machine"));
  const MachineModel milan = from_capture("sysinfojl-perlmutter-2x7763-nps4.xml");
  EXPECT_EQ(milan.cores_per_ccx, 8u);
  EXPECT_EQ(milan.l3.sets * milan.l3.ways * 64, 32u << 20);
  const MachineModel guest = from_capture("ours-vm2-one-ccx.xml");
  EXPECT_EQ(guest.quadrants, 1u);
  EXPECT_EQ(guest.cores_per_ccx, 2u);
  EXPECT_THAT(guest.caution, HasSubstr("quadrants are not known"));
  EXPECT_EQ(topology_of(guest)->cpus()[0].quadrant, kUnknown);
  EXPECT_THAT(from_capture("ours-vm16-nocache.xml").caution, HasSubstr("shows no L3"));
  EXPECT_EQ(from_capture("ours-rome2s-nps1-smtoff.xml").threads_per_core, 1u);
  const MachineModel naples = from_capture("hwloc-x86-AMD-17h-Zen-2xEpyc-7451.xml");
  EXPECT_EQ(naples.l3.sets * naples.l3.ways * 64, 8u << 20);
}

TEST(MachineFrom, RefusesWhatItCannotRepresent) {
  const auto why = [](const char* file) {
    const auto model = machine_from(*read_topology_file(kCaptures + file));
    return model ? "taken" : model.error().message;
  };
  EXPECT_THAT(why("ours-rome2s-nps1-offline.xml"), HasSubstr("differs"));
  EXPECT_THAT(why("hwloc-x86-AMD-19h-Zen4-2xEpyc-9654.xml"), HasSubstr("cores in all, at most 128"));
  EXPECT_THAT(why("hwloc-linux-64amd64-4s2n4ca2co.xml"), HasSubstr("sockets, at most 2"));
  EXPECT_THAT(why("hwloc-x86-Intel-SapphireRapids-2xXeonMax9460.xml"), HasSubstr("cores_per_ccx, at most 16"));
}

}  // namespace
}  // namespace hitmark::simulator
