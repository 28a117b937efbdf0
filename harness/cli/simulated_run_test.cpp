// `hitmark run --machine`, as a script sees it. Figures are not looked at (they are the engine's tests'), but that they
// are the same each time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "harness/cli/testing_program.hpp"

namespace hitmark {
namespace {

using nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::Not;
using testing_program::kProgram;
using testing_program::Outcome;
using testing_program::run_hitmark;
using testing_program::shell;

class SimulatedRunTest : public ::testing::Test {
 protected:
  SimulatedRunTest()
      : folder_(::testing::TempDir() + "simulated_run_test" + std::to_string(::getpid()) + "_" +
                ::testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::create_directories(folder_);
    ::setenv("HITMARK_LOCK_DIR", folder_.c_str(), 1);
  }
  ~SimulatedRunTest() override { std::filesystem::remove_all(folder_); }
  std::string file(const std::string& name) const { return folder_ + "/" + name; }
  std::string run(const std::string& arguments, const std::string& store = "results.db") const {
    return "run sock-charge --variants packed6 --set refill=drain --set mode=paired --invocations 2 --store " +
           file(store) + " " + arguments;
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(file(name)) << text; }
  void expect(int exit_code, const std::string& arguments, const std::string& part) const {
    const Outcome outcome = run_hitmark(arguments);
    EXPECT_EQ(outcome.exit_code, exit_code) << arguments << "\n" << outcome.text;
    EXPECT_THAT(outcome.text, HasSubstr(part)) << arguments;
  }
  std::string folder_;
};

std::string comparable(const std::string& output) {
  ordered_json json = ordered_json::parse(output);
  for (const char* key : {"run_id", "started", "environment", "wall_seconds", "store"})
    EXPECT_EQ(json.erase(key), 1u) << key;
  return json.dump(1);
}

TEST_F(SimulatedRunTest, TheSameSeedGivesTheSameBytesInAnyProcess) {
  const std::string arguments = "--machine rome-2s --placements same-ccx,cross-socket --set mode=split --json ";
  const Outcome first = shell(kProgram + " " + run(arguments + "--seed 7", "a.db"));
  ASSERT_EQ(first.exit_code, 0);
  // Other addresses of everything: no randomisation, and a stack that begins elsewhere.
  const std::string fixed = shell("setarch -R true").exit_code == 0 ? "setarch -R " : "";
  const Outcome second = shell("HITMARK_SHIFT=" + std::string(5000, 'x') + " " + fixed + kProgram + " " +
                               run(arguments + "--seed 7", "b.db"));
  ASSERT_EQ(second.exit_code, 0);
  EXPECT_EQ(comparable(first.text), comparable(second.text));
  const Outcome other = shell(kProgram + " " + run(arguments + "--seed 8", "c.db"));
  EXPECT_NE(comparable(first.text), comparable(other.text));
}

TEST_F(SimulatedRunTest, EveryReadingIsModelledAndNothingIsOfThisHost) {
  const Outcome outcome = shell(kProgram + " " + run("--machine rome-2s --placements cross-quadrant --json"));
  ASSERT_EQ(outcome.exit_code, 0);
  const ordered_json json = ordered_json::parse(outcome.text);
  EXPECT_EQ(json["machine"], "rome-2s");
  EXPECT_EQ(json["simulated"], true);
  EXPECT_TRUE(json["readings"].empty()) << "the host's counters belong to native runs";
  ASSERT_FALSE(json["conditions"][0]["readings"].empty());
  std::set<std::string> fields, events;
  for (const auto& reading : json["conditions"][0]["readings"]) {
    EXPECT_EQ(reading["quality"], "modelled");
    EXPECT_EQ(reading["source"], "simulator");
    events.insert(reading["event"]);
    if (!reading["field"].is_null())
      fields.insert(std::string(reading["object"]) + "." + std::string(reading["field"]));
  }
  EXPECT_THAT(fields, ::testing::Contains("vmstats[g0.m0].stats_updates"));
  for (const char* event :
       {"fills.lcl_cache", "fills.rmt_cache", "fills.lcl_dram", "fills.rmt_dram", "fills.lcl_l2", "l2.change_to_x",
        "l2.rd_blk_l", "l2.rd_blk_x", "l2.fill_wait", "l3.fill_latency", "recalls", "dtlb.walks", "hitm.home_remote",
        "hitm.true", "hitm.ibs", "invalidations", "sharing.true"})
    EXPECT_THAT(events, ::testing::Contains(event));
}

TEST_F(SimulatedRunTest, TextAndCommitSayThatItIsModelled) {
  const Outcome text = run_hitmark(run("--machine rome-2s@nps4 --placements cross-socket"));
  ASSERT_EQ(text.exit_code, 0) << text.text;
  EXPECT_THAT(text.text, HasSubstr("rome-2s@nps4 (simulated: every figure is modelled)"));
  EXPECT_THAT(text.text, HasSubstr("modelled contention"));
  EXPECT_THAT(text.text, HasSubstr("vmstats[g0.m0].stats_updates"));
  const Outcome commit = run_hitmark("report --store " + file("results.db") + " --format commit");
  EXPECT_THAT(commit.text, HasSubstr("Simulated, not measured"));
}

// Digits are not compared: they belong to the model, which may be improved.
TEST_F(SimulatedRunTest, LooksAsApproved) {
  const Outcome outcome = run_hitmark(run("--machine rome-2s --placements cross-socket"));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  std::string text = outcome.text.substr(0, outcome.text.find("Machine: "));
  text = std::regex_replace(text, std::regex("<?[-+]?[0-9][0-9.,]*"), "N");
  text = std::regex_replace(text, std::regex(" +"), " ");
  const std::string path = "testdata/simulated_run.approved.txt";
  if (std::getenv("HITMARK_APPROVE") != nullptr) std::ofstream(path) << text;
  std::stringstream approved;
  approved << std::ifstream(path).rdbuf();
  EXPECT_EQ(text, approved.str());
}

TEST_F(SimulatedRunTest, SaysWhichMachineThereIsNot) {
  expect(2, run("--machine rome-2"), "did you mean rome-2s");
  expect(2, run("--machine nativ"), "did you mean native");
  expect(2, run("--machine rome-2s@nps3"), "nps4");
  expect(3, run("--machine " + file("none.json")), file("none.json"));
  write("broken.json", "{\"name\": \"x\", ");
  expect(3, run("--machine " + file("broken.json")), "broken.json");
  write("native.json", R"({"name": "native", "title": "t", "based_on": "rome-2s"})");
  expect(3, run("--machine " + file("native.json")), "calls its machine 'native'");
  expect(3, run("--machine-from " + file("none.xml")), "none.xml");
  EXPECT_FALSE(std::filesystem::exists(file("results.db"))) << "nothing was run, nothing stored";
}

TEST_F(SimulatedRunTest, PlacementsAreTheSimulatedMachines) {
  expect(3, run("--machine rome-1s --placements cross-socket"), "cross-socket");
  expect(0, run("--machine rome-2s --placements smt-siblings"), "CPUs 0,128");
  expect(2, run("--machine rome-2s --placements cross-sockt"), "cross-socket");
  expect(0, "topology --machine rome-2s@nps4 --placement cross-quadrant", "cross-quadrant");
}

TEST_F(SimulatedRunTest, TakesNoClockAndNoCountersOfTheHost) {
  expect(2, run("--machine rome-2s --budget 10s"), "no --budget");
  expect(2, run("--machine rome-2s --counters perf --events page-faults"), "no --counters");
  expect(2, run("--machine rome-2s --machine-from host"), "both name a machine");
}

TEST_F(SimulatedRunTest, RunsAMachineOfTheUsersOwn) {
  write("mine.json", R"({"name": "mine", "title": "My Rome", "based_on": "rome-2s",
                         "path": {"link": {"value": 1.25, "source": "test"}}})");
  const auto cost = [&](const std::string& machine, const std::string& store) {
    const Outcome outcome =
        shell(kProgram + " " + run("--machine " + machine + " --placements 0,64 --set read-period=50 --json", store));
    EXPECT_EQ(outcome.exit_code, 0);
    const ordered_json json = ordered_json::parse(outcome.text);
    return double(json["conditions"][0]["contrasts"][0]["baseline_cost"]["ticks"]["value"]);
  };
  EXPECT_GT(cost(file("mine.json"), "a.db"), cost("rome-2s", "b.db")) << "its link is slower";
}

// A native run is another machine like any other here; it would depend on how busy this host is.
TEST_F(SimulatedRunTest, IsNotComparedWithARunOfAnotherMachine) {
  const auto latest = [&] {
    const Outcome report = shell(kProgram + " report --store " + file("results.db") + " --format json");
    return std::string(ordered_json::parse(report.text)["run_id"]);
  };
  ASSERT_EQ(run_hitmark(run("--machine rome-2s --placements single")).exit_code, 0);
  const std::string modelled = latest();
  ASSERT_EQ(run_hitmark(run("--machine rome-1s --placements single")).exit_code, 0);
  const std::string both = "compare --store " + file("results.db") + " --run ";
  expect(2, both + modelled + "," + latest(), "or of a model and a machine, are not comparable");
  expect(2, both + modelled + "," + modelled, "two runs are not comparable");
  expect(2, both + modelled + ",x", "has no run 'x'");
}

}  // namespace
}  // namespace hitmark
