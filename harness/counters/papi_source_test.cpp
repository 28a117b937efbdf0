// PAPI as this build and this host have it: absent, without a PMU, or complete.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cstdlib>

#include "harness/counters/counter_source.hpp"
#include "harness/counters/event_names.hpp"
#include "harness/counters/known_work.hpp"
#include "harness/counters/probe_all.hpp"

namespace hitmark {
namespace {

using testing::HasSubstr;

const CounterSource& papi() { return *Registry<CounterSource>::instance().find("papi"); }

TEST(Papi, AnswersForEveryEventAndNeverWithAZero) {
  const auto probes = papi().probe({}, 15);
  ASSERT_EQ(probes.size(), events_of("papi").size());
  for (const Probe& probe : probes) {
    SCOPED_TRACE(probe.reading.event + ": " + probe.reading.reason);
    EXPECT_EQ(probe.reading.source, "papi");
    EXPECT_EQ(probe.reading.value.has_value(), probe.reading.quality != Quality::kUnavailable);
    if (!probe.reading.value) {
      EXPECT_FALSE(probe.reading.reason.empty());
      EXPECT_FALSE(probe.reading.hint.empty());
      continue;
    }
    EXPECT_GT(*probe.reading.value, 0);
    if (probe.reading.event == "page-faults") {
      EXPECT_NEAR(*probe.reading.value, kKnownPages, 16);
    }
    if (probe.reading.event == "cpu-migrations") {
      EXPECT_EQ(*probe.reading.value, kKnownMigrations);
    }
    if (probe.reading.event == "instructions") {
      EXPECT_NEAR(*probe.reading.value, 2e7, 2e5);
    }
  }
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "the probing child was not reaped";
}

// The build runs this under valgrind, whose CPU every PAPI knows: PAPI 7.0 knows no Zen 5, and counts nothing there.
TEST(Papi, CountsSoftwareEventsWhereItKnowsTheCpu) {
  if (!std::getenv("HITMARK_TEST_PAPI_KNOWS_CPU")) GTEST_SKIP() << "only where PAPI surely knows the CPU";
  const std::vector<std::string> events = {"page-faults", "task-clock"};
  const auto by_kernel = Registry<CounterSource>::instance().find("perf")->probe(events, 15);
  const auto by_papi = papi().probe(events, 15);
  for (std::size_t i = 0; i < events.size(); ++i)
    EXPECT_EQ(by_papi[i].reading.value.has_value(), by_kernel[i].reading.value.has_value())
        << by_papi[i].reading.reason;
}

TEST(Papi, AnUnknownNativeNameIsUnavailable) {
  const auto probes = papi().probe(std::vector<std::string>{"perf::NO-SUCH-EVENT"}, 15);
  EXPECT_FALSE(probes.at(0).reading.value);
  EXPECT_FALSE(probes.at(0).reading.reason.empty());
}

TEST(Papi, ADeadlineThatIsOverIsAReason) {
  if (papi().version() == std::string("not built in")) GTEST_SKIP() << "nothing to wait for";
  const auto probes = papi().probe(std::vector<std::string>{"page-faults", "cycles"}, 0);
  for (const Probe& probe : probes) EXPECT_THAT(probe.reading.reason, HasSubstr("did not answer within its deadline"));
}

TEST(Papi, ASessionCountsThePagesOfItsThreadOrSaysWhyNot) {
  forget_probes();
  auto session = papi().open(std::vector<std::string>{"instructions", "page-faults", "context-switches"});
  ASSERT_TRUE(session);
  ASSERT_TRUE((*session)->attach(5));
  do_known_work(
      KnownWork::kTouchPages, [&] { (*session)->start(); }, [&] { (*session)->stop(); });
  const auto readings = (*session)->collect();
  ASSERT_EQ(readings.size(), 3u);
  for (const Reading& reading : readings) {
    SCOPED_TRACE(reading.event + ": " + reading.reason);
    EXPECT_EQ(reading.cpu, 5);
    EXPECT_EQ(reading.value.has_value(), reading.quality == Quality::kExact);
    EXPECT_NE(reading.value.has_value(), !reading.reason.empty());
  }
  if (readings[1].value) {
    EXPECT_NEAR(*readings[1].value, kKnownPages, 16);
  }
}

TEST(Papi, NothingIsCountedByAnEmptySession) {
  auto session = papi().open({});
  ASSERT_TRUE((*session)->attach(0));
  (*session)->start();
  (*session)->stop();
  EXPECT_TRUE((*session)->collect().empty());
}

}  // namespace
}  // namespace hitmark
