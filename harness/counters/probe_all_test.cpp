#include "harness/counters/probe_all.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <set>

#include "harness/counters/event_names.hpp"

namespace hitmark {
namespace {

int asked = 0;

std::vector<Probe> count_questions(std::span<const std::string> events, double) {
  ++asked;
  std::vector<Probe> probes;
  for (const std::string& event : events) {
    Probe probe;
    probe.reading.event = event;
    probe.reading.reason = "none";
    probes.push_back(probe);
  }
  return probes;
}

TEST(ProbeAll, AnswersForEveryEventThatHitmarkKnows) {
  ::setenv("HITMARK_LIKWID_HELPER", "testdata/likwid_helpers/no_msr", 1);
  forget_probes();
  std::set<std::string> answered;
  const auto probes = probe_all();
  for (const Probe& probe : probes) {
    answered.insert(probe.reading.event);
    EXPECT_FALSE(probe.reading.source.empty());
    if (!probe.reading.value) {
      EXPECT_FALSE(probe.reading.reason.empty()) << probe.reading.event;
    }
    if (probe.reading.value) {
      EXPECT_GT(*probe.reading.value, 0) << probe.reading.event;
    }
  }
  for (const EventName& event : event_names()) EXPECT_TRUE(answered.contains(std::string(event.name))) << event.name;
  for (const Reading& reading : unavailable_readings(probes)) EXPECT_FALSE(reading.value);
  ::unsetenv("HITMARK_LIKWID_HELPER");
  forget_probes();
}

TEST(ProbeAll, AsksASourceOncePerEvent) {
  forget_probes();
  const CounterSource source = {"fake", "", count_questions, nullptr, nullptr};
  EXPECT_EQ(cached_probes(source, std::vector<std::string>{"a", "b"}).size(), 2u);
  EXPECT_EQ(cached_probes(source, std::vector<std::string>{"b", "a", "b"}).size(), 3u);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(cached_probes(source, std::vector<std::string>{"c"})[0].reading.event, "c");
  EXPECT_EQ(asked, 2);
  EXPECT_TRUE(cached_probes(source, {}).empty());
  EXPECT_EQ(asked, 2) << "an empty list must not become 'all'";
  forget_probes();
}

TEST(ProbeAll, KeepsCountableEventsOutOfTheRunsReadings) {
  Probe countable, refused;
  countable.reading.value = 256;
  refused.reading.event = "cycles";
  EXPECT_THAT(unavailable_readings(std::vector{countable, refused}),
              testing::ElementsAre(testing::Field(&Reading::event, "cycles")));
}

}  // namespace
}  // namespace hitmark
