#include "topology/hwloc_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "support/file.hpp"

namespace hitmark {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

const char kRome[] = "testdata/ours-rome2s-nps1-sysfs.xml";

// A folder of its own for each test.
class BadInput : public testing::Test {
 protected:
  BadInput() {
    char name[] = "/tmp/hitmark_topology_XXXXXX";
    folder_ = ::mkdtemp(name);
  }
  ~BadInput() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& content) {
    const std::string path = folder_ + "/input.xml";
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }

  // The error, which is one sentence that names the file; nothing may reach stdout or stderr.
  static Error refused(const std::string& path) {
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    const auto topology = read_topology_file(path);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    if (topology) {
      ADD_FAILURE() << path << " was read";
      return {ErrorKind::kUsage, "", ""};
    }
    EXPECT_THAT(topology.error().message, HasSubstr(path));
    EXPECT_THAT(topology.error().message, testing::Not(HasSubstr("\n")));
    return topology.error();
  }

  std::string folder_;
};

TEST_F(BadInput, VersionThree) {
  std::string xml = *read_file(kRome);
  const auto at = xml.find("version=\"2.0\"");
  ASSERT_NE(at, std::string::npos);
  const Error error = refused(file(xml.replace(at, 13, "version=\"3.0\"")));
  EXPECT_EQ(error.kind, ErrorKind::kInvalid);
  EXPECT_THAT(error.message, HasSubstr("version 3.0"));
}

TEST_F(BadInput, VersionOneHasNoVersion) {
  EXPECT_THAT(refused(file("<?xml version=\"1.0\"?><topology><object type=\"Machine\"/></topology>")).message,
              HasSubstr("version 1"));
}

TEST_F(BadInput, TruncatedAnywhere) {
  const std::string xml = *read_file(kRome);
  for (const std::size_t length : {1ul, 60ul, 130ul, 5000ul, xml.size() / 2, xml.size() - 20}) {
    const Error error = refused(file(xml.substr(0, length)));
    EXPECT_EQ(error.kind, ErrorKind::kInvalid) << length;
  }
  EXPECT_THAT(refused(file(xml.substr(0, 5000))).message, HasSubstr("cut off"));
}

TEST_F(BadInput, DamagedInTheMiddle) {
  const std::string xml = *read_file(kRome);
  const Error error = refused(file(xml.substr(0, xml.size() / 2) + "</topology>\n"));
  EXPECT_EQ(error.kind, ErrorKind::kInvalid);
  EXPECT_THAT(error.message, HasSubstr("hwloc cannot make a topology of"));
}

TEST_F(BadInput, Directory) {
  const Error error = refused(folder_);
  EXPECT_EQ(error.kind, ErrorKind::kInvalid);
  EXPECT_THAT(error.message, HasSubstr("is a directory"));
}

TEST_F(BadInput, EmptyFile) {
  const Error error = refused(file(""));
  EXPECT_EQ(error.kind, ErrorKind::kInvalid);
  EXPECT_THAT(error.message, EndsWith("is empty"));
}

TEST_F(BadInput, HundredMebibytes) {
  const std::string path = file("");
  ASSERT_EQ(::truncate(path.c_str(), 100 << 20), 0);  // sparse
  const Error error = refused(path);
  EXPECT_EQ(error.kind, ErrorKind::kInvalid);
  EXPECT_THAT(error.message, HasSubstr("104857600 bytes"));
}

TEST_F(BadInput, Binary) {
  std::ifstream program("/proc/self/exe", std::ios::binary);
  std::string content(100000, '\0');
  program.read(content.data(), static_cast<std::streamsize>(content.size()));
  const Error error = refused(file(content));
  EXPECT_EQ(error.kind, ErrorKind::kInvalid);
  EXPECT_THAT(error.message, HasSubstr("is not an hwloc XML file"));
}

TEST_F(BadInput, MissingFile) { EXPECT_EQ(refused(folder_ + "/none.xml").kind, ErrorKind::kNotFound); }

TEST_F(BadInput, FifoDoesNotBlock) {
  const std::string path = folder_ + "/fifo";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(refused(path).kind, ErrorKind::kInvalid);
}

// Found by fuzzing: the first makes hwloc 2.9 fail an assertion, the second has an L3 within an L3,
// the third a NUMA node without a number.
TEST_F(BadInput, WhatFuzzingFound) {
  for (const char* name : {"crashes_hwloc", "nested_l3", "unnumbered_node"})
    EXPECT_EQ(refused("testdata/damaged/" + std::string(name) + ".xml").kind, ErrorKind::kInvalid) << name;
}

// A CPU number beyond any Linux, and a PU without a number.
TEST_F(BadInput, AbsurdNumbers) {
  const std::string head =
      "<topology version=\"2.0\"><object type=\"Machine\" os_index=\"0\" cpuset=\"0x1\" "
      "complete_cpuset=\"0x1\" nodeset=\"0x1\" complete_nodeset=\"0x1\">";
  for (const char* pu : {"<object type=\"PU\" os_index=\"4000000000\" cpuset=\"0x1\"/>",
                         "<object type=\"PU\" cpuset=\"0xf...f\"/>", "<object type=\"PU\"/>", ""})
    EXPECT_EQ(refused(file(head + pu + "</object></topology>")).kind, ErrorKind::kInvalid) << pu;
}

TEST(Synthetic, IsReadInTheFormOfTheManual) {
  const auto topology = read_synthetic_topology("pack:2 [numa] l3:16(size=16777216) core:4 pu:2");
  ASSERT_TRUE(topology) << topology.error().message;
  EXPECT_EQ(topology->cpus().size(), 256u);
  EXPECT_EQ(topology->facts().l3, 32);
  EXPECT_EQ(topology->facts().l3_mib, "16");
  EXPECT_EQ(topology->find(129)->package, 1);
  EXPECT_EQ(topology->find(129)->thread, 1);
  EXPECT_EQ(topology->find(256), nullptr);
}

TEST(Synthetic, RefusesWhatIsNotOneOrIsTooLarge) {
  for (const char* text : {"", "garbage", "pack:0", "pack:2 core", "core:-3", "pack:2 [numa", "99999999999999999999",
                           "pack:100 core:100", "pack:1000000000", "8 8 8 8 8 8"}) {
    testing::internal::CaptureStderr();
    const auto topology = read_synthetic_topology(text);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << text;
    ASSERT_FALSE(topology) << text;
    EXPECT_EQ(topology.error().kind, ErrorKind::kUsage) << text;
  }
}

TEST(Host, HasTheCpusThatThisProcessMayUse) {
  const auto topology = read_host_topology();
  ASSERT_TRUE(topology) << topology.error().message;
  EXPECT_EQ(topology->source, "this host");
  EXPECT_GE(topology->cpus().size(), 1u);
  EXPECT_NE(topology->find(topology->facts().max_pu), nullptr);
}

TEST(Host, RefusesToTakeASavedMachineForThisOne) {
  ::setenv("HWLOC_SYNTHETIC", "pack:2 core:2 pu:1", 1);
  const auto topology = read_host_topology();
  ::unsetenv("HWLOC_SYNTHETIC");
  ASSERT_FALSE(topology);
  EXPECT_THAT(topology.error().message, HasSubstr("HWLOC_SYNTHETIC"));
}

TEST(Distances, AreThoseOfTheFile) {
  const auto rome = read_topology_file("testdata/ours-rome2s-nps4-sysfs.xml");
  ASSERT_TRUE(rome);
  EXPECT_EQ(rome->distance(0, 0), 10);
  EXPECT_EQ(rome->distance(0, 3), 12);
  EXPECT_EQ(rome->distance(0, 4), 32);
  EXPECT_EQ(rome->distance(0, 8), std::nullopt);
  const auto synthetic = read_topology_file("testdata/ours-rome2s-nps4-synthetic.xml");
  EXPECT_EQ(synthetic->distance(0, 1), std::nullopt);
}

TEST(Cpuset, LeavesTheNumbersOfTheWholeMachine) {
  const auto machine = read_topology_file("testdata/ours-rome2s-nps1-cpuset-full.xml");
  ASSERT_TRUE(machine);
  EXPECT_EQ(machine->cpus().size(), 18u);
  EXPECT_EQ(machine->find(4)->ccx, 1);
  EXPECT_EQ(machine->find(66)->ccx, 16);
  EXPECT_EQ(machine->disallowed.size(), 238u);
  EXPECT_THAT(machine->remarks, testing::Contains(HasSubstr("cpuset forbids: 0-3,12-65")));
}

TEST(Offline, IsListed) {
  const auto machine = read_topology_file("testdata/ours-rome2s-nps1-offline.xml");
  ASSERT_TRUE(machine);
  EXPECT_THAT(machine->offline, testing::ElementsAre(5, 64, 65, 66, 67, 133, 192, 193, 194, 195, 200));
  EXPECT_TRUE(machine->disallowed.empty());
}

}  // namespace
}  // namespace hitmark
