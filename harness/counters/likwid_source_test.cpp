// likwid through stand-ins for its helper, one for each way to fail; and through the real one.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cstdlib>

#include "harness/counters/counter_source.hpp"
#include "harness/counters/event_names.hpp"
#include "harness/counters/probe_all.hpp"

namespace hitmark {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const CounterSource& likwid() { return *Registry<CounterSource>::instance().find("likwid"); }

class LikwidHelper : public testing::Test {
 protected:
  void SetUp() override { forget_probes(); }
  void TearDown() override {
    ::unsetenv("HITMARK_LIKWID_HELPER");
    forget_probes();
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a helper was not reaped";
  }
  void use(const std::string& helper) { ::setenv("HITMARK_LIKWID_HELPER", helper.c_str(), 1); }
  void use_fake(const std::string& name) { use("testdata/likwid_helpers/" + name); }

  // Every event must be unavailable for this reason, with a hint.
  void expect_all_unavailable(const testing::Matcher<std::string>& reason, double deadline = 60) {
    const auto probes = likwid().probe({}, deadline);
    EXPECT_EQ(probes.size(), events_of("likwid").size());
    for (const Probe& probe : probes) {
      EXPECT_FALSE(probe.reading.value);
      EXPECT_EQ(probe.reading.source, "likwid");
      EXPECT_THAT(probe.reading.reason, reason);
      EXPECT_FALSE(probe.reading.hint.empty());
    }
  }
};

TEST_F(LikwidHelper, Missing) {
  use("/nonexistent/hitmark-likwid");
  expect_all_unavailable(HasSubstr("hitmark-likwid cannot be started: /nonexistent/hitmark-likwid: No such file"));
}

TEST_F(LikwidHelper, NotExecutable) {
  use_fake("not_executable");
  expect_all_unavailable(HasSubstr("Permission denied"));
}

TEST_F(LikwidHelper, Dying) {
  use_fake("dies");
  expect_all_unavailable(
      AllOf(HasSubstr("hitmark-likwid ended with exit status 1"), HasSubstr("Exiting due to timeout")));
}

TEST_F(LikwidHelper, Hanging) {
  ::setenv("HITMARK_TEST_PID_FILE", "/dev/null", 1);
  use_fake("hangs");
  expect_all_unavailable(HasSubstr("did not answer within its deadline"), 0.05);
}

TEST_F(LikwidHelper, PrintingGarbage) {
  use_fake("garbage");
  expect_all_unavailable(HasSubstr("answered something that is no answer: 'CPU name:"));
}

TEST_F(LikwidHelper, Flooding) {
  use_fake("endless");
  expect_all_unavailable(HasSubstr("sent something that is no line"));
}

TEST_F(LikwidHelper, Deaf) {
  use_fake("deaf");
  expect_all_unavailable(HasSubstr("hitmark-likwid "), 0.05);
}

TEST_F(LikwidHelper, WithoutMsrs) {
  use_fake("no_msr");
  expect_all_unavailable(
      AllOf(HasSubstr("cannot reach the counters: no MSRs, /dev/cpu/0/msr: No such file or directory"),
            testing::Not(HasSubstr("Cannot get access"))));
}

TEST_F(LikwidHelper, Complaining) {
  use_fake("complains");
  expect_all_unavailable(
      HasSubstr("likwid 5.2.2 cannot reach the counters (-13): Cannot get access to performance counters"));
}

TEST_F(LikwidHelper, WorkingGivesReadingsInOrder) {
  use_fake("works");
  auto session = likwid().open(std::vector<std::string>{"instructions", "l3.miss", "cycles"});
  ASSERT_TRUE(session);
  ASSERT_TRUE((*session)->attach(1));
  (*session)->start();
  (*session)->stop();
  const auto readings = (*session)->collect();
  ASSERT_EQ(readings.size(), 3u);
  EXPECT_EQ(readings[0].value, 1000) << readings[0].reason;
  EXPECT_EQ(readings[0].cpu, 1);
  EXPECT_THAT(readings[0].reason, HasSubstr("everything that ran on the CPU"));
  EXPECT_EQ(readings[1].reason, "l3.miss opened but counted 0");
  EXPECT_FALSE(readings[1].value);
  EXPECT_EQ(readings[2].value, 500);
}

TEST_F(LikwidHelper, LostDuringASessionLosesTheReadingsOnly) {
  use_fake("hangs_in_session");
  auto session = likwid().open(std::vector<std::string>{"instructions"});
  ASSERT_TRUE((*session)->attach(0));
  (*session)->start();
  (*session)->stop();
  const auto readings = (*session)->collect();
  ASSERT_EQ(readings.size(), 1u);
  EXPECT_FALSE(readings[0].value);
  EXPECT_THAT(readings[0].reason, HasSubstr("ended with exit status 3: lost the daemon"));
}

TEST_F(LikwidHelper, ReadingTooLittleIsNoReading) {
  use_fake("reads_too_little");
  auto session = likwid().open(std::vector<std::string>{"instructions", "cycles"});
  ASSERT_TRUE((*session)->attach(0));
  (*session)->start();
  (*session)->stop();
  for (const Reading& reading : (*session)->collect()) {
    EXPECT_FALSE(reading.value);
    EXPECT_THAT(reading.reason, HasSubstr("no answer: 'values 1000'"));
  }
}

TEST_F(LikwidHelper, RealOneAnswersOrSaysWhyNot) {
  const auto probes = likwid().probe({}, kProbeDeadlineSeconds);
  ASSERT_EQ(probes.size(), events_of("likwid").size());
  for (const Probe& probe : probes) {
    EXPECT_EQ(probe.reading.value.has_value(), probe.reading.quality == Quality::kExact);
    if (probe.reading.value) {
      EXPECT_GT(*probe.reading.value, 0);
    } else {
      EXPECT_THAT(probe.reading.reason, testing::ContainsRegex("likwid"));
    }
  }
}

}  // namespace
}  // namespace hitmark
