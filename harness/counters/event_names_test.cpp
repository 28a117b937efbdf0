#include "harness/counters/event_names.hpp"

#include <gmock/gmock.h>

#include <set>

namespace hitmark {
namespace {

TEST(EventNames, AreUniqueAndEachHasAMeaningANeedAndASpelling) {
  std::set<std::string_view> seen;
  for (const EventName& event : event_names()) {
    EXPECT_TRUE(seen.insert(event.name).second) << event.name;
    EXPECT_TRUE(event.meaning.ends_with(".")) << event.name;
    EXPECT_FALSE(event.needs.empty()) << event.name;
    bool spelled = false;
    for (const char* source : {"papi", "likwid", "perf", "ibs"}) spelled |= !spelling_of(source, event.name).empty();
    EXPECT_TRUE(spelled) << event.name;
  }
}

TEST(EventNames, KernelEventsAreSpelledWithKernelModeForPapi) {
  for (const EventName& event : event_names())
    if (event.in_kernel) {
      EXPECT_THAT(std::string(spelling_of("papi", event.name)), testing::HasSubstr(":k=1")) << event.name;
    }
}

TEST(EventNames, ListsOfASourceHoldOnlyWhatItSpells) {
  EXPECT_THAT(events_of("perf"), testing::ElementsAre("page-faults", "context-switches", "cpu-migrations", "task-clock",
                                                      "instructions", "cycles"));
  EXPECT_THAT(events_of("likwid"), testing::Not(testing::Contains("page-faults")));
  EXPECT_TRUE(events_of("nobody").empty());
}

TEST(EventNames, ParsesWhatAUserTypes) {
  EXPECT_THAT(*parse_events("perf", "page-faults,cycles,page-faults"), testing::ElementsAre("page-faults", "cycles"));
  EXPECT_THAT(*parse_events("papi", "PAPI_BR_MSP,perf::MINOR-FAULTS"),
              testing::ElementsAre("PAPI_BR_MSP", "perf::MINOR-FAULTS"));
  EXPECT_THAT(*parse_events("likwid", "L3_ACCESS:CPMC0"), testing::ElementsAre("L3_ACCESS:CPMC0"));
}

struct Refused {
  const char *source, *text, *message;
};

void PrintTo(const Refused& refused, std::ostream* out) { *out << refused.source << " " << refused.text; }

class BadEvents : public testing::TestWithParam<Refused> {};

TEST_P(BadEvents, AreUsageErrorsThatSayWhatIsMeant) {
  const auto events = parse_events(GetParam().source, GetParam().text);
  ASSERT_FALSE(events);
  EXPECT_EQ(events.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(events.error().message, testing::HasSubstr(GetParam().message));
  EXPECT_FALSE(events.error().hint.empty());
}

INSTANTIATE_TEST_SUITE_P(
    EventNames, BadEvents,
    testing::Values(Refused{"perf", "", "the list of events is empty"},
                    Refused{"perf", "cycles,", "the list of events 'cycles,' has an empty name"},
                    Refused{"perf", ",", "has an empty name"},
                    Refused{"perf", "page-fault", "perf has no event 'page-fault'; did you mean page-faults?"},
                    Refused{"perf", "PAPI_TOT_INS", "perf has no event 'PAPI_TOT_INS'"},
                    Refused{"perf", "hitm.ibs", "perf cannot count 'hitm.ibs'; hitm.ibs needs bare-metal Rome"},
                    Refused{"papi", "cycels", "did you mean cycles?"}));

}  // namespace
}  // namespace hitmark
