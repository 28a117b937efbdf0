// Approved outputs: every format of every fixture equals the file in testdata. After a change that is meant:
//   HITMARK_APPROVE=1 build/release/hitmark_reports_test    (in reports/), then read the diff.
#include "reports/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "reports/testing_comparison.hpp"
#include "reports/text_fit.hpp"
#include "reports/wording.hpp"
#include "support/file.hpp"

namespace hitmark {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const RenderOptions kOptions{false, 100, "results.sqlite"};

struct Fixture {
  const char* name;
  RunComparison comparison;
};
std::vector<Fixture> fixtures() {
  return {{"native", testing_comparison::comparison()},
          {"simulated", testing_comparison::comparison("zen2-2s")},
          {"nothing", testing_comparison::nothing()}};
}
const std::vector<std::string> kFormats{"text", "commit", "json", "rows"};

std::string rendered(const RunComparison& comparison, const std::string& format, RenderOptions options = kOptions) {
  auto text = render(comparison, format, options);
  EXPECT_TRUE(text);
  return *text;
}

TEST(Reports, EqualTheApprovedOutputs) {
  for (const Fixture& fixture : fixtures())
    for (const std::string& format : kFormats) {
      const std::string path = std::string("testdata/") + fixture.name + "." + format;
      const std::string text = rendered(fixture.comparison, format);
      if (std::getenv("HITMARK_APPROVE") != nullptr) {
        ASSERT_TRUE(write_file(path, text));
      }
      const auto approved = read_file(path);
      ASSERT_TRUE(approved) << path;
      EXPECT_EQ(text, *approved) << path;
    }
}

void expect_width(const std::string& text, int width, const std::string& what) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(text_fit::columns(line), static_cast<std::size_t>(width)) << what << ": " << line;
    EXPECT_FALSE(line.ends_with(' ')) << what << ": " << line;
    for (const char c : line) EXPECT_TRUE(c >= ' ' && c <= '~') << what << ": " << line;
  }
}

TEST(Reports, FitTheirWidthAndArePlainAscii) {
  for (const Fixture& fixture : fixtures()) {
    for (const int width : {40, 60, 80, 100, 140})
      for (const char* format : {"text", "rows"}) {
        RenderOptions options = kOptions;
        options.width = width;
        expect_width(rendered(fixture.comparison, format, options), width, format);
      }
    expect_width(rendered(fixture.comparison, "commit"), 75, "commit");
  }
  auto odd = testing_comparison::comparison();
  odd.run.environment[0].second = "Zen\xc2\xb2 \x1b[31m";
  odd.conditions[0].condition.name = std::string(300, 'x');
  expect_width(rendered(odd, "commit"), 75, "commit");
  EXPECT_THAT(rendered(odd, "text"), Not(HasSubstr("\x1b"))) << "text must not steer the terminal";
}

TEST(Reports, CommitHoldsItsWidthWithHugeFigures) {
  auto huge = testing_comparison::comparison();
  Contrast& contrast = huge.conditions[0].contrasts[0];
  contrast.ratio = {50, 0.001, 100.9};
  contrast.raw_ratio = {1e300, 1e-300, 1e308};
  contrast.arm_cost = {3e5, 2.9e5, 3.1e5};
  contrast.raw_arm_cost = {1e14, 1e11, 1e300};
  const std::string text = rendered(huge, "commit");
  expect_width(text, 75, "commit");
  EXPECT_THAT(text, HasSubstr("| 128,889 to       | -99.9 to +9990.0"));
}

TEST(Reports, WithoutANetRatioTheRawOneIsShownAndLabelled) {
  auto comparison = testing_comparison::comparison();
  comparison.conditions[0].contrasts[0].ratio = {};
  EXPECT_THAT(rendered(comparison, "text"), HasSubstr("-27.4 % raw"));
  EXPECT_THAT(rendered(comparison, "rows"), HasSubstr("-27.4 % raw"));
  EXPECT_THAT(rendered(comparison, "commit"), HasSubstr(" with the loop    | 18.22"));
}

TEST(Reports, NarrowTerminalsKeepVerdictsWhole) {
  RenderOptions narrow = kOptions;
  narrow.width = 40;
  for (const char* format : {"text", "rows"}) {
    const std::string text = rendered(testing_comparison::comparison(), format, narrow);
    EXPECT_THAT(text, HasSubstr("undecided   ")) << format;
    EXPECT_THAT(text, Not(HasSubstr("undec\n")));
  }
}

// All classes of distance, at the widths that people have.
TEST(Reports, ContentionTellsItsDistancesAtEightyColumns) {
  auto comparison = testing_comparison::comparison("zen2-2s");
  for (const char* event : {"transfers.same_quadrant", "transfers.cross_socket", "sharing.false"})
    for (const bool field : {false, true})
      comparison.conditions[0].readings.push_back({event, "simulator", "count", -1, 0, field ? "vmstats[g0.m0]" : "",
                                                   field ? "stats_updates" : "", 300, Quality::kModelled, "", ""});
  for (const int width : {80, 100}) {
    RenderOptions options = kOptions;
    options.width = width;
    const std::string text = rendered(comparison, "text", options);
    EXPECT_THAT(text, testing::ContainsRegex("xfer +ccx +quad +x-quad +x-sock +inval +hitm")) << width;
    EXPECT_THAT(text, testing::ContainsRegex("stats_updates +4.50 +13.00 +2.50 +1.50 +7.50 +1.50 +9.50 +6.00"));
    expect_width(text, width, "text");
  }
  RenderOptions wide = kOptions;
  wide.width = 200;
  EXPECT_THAT(rendered(comparison, "text", wide), testing::ContainsRegex("quadrant +cross-quadrant +cross-socket"));
}

TEST(Reports, WarnsOfInterpolatedPathsUnlessTheyAreFew) {
  const auto text = [](double interpolated) {
    auto comparison = testing_comparison::comparison("zen2-2s");
    for (const auto& [event, value] :
         {std::pair{"operations.simulated", 20'000.0}, {"paths.interpolated", interpolated}})
      comparison.conditions[0].readings.push_back(
          {event, "simulator", "operations", -1, 1, "", "", value, Quality::kModelled, "", ""});
    RenderOptions options = kOptions;
    options.width = 200;
    return rendered(comparison, "text", options);
  };
  EXPECT_THAT(text(400), HasSubstr("interpolated between measured paths for 2.0 % of packed6's simulated"));
  EXPECT_THAT(text(100), Not(HasSubstr("interpolated")));
}

TEST(Reports, SharesAddUpAndSayWhatIsNoise) {
  auto comparison = testing_comparison::comparison();
  auto& shares = comparison.conditions[0].shares;
  for (ChangeShare& share : shares) share.share = 1 / 3.0;
  shares[2].ratio.high = shares[2].ratio.low = std::nullopt;
  const std::string text = rendered(comparison, "text");
  EXPECT_THAT(text, HasSubstr("33.3 %  within noise\n"));
  EXPECT_THAT(text, HasSubstr("-30.6 to -29.4 %  33.4 %\n"));
  EXPECT_THAT(text, HasSubstr("-5.1 %                    33.3 %  within noise\n"));
  EXPECT_THAT(text, HasSubstr("depend on the order of the chain"));
}

TEST(Reports, OneLineForCpusThatDiffer) {
  auto comparison = testing_comparison::comparison();
  comparison.conditions[0].cpu_costs[3].ticks = 99;
  comparison.conditions[0].condition.notes = {{"operations_per_slice", "5"}};
  RenderOptions wide = kOptions;
  wide.width = 200;
  const std::string text = rendered(comparison, "text", wide);
  EXPECT_THAT(text, HasSubstr("CPUs differ, in 2 arms, most in packed6: 28.1 ticks/op on CPU 2 to 99.0 on CPU 3"));
  EXPECT_EQ(text.find("CPUs differ"), text.rfind("CPUs differ"));
  EXPECT_THAT(text, HasSubstr("  operations per slice: 5\n"));
}

TEST(Reports, ManyReasonsAreCounted) {
  auto comparison = testing_comparison::comparison();
  comparison.conditions[0].discard_reasons.assign(6, "x");
  EXPECT_THAT(rendered(comparison, "text"), HasSubstr("discarded: for 1 more reason, see"));
}

TEST(Reports, AHintIsSaidOnce) {
  auto comparison = testing_comparison::comparison();
  Reading other = testing_comparison::reading("cycles", std::nullopt, -1, -1);
  other.source = "perf";
  comparison.run.readings.push_back(other);
  other.reason = "another reason";
  comparison.run.readings.push_back(other);
  const std::string text = rendered(comparison, "text");
  EXPECT_EQ(text.find("try: run on the host"), text.rfind("try: run on the host"));
  EXPECT_EQ(text.find("the kernel offers no hardware"), text.rfind("the kernel offers no hardware"));
}

TEST(Reports, ColourOnlyWhenAskedFor) {
  RenderOptions options = kOptions;
  options.colour = true;
  EXPECT_THAT(rendered(testing_comparison::comparison(), "text", options), HasSubstr("\033[32mbetter\033[0m"));
}

TEST(Reports, NothingThatIsMissingBecomesANumber) {
  auto comparison = testing_comparison::comparison();
  comparison.conditions[0].contrasts[0].ratio.value = std::nan("");
  comparison.conditions[0].contrasts[0].arm_cost.high = std::numeric_limits<double>::infinity();
  comparison.run.wall_seconds = std::nan("");
  const auto json = nlohmann::json::parse(rendered(comparison, "json"));
  EXPECT_TRUE(json["wall_seconds"].is_null());
  EXPECT_TRUE(json["conditions"][0]["contrasts"][0]["ratio"]["value"].is_null());
  EXPECT_TRUE(json["conditions"][0]["contrasts"][0]["arm_cost"]["ticks"]["high"].is_null());
  EXPECT_TRUE(json["conditions"][2]["contrasts"][0]["ratio"]["value"].is_null());
  for (const auto& reading : json["readings"]) {
    EXPECT_TRUE(reading["value"].is_null());
    EXPECT_EQ(reading["quality"], "unavailable");
    EXPECT_FALSE(reading["reason"].get<std::string>().empty());
    EXPECT_FALSE(reading["hint"].get<std::string>().empty());
  }
  EXPECT_THAT(rendered(testing_comparison::comparison(), "text"),
              HasSubstr("not available: fills.rmt_cache, fills.lcl_cache (papi): the kernel offers no hardware"));
}

// Two runs of a deterministic machine may differ in five top-level keys and nowhere else.
TEST(Reports, JsonKeepsWhatVariesInFiveKeys) {
  auto a = testing_comparison::comparison("zen2-2s"), b = a;
  b.run.run_id = "other", b.run.started = "later", b.run.wall_seconds = 1, b.run.warnings = {"w"};
  b.run.environment = {{"cpu", "another"}};
  RenderOptions elsewhere = kOptions;
  elsewhere.store = "elsewhere.sqlite";
  auto first = nlohmann::json::parse(rendered(a, "json")),
       second = nlohmann::json::parse(rendered(b, "json", elsewhere));
  std::set<std::string> differing;
  for (const auto& [key, value] : first.items())
    if (second[key] != value) differing.insert(key);
  EXPECT_EQ(differing, (std::set<std::string>{"run_id", "started", "environment", "wall_seconds", "store"}));
}

TEST(Reports, BytesThatAreNoTextDoNotBreakJson) {
  auto comparison = testing_comparison::comparison();
  comparison.run.family = "\xff\xfe\"\n";
  EXPECT_TRUE(nlohmann::json::accept(rendered(comparison, "json")));
}

TEST(Reports, AnUnknownFormatIsAUsageError) {
  const auto refused = render(testing_comparison::nothing(), "jsno", kOptions);
  EXPECT_EQ(refused.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(refused.error().message, HasSubstr("did you mean json?"));
}

TEST(Headline, SaysWhetherItPaysAndWhere) {
  auto comparison = testing_comparison::comparison();
  const auto with = [&](Verdict a, Verdict b) {
    comparison.conditions.resize(2);
    comparison.conditions[0].contrasts[0].verdict = a;
    comparison.conditions[1].contrasts[0].verdict = b;
    return headline_text(comparison);
  };
  EXPECT_THAT(with(Verdict::kBetter, Verdict::kBetter), HasSubstr("yes, it pays: packed6 costs less per operation than "
                                                                  "percall7 in all 2 conditions"));
  EXPECT_THAT(with(Verdict::kWorse, Verdict::kWorse), HasSubstr("no, it does not pay"));
  EXPECT_THAT(with(Verdict::kEquivalent, Verdict::kEquivalent), HasSubstr("no difference"));
  EXPECT_THAT(with(Verdict::kUndecided, Verdict::kUndecided), HasSubstr("undecided: whether"));
  EXPECT_THAT(with(Verdict::kBetter, Verdict::kWorse),
              HasSubstr("it depends: packed6 against percall7 is better in 1 of 2 conditions, worse in 1 of 2"));
  EXPECT_THAT(with(Verdict::kBetter, Verdict::kUndecided),
              AllOf(HasSubstr("packed6 against percall7 is better in 1 of 2 conditions, open in the rest."),
                    Not(HasSubstr("yes"))));
  EXPECT_THAT(with(Verdict::kBetter, Verdict::kEquivalent),
              HasSubstr("yes: packed6 against percall7 is better in 1 of 2 conditions, equivalent"));
  EXPECT_THAT(with(Verdict::kWorse, Verdict::kUndecided),
              HasSubstr(": no: packed6 against percall7 is worse in 1 of 2"));
  EXPECT_THAT(with(Verdict::kWorse, Verdict::kEquivalent), HasSubstr(": no: packed6"));
  EXPECT_THAT(with(Verdict::kEquivalent, Verdict::kUndecided), HasSubstr("equivalent in 1 of 2 conditions, undecided"));
  comparison.conditions.resize(1);
  comparison.conditions[0].contrasts[0].verdict = Verdict::kBetter;
  EXPECT_THAT(headline_text(comparison), HasSubstr("(-34.2 %, 95 % interval -35.3 to -33.1 %)"));
}

TEST(Wording, Numbers) {
  EXPECT_EQ(number_text(0), "0");
  EXPECT_EQ(number_text(12.3456), "12.35");
  EXPECT_EQ(number_text(1234567), "1,234,567");
  EXPECT_EQ(number_text(-12345), "-12,345");
  EXPECT_EQ(number_text(std::nan("")), "n/a");
  EXPECT_EQ(change_text({}), "n/a");
  EXPECT_EQ(change_text({0.99999, {}, {}}), "+0.0 %");
  EXPECT_EQ(floor_text(std::nullopt), "not known");
}

TEST(TextFit, WrapsAndBreaks) {
  EXPECT_EQ(text_fit::wrapped("", 40, "a "), "a \n");
  EXPECT_EQ(text_fit::wrapped("one two three four five six", 20, "- ", "  "), "- one two three four\n  five six\n");
  EXPECT_EQ(text_fit::wrapped(std::string(45, 'x'), 20),
            std::string(20, 'x') + "\n" + std::string(20, 'x') + "\n" + std::string(5, 'x') + "\n");
}

TEST(TextFit, LongNamesBreakAtTheirJoints) {
  EXPECT_EQ(text_fit::wrapped("memcgs_and_more=1234567890", 20), "memcgs_and_more=\n1234567890\n");
}

TEST(TextFit, SolidColumnsStayWhole) {
  text_fit::Table table({{"verdict", false, 0, true}, {"condition"}});
  table.add({{"undecided"}, {"one two six"}});
  EXPECT_EQ(table.text(20, 0), "verdict    condition\nundecided  one two\n           six\n");
  text_fit::Table narrow({{"long-verdict", false, 0, true}, {"c"}});
  narrow.add({{"not-decided-yet"}, {"one two six"}});
  EXPECT_THAT(narrow.text(20, 0), HasSubstr("not-decided-yet  one\n"));
}

TEST(TextFit, TablesGiveUpColumnsThenWrap) {
  text_fit::Table table({{"name"}, {"first", true, 1}, {"second", true, 2}});
  table.add({{"abcdefghijklmnopqrstuvwxyz"}, {"1"}, {"2"}});
  EXPECT_THAT(table.text(60, 0), HasSubstr("second"));
  EXPECT_THAT(table.text(35, 0), Not(HasSubstr("second")));
  EXPECT_THAT(table.text(35, 0), HasSubstr("first"));
  EXPECT_EQ(table.text(20, 0), "name\nabcdefghijklmnopqrst\nuvwxyz\n");
}

}  // namespace
}  // namespace hitmark
