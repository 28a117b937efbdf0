// `hitmark run` and `hitmark list` as a script sees them. The runs are as short as they can be; what they measure
// is not looked at.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/cli/testing_program.hpp"

namespace hitmark {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing_program::kProgram;
using testing_program::Outcome;
using testing_program::run_hitmark;
using testing_program::shell;

class RunCommandTest : public ::testing::Test {
 protected:
  RunCommandTest() : folder_(::testing::TempDir() + "run_test" + std::to_string(::getpid())) {
    std::filesystem::create_directories(folder_);
    ::setenv("HITMARK_LOCK_DIR", folder_.c_str(), 1);  // no warning of the runs of other tests
  }
  ~RunCommandTest() override { std::filesystem::remove_all(folder_); }
  std::string store() const { return folder_ + "/results.db"; }
  std::string small_run() const {
    return "run sock-charge --variants packed6 --placements single --set refill=drain --invocations 2 --budget 2s "
           "--store " +
           store();
  }
  std::string folder_;
};

void expect_usage(const std::string& arguments, const std::string& part) {
  const Outcome outcome = run_hitmark(arguments);
  EXPECT_EQ(outcome.exit_code, 2) << arguments;
  EXPECT_THAT(outcome.text, HasSubstr(part)) << arguments;
}

TEST_F(RunCommandTest, SaysWhatWasMistypedAndExitsWithTwo) {
  const std::string at = " --store " + store();
  expect_usage("run" + at, "run wants a STUDY");
  expect_usage("run sock-chrage" + at, "did you mean sock-charge");
  expect_usage("run sock-charge --variants packd6" + at, "did you mean packed6");
  expect_usage("run sock-charge --placements sinlge" + at, "single");
  expect_usage("run sock-charge --set refil=drain" + at, "did you mean refill");
  expect_usage("run sock-charge --set refill" + at, "NAME=VALUE");
  expect_usage("run sock-charge --budget soon" + at, "no duration");
  expect_usage("run sock-charge --machine nativ" + at, "did you mean native");
  expect_usage("run sock-charge --format jsno" + at, "did you mean json");
  expect_usage("run sock-charge --fail-on wrose" + at, "worse");
  expect_usage("run sock-charge --counters papy --events x" + at, "did you mean papi");
  expect_usage("run sock-charge --counters papi" + at, "wants the events to count");
  expect_usage("run sock-charge --counters perf --events page-fautls" + at, "did you mean page-faults");
  expect_usage("run sock-charge --counters perf --events ''" + at, "the list of events is empty");
  expect_usage("run sock-charge --counters perf --events page-faults,,cycles" + at, "has an empty name");
  expect_usage("run sock-charge --events page-faults" + at, "wants --counters");
  for (const char* seed : {"-1", "9007199254740992", "18446744073709551616", "x", "1.5"})
    expect_usage(std::string("run sock-charge --seed ") + seed + at, "is no seed");
  expect_usage("run sock-charge --variants percall7 --baseline percall7" + at, "nothing to compare");
  expect_usage("run sock-charge --resume" + at, "knows its study");
  for (const char* option :
       {"--variants packed6", "--baseline percall7", "--placements single", "--set refill=drain", "--machine native",
        "--machine-from host", "--counters perf", "--events page-faults", "--seed 2", "--invocations 3"})
    expect_usage(std::string("run --resume ") + option + at, "a resumed run keeps its plan; it does not take --");
  EXPECT_FALSE(std::filesystem::exists(store())) << "nothing was run, nothing stored";
}

TEST_F(RunCommandTest, ThereIsNothingToResumeWithoutAStore) {
  const Outcome outcome = run_hitmark("run --resume --store " + store());
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.text, HasSubstr("nothing to resume"));
}

TEST_F(RunCommandTest, ABudgetInWhichNothingCanBeMeasuredIsNoSuccess) {
  const Outcome outcome = run_hitmark("run sock-charge --variants packed6 --budget 0.001s --store " + store());
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.text, HasSubstr("before anything was measured"));
  EXPECT_THAT(outcome.text, HasSubstr("--budget "));
}

TEST_F(RunCommandTest, StaysOnTheCpusThatTasksetLeaves) {
  cpu_set_t all;
  CPU_ZERO(&all);
  ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
  if (CPU_COUNT(&all) < 2) GTEST_SKIP() << "needs two CPUs";
  int last = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &all)) last = cpu;
  const std::string taskset = "taskset -c " + std::to_string(last) + " " + kProgram;
  const json topology = json::parse(shell(taskset + " topology --json").text);
  ASSERT_EQ(topology.at("cpus").size(), 1u);
  EXPECT_THAT(topology.dump(), HasSubstr("affinity of this process"));
  EXPECT_EQ(shell(taskset + " topology --placement " + (last == 0 ? "1" : "0") + " 2>&1").exit_code, 3);
}

TEST_F(RunCommandTest, AnUnwritableStoreIsSaidBeforeAnythingIsMeasured) {
  const Outcome outcome = run_hitmark("run sock-charge --store /proc/results.db --budget 1000s");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.text, HasSubstr("/proc/results.db"));
}

TEST_F(RunCommandTest, MeasuresStoresAndPrintsWhatReportPrintsAgain) {
  const Outcome first = shell(kProgram + " " + small_run() + " --json 2>" + folder_ + "/errors");
  ASSERT_EQ(first.exit_code, 0) << first.text;
  const json run = json::parse(first.text);
  EXPECT_EQ(run.at("status"), "complete");
  EXPECT_EQ(run.at("store"), store());
  EXPECT_TRUE(run.contains("run_id") && run.contains("started") && run.contains("environment"));
  const Outcome again = run_hitmark("report --json --store " + store());
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_EQ(json::parse(again.text), run);
  EXPECT_EQ(std::filesystem::file_size(folder_ + "/errors"), 0u) << "quiet in a pipe";
  EXPECT_THAT(run_hitmark("run --resume --store " + store()).text, HasSubstr("nothing to resume"));
}

TEST_F(RunCommandTest, CtrlCPrintsWhatIsThereAndResumingCompletesIt) {
  // SIGTERM as soon as a block is in the store; to the parent alone, so that it must pass it on.
  const std::string long_run =
      "run sock-charge --variants packed6 --placements single --set refill=drain --budget 600s "
      "--invocations 2 --store " +
      store();
  const Outcome stopped = shell("( " + kProgram + " " + long_run + " > " + folder_ +
                                "/out 2>&1 & pid=$!; "
                                "for i in $(seq 600); do [ -n \"$(" +
                                kProgram + " report --format rows --store " + store() +
                                " 2>/dev/null)\" ] && break; sleep 0.1; done; sleep 0.3; kill -TERM $pid; wait $pid )");
  const std::string output = shell("cat " + folder_ + "/out").text;
  EXPECT_EQ(stopped.exit_code, 3) << output;
  EXPECT_THAT(output, HasSubstr("hitmark run --resume --store " + store()));
  const json report = json::parse(run_hitmark("report --json --store " + store()).text);
  EXPECT_EQ(report.at("status"), "interrupted");
  const Outcome resumed = shell(kProgram + " run --resume --budget 2s --json --store " + store() + " 2>/dev/null");
  EXPECT_EQ(resumed.exit_code, 0) << resumed.text;
  const json after = json::parse(resumed.text);
  EXPECT_EQ(after.at("run_id"), report.at("run_id"));
  EXPECT_EQ(after.at("status"), "complete");
}

TEST_F(RunCommandTest, FailOnMatchesAVerdict) {
  // Two processes are too few for a verdict: undecided, which is not better and not worse.
  EXPECT_EQ(run_hitmark(small_run()).exit_code, 0);
  EXPECT_EQ(run_hitmark(small_run() + " --fail-on worse").exit_code, 0);
  EXPECT_EQ(run_hitmark(small_run() + " --fail-on undecided").exit_code, 1);
  EXPECT_EQ(run_hitmark(small_run() + " --fail-on not-better").exit_code, 1);
}

TEST_F(RunCommandTest, TheDefaultStoreIsInTheStateFolder) {
  const std::string state = folder_ + "/state";
  const Outcome outcome = shell("XDG_STATE_HOME=" + state + " " + kProgram +
                                " run sock-charge --variants packed6 --placements single --set refill=drain "
                                "--invocations 1 --budget 1s --json 2>/dev/null");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_EQ(json::parse(outcome.text).at("store"), state + "/hitmark/results.db");
  EXPECT_TRUE(std::filesystem::exists(state + "/hitmark/results.db"));
}

TEST_F(RunCommandTest, CountsSoftwareEventsInTrialsOfTheirOwn) {
  const Outcome outcome = shell(kProgram + " " + small_run() +
                                " --counters perf --events page-faults,cycles --json 2>" + folder_ + "/errors");
  ASSERT_EQ(outcome.exit_code, 0) << shell("cat " + folder_ + "/errors").text;
  const json run = json::parse(outcome.text);
  int counted = 0, cycles = 0;
  for (const json& condition : run.at("conditions"))
    for (const json& reading : condition.at("readings")) {
      counted += reading.at("event") == "page-faults";
      if (reading.at("event") != "cycles") continue;
      ++cycles;  // a host without a PMU says why there is no value
      EXPECT_TRUE(!reading.at("value").is_null() || reading.at("reason") != "") << reading;
    }
  EXPECT_GT(counted, 0);
  EXPECT_GT(cycles, 0);
}

TEST(ListCommand, NamesFamiliesVariantsParametersCountersAndFormats) {
  const json all = json::parse(run_hitmark("list --json").text);
  std::vector<std::string> families;
  for (const json& family : all.at("families")) families.push_back(family.at("name"));
  EXPECT_EQ(families, (std::vector<std::string>{"page-counter", "percpu-counter", "sock-charge", "stats-updates"}));
  const json variants = json::parse(run_hitmark("list variants --json").text);
  EXPECT_EQ(variants, all.at("variants"));
  bool headline = false;
  for (const json& variant : variants) {
    headline |= variant.at("family") == "sock-charge" && variant.at("name") == "packed6";
    EXPECT_FALSE(variant.at("traits").empty()) << variant.at("name");
  }
  EXPECT_TRUE(headline);
  const std::string text = run_hitmark("list").text;
  for (const char* part : {"sock-charge", "packed6", "refill", "papi", "commit"}) EXPECT_THAT(text, HasSubstr(part));
  const Outcome wrong = run_hitmark("list varaints");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.text, HasSubstr("did you mean variants"));
}

}  // namespace
}  // namespace hitmark
