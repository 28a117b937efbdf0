#include "harness/counters/verdict.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace hitmark {
namespace {

using testing::HasSubstr;

const WorkDone kPages = {256, 256, 272};

Counted counted(double value, WorkDone work = kPages, double share = 1) { return {value, share, work}; }

Probe judged(std::vector<Counted> all) { return judge("perf", "page-faults", all); }

void expect_unavailable(const Probe& probe, const std::string& reason) {
  EXPECT_FALSE(probe.reading.value.has_value());
  EXPECT_EQ(probe.reading.quality, Quality::kUnavailable);
  EXPECT_THAT(probe.reading.reason, HasSubstr(reason));
}

TEST(Verdict, AcceptsTheKnownAmount) {
  const Probe probe = judged({counted(256), counted(257), counted(256)});
  EXPECT_EQ(probe.reading.value, 256);
  EXPECT_EQ(probe.reading.quality, Quality::kExact);
  EXPECT_EQ(probe.expected, 256);
  EXPECT_TRUE(probe.reading.reason.empty());
}

TEST(Verdict, NeverReportsAZeroThatIsNone) {
  expect_unavailable(judged({counted(256), counted(0), counted(256)}),
                     "opened but counted 0 during work that must raise it (expected ≈ 256)");
}

TEST(Verdict, DiscardsWhatOneOfTheRepetitionsContradicts) {
  expect_unavailable(judged({counted(256), counted(256), counted(256 * 16)}), "= 4096 is outside [256, 272]");
  expect_unavailable(judged({counted(255), counted(256), counted(256)}), "= 255 is outside");
  expect_unavailable(judged({counted(std::numeric_limits<double>::quiet_NaN())}), "is outside");
}

TEST(Verdict, DoesNotScaleWhatWasMultiplexed) {
  expect_unavailable(judged({counted(256, kPages, 0.5)}), "ran 50 % of the time");
}

TEST(Verdict, NeedsWorkThatCanBeDone) {
  WorkDone none;
  none.possible = false;
  none.obstacle = "one CPU is allowed";
  expect_unavailable(judged({counted(5, none)}), "cannot be proved: one CPU is allowed");
  expect_unavailable(judged({}), "was not counted");
}

TEST(Verdict, AnUnknownAmountIsCountableButSaysSo) {
  const Probe probe =
      judge("papi", "perf::X", std::vector{counted(3, {0, 1, std::numeric_limits<double>::infinity()})});
  EXPECT_EQ(probe.reading.value, 3);
  EXPECT_THAT(probe.reading.reason, HasSubstr("no work of a known amount"));
}

TEST(Verdict, SurvivesTheWayThroughALine) {
  const Probe good = judged({counted(256)});
  const auto again = probe_from_line("perf", "page-faults", to_line(good));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->reading.value, 256);
  EXPECT_EQ(again->expected, 256);
  EXPECT_EQ(again->reading.quality, Quality::kExact);

  const auto bad =
      probe_from_line("perf", "cycles", to_line(unavailable_probe("perf", "cycles", {"no\tPMU\n", "try"})));
  ASSERT_TRUE(bad);
  expect_unavailable(*bad, "no PMU ");
  EXPECT_EQ(bad->reading.hint, "try");
}

TEST(Verdict, RefusesLinesThatAreNone) {
  for (const char* line :
       {"", "ok", "counted", "counted\t", "counted\tnan\t1\t\t", "counted\t1\tx\t\t", "counted\t1\t1\t", "unavailable",
        "unavailable\twhy", "unavailable\twhy\thint\tmore", "counted\tinf\t1\t\t"})
    EXPECT_FALSE(probe_from_line("likwid", "cycles", line)) << line;
}

TEST(Verdict, MoreThanEightInstructionsPerCycleAreNone) {
  const auto reading = [](const char* event, double value) {
    Reading one = empty_reading("papi", event);
    one.value = value;
    one.quality = Quality::kExact;
    return one;
  };
  std::vector<Reading> readings = {reading("instructions", 801), reading("cycles", 100), reading("page-faults", 1)};
  discard_implausible(readings);
  EXPECT_FALSE(readings[0].value || readings[1].value);
  EXPECT_THAT(readings[0].reason, HasSubstr("801 instructions in 100 cycles"));
  EXPECT_EQ(readings[2].value, 1);

  readings = {reading("instructions", 800), reading("cycles", 100)};
  discard_implausible(readings);
  EXPECT_EQ(readings[0].value, 800);
}

}  // namespace
}  // namespace hitmark
