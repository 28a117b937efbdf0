#include "topology/cpu_expression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "topology/cpu_list.hpp"
#include "topology/hwloc_reader.hpp"
#include "topology/placement.hpp"

namespace hitmark {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// The machine of likwid-pin(1): S0 = 0,4,1,5 and S1 = 2,6,3,7.
const Topology& manual() {
  static const Topology machine = *read_synthetic_topology("pack:2 [numa] core:2 pu:2(indexes=core)");
  return machine;
}
const Topology& rome() {
  static const Topology machine = *read_topology_file("testdata/ours-rome2s-nps4-sysfs.xml");
  return machine;
}

std::vector<int> list(const Topology& machine, std::string_view text) {
  const auto cpus = resolve_cpu_expression(machine, text);
  EXPECT_TRUE(cpus) << text << ": " << cpus.error().message;
  return cpus ? *cpus : std::vector<int>{};
}

Error refused(const Topology& machine, std::string_view text) {
  const auto cpus = resolve_cpu_expression(machine, text);
  EXPECT_FALSE(cpus) << text;
  return cpus ? Error{ErrorKind::kIo, "", ""} : cpus.error();
}

TEST(Likwid, ExamplesOfItsManual) {
  EXPECT_THAT(list(manual(), "S:scatter"), ElementsAre(0, 2, 1, 3, 4, 6, 5, 7));
  EXPECT_THAT(list(manual(), "L:N:0-2"), ElementsAre(0, 1, 2));
  EXPECT_THAT(list(manual(), "E:N:4:2:4"), ElementsAre(0, 4, 2, 6));
  EXPECT_THAT(list(manual(), "E:N:4:1:2"), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(list(manual(), "0,2"), ElementsAre(0, 2));
}

TEST(Likwid, Domains) {
  EXPECT_THAT(list(rome(), "S1:0-2"), ElementsAre(64, 65, 66));
  EXPECT_THAT(list(rome(), "S1:64"), ElementsAre(192));  // second threads after all first threads
  EXPECT_THAT(list(rome(), "C17:0-3"), ElementsAre(68, 69, 70, 71));
  EXPECT_THAT(list(rome(), "M5:0,1"), ElementsAre(80, 81));
  EXPECT_THAT(list(rome(), "D1:0"), ElementsAre(64));  // no Die objects: the socket
  EXPECT_THAT(list(rome(), "N:127,128"), ElementsAre(127, 128));
  EXPECT_THAT(list(rome(), "L:0-2"), ElementsAre(0, 1, 2));
  EXPECT_THAT(list(rome(), "L:M1:1,4-6:2"), ElementsAre(17, 20, 22));
}

TEST(Likwid, Distributions) {
  EXPECT_THAT(list(rome(), "M:scatter:3"), ElementsAre(0, 16, 32));
  EXPECT_THAT(list(rome(), "S:balanced:4"), ElementsAre(0, 128, 64, 192));
  EXPECT_THAT(list(rome(), "S:cbalanced:5"), ElementsAre(0, 1, 2, 64, 65));
  EXPECT_EQ(list(rome(), "C:scatter").size(), 256u);
  EXPECT_THAT(list(rome(), "E:S1:3"), ElementsAre(64, 192, 65));
}

TEST(Likwid, Chains) { EXPECT_THAT(list(rome(), "S1:1@S0:0-1@5"), ElementsAre(65, 0, 1, 5)); }

TEST(Taskset, Lists) {
  EXPECT_THAT(list(rome(), "0-3,8,10-14:2"), ElementsAre(0, 1, 2, 3, 8, 10, 12, 14));
  EXPECT_THAT(list(rome(), "8,0"), ElementsAre(8, 0));
}

TEST(Expressions, WithBadSyntaxAreUsageErrors) {
  for (const char* text :
       {"S0",     "S",          "S:0",         "SX:0",        "S0:",           "S0:a",
        "S0:3-0", "S0:0-",      "0-",          "-1",          "1,,2",          "1@",
        "@1",     "E:S0",       "E:S0:0",      "E:S0:4:2",    "E:S0:4:0:1",    "E:S0:4:2:1",
        "E:S0:x", "S0:scatter", "M:scatter:0", "M:scatter:x", "M:scatter:2:2", "L",
        "L:",     "L:S0",       "N1:0",        "0-3:0",       "1.5",           "99999999999999999999",
        "0,0",    "S0:0@N:0"})
    EXPECT_EQ(refused(rome(), text).kind, ErrorKind::kUsage) << text;
  EXPECT_THAT(refused(rome(), "3,5,3").message, HasSubstr("CPU 3 is named twice"));
}

TEST(Expressions, ForWhatIsNotHereSayWhatIs) {
  for (const char* text : {"S2:0", "C32:0", "M8:0", "S0:128", "E:S0:65:1:2", "M:scatter:257", "256"})
    EXPECT_EQ(refused(rome(), text).kind, ErrorKind::kUnavailable) << text;
  EXPECT_THAT(refused(rome(), "S2:0").message, HasSubstr("there is S 0,1"));
  EXPECT_THAT(refused(rome(), "S0:128").message, HasSubstr("index 128 is beyond the 128 CPUs of domain S0"));
  EXPECT_THAT(refused(*read_topology_file("testdata/ours-vm16-nocache.xml"), "C0:0").message,
              HasSubstr("does not say which CPUs form a C domain"));
}

TEST(Expressions, NameCpusThatMayNotBeUsed) {
  const Topology offline = *read_topology_file("testdata/ours-rome2s-nps1-offline.xml");
  EXPECT_THAT(refused(offline, "0,5").message, HasSubstr("CPU 5 is offline"));
  EXPECT_EQ(refused(offline, "0,5").kind, ErrorKind::kUnavailable);
  const Topology cpuset = *read_topology_file("testdata/ours-rome2s-nps1-cpuset-full.xml");
  EXPECT_THAT(refused(cpuset, "4,12").message, HasSubstr("CPU 12 is not allowed here"));
  EXPECT_THAT(refused(cpuset, "400").message, HasSubstr("CPU 400 does not exist"));
  EXPECT_THAT(list(cpuset, "C1:0-3,4"), ElementsAre(4, 5, 6, 7, 132));  // C1 by its place in the machine
}

TEST(Expressions, GiveThePlacementItsWidestRelation) {
  EXPECT_EQ(resolve_placement(rome(), "0,1")->relation, "same-ccx");
  EXPECT_EQ(resolve_placement(rome(), "0,1,5")->relation, "same-quadrant");
  EXPECT_EQ(resolve_placement(rome(), "0,1,65")->relation, "cross-socket");
  EXPECT_EQ(resolve_placement(rome(), "7")->relation, "single");
}

TEST(CpuList, ReadsBackWhatItWrites) {
  for (const std::vector<int>& numbers :
       {std::vector<int>{}, {0}, {0, 1}, {0, 1, 2, 9}, {5, 4, 3}, {0, 64, 1, 65}, {7, 8, 9, 0, 1, 2}}) {
    const std::string text = format_cpu_list(numbers);
    if (numbers.empty())
      EXPECT_EQ(text, "");
    else
      EXPECT_EQ(*parse_cpu_list(text), numbers) << text;
  }
  EXPECT_EQ(format_cpu_list(std::vector<int>{0, 1, 2, 8, 10, 11}), "0-2,8,10,11");
}

}  // namespace
}  // namespace hitmark
