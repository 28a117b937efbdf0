// `compare` and `report` as scripts use them: exit codes, spellings, output. The store is made by
// analysis/stored_runs_test.cpp: runs few, worse, mixed, same, two, better (the latest).
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/cli/testing_program.hpp"
#include "support/file.hpp"

namespace {

using hitmark::testing_program::Outcome;
using hitmark::testing_program::run_hitmark;
using testing::HasSubstr;
using testing::Not;

const std::string kStore = " --store ../../analysis/testdata/runs.sqlite ";

TEST(Compare, ExitsOneOnlyWhenAPrimaryVerdictMatches) {
  const auto code = [](const std::string& run, const std::string& fail_on) {
    return run_hitmark("compare" + kStore + "--run " + run + (fail_on.empty() ? "" : " --fail-on " + fail_on))
        .exit_code;
  };
  EXPECT_EQ(code("worse", ""), 1);
  EXPECT_EQ(code("worse", "worse"), 1);
  EXPECT_EQ(code("worse", "undecided"), 0);
  EXPECT_EQ(code("worse", "not-better"), 1);
  EXPECT_EQ(code("better", "worse"), 0);
  EXPECT_EQ(code("better", "undecided"), 0);
  EXPECT_EQ(code("better", "not-better"), 0);
  EXPECT_EQ(code("same", "worse"), 0);
  EXPECT_EQ(code("same", "undecided"), 0);
  EXPECT_EQ(code("same", "not-better"), 1);
  EXPECT_EQ(code("few", "worse"), 0);
  EXPECT_EQ(code("few", "undecided"), 1);
  EXPECT_EQ(code("few", "worse,undecided"), 1);
  EXPECT_EQ(code("mixed", "worse"), 1);
  EXPECT_EQ(code("two", "worse"), 0) << "v2 is worse, but it is not the headline's arm";
  EXPECT_EQ(code("two", "worse --arm v2"), 1);
}

TEST(Compare, ChoosesPlacements) {
  const std::string mixed = "compare --run mixed" + kStore + "--placement ";
  EXPECT_EQ(run_hitmark(mixed + "single").exit_code, 1);
  EXPECT_EQ(run_hitmark(mixed + "same-ccx").exit_code, 0);
  const Outcome one = run_hitmark(mixed + "same-ccx@home:local");
  EXPECT_EQ(one.exit_code, 0);
  EXPECT_THAT(one.text, HasSubstr("better"));
  EXPECT_THAT(one.text, Not(HasSubstr("single")));
  const Outcome none = run_hitmark(mixed + "same-cxx");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.text, HasSubstr("no placement 'same-cxx'"));
}

TEST(Compare, UsageErrorsNameWhatIsNear) {
  for (const auto& [arguments, near] : {std::pair{"--metric cots", "did you mean cost?"},
                                        {"--fail-on wose", "did you mean worse?"},
                                        {"--run bettr", "did you mean better?"},
                                        {"--arm v2", "did you mean v1?"},
                                        {"--format jsn", "did you mean json?"},
                                        {"--change slot", "did you mean slots?"}}) {
    const Outcome outcome = run_hitmark("compare" + kStore + arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_THAT(outcome.text, HasSubstr(near));
  }
  EXPECT_EQ(run_hitmark("compare").exit_code, 2) << "--store is required";
  EXPECT_EQ(run_hitmark("compare" + kStore + "--run few --run same").exit_code, 2) << "two runs are not comparable";
}

TEST(Compare, RefusesArmsThatDifferInMoreThanTheNamedChange) {
  EXPECT_EQ(run_hitmark("compare" + kStore + "--change slots").exit_code, 0);
  const Outcome refused = run_hitmark("compare" + kStore + "--change place");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.text, HasSubstr("v1 differs from base in more than the named change (place): also in slots"));
}

TEST(Compare, TakesTheMarginOfEquivalence) {
  const auto why = [](const std::string& margin) {
    return run_hitmark("compare" + kStore + "--run same --format json --margin " + margin).text;
  };
  EXPECT_THAT(why("1"), HasSubstr("within 1.0 % either way, which counts as equal"));
  EXPECT_THAT(why("2.5"), HasSubstr("within 2.5 % either way, which counts as equal"));
  EXPECT_THAT(why("0.001"), HasSubstr("undecided"));
  for (const char* margin : {"0", "-1", "101", "nan", "much"})
    EXPECT_EQ(run_hitmark("compare" + kStore + "--margin " + margin).exit_code, 2) << margin;
}

TEST(Compare, RawCostCountsTheLoop) {
  const auto ratio = [](const std::string& metric) {
    const Outcome outcome = run_hitmark("compare" + kStore + "--json --metric " + metric);
    return nlohmann::json::parse(outcome.text)["conditions"][0]["contrasts"][0]["ratio"]["value"].get<double>();
  };
  EXPECT_NEAR(ratio("cost"), 0.7, 0.01);
  EXPECT_NEAR(ratio("raw-cost"), 90 / 120.0, 0.01);
}

TEST(Report, PrintsEveryFormatWhateverTheVerdict) {
  const Outcome text = run_hitmark("report" + kStore + "--run worse");
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(text.text, HasSubstr("no, it does not pay: v1 costs more per operation than base"));
  EXPECT_THAT(text.text, HasSubstr("not available: fills (papi): no PMU"));
  EXPECT_THAT(run_hitmark("report" + kStore + "--format commit").text, HasSubstr("| Baseline"));
  const Outcome json = run_hitmark("report" + kStore + "--json");
  EXPECT_EQ(nlohmann::json::parse(json.text)["run_id"], "better");
  EXPECT_EQ(json.text, run_hitmark("report" + kStore + "--format json").text);
}

TEST(Report, WritesToAFileOrSaysWhyNot) {
  const std::string path = testing::TempDir() + "hitmark_report_output" + std::to_string(::getpid());
  const Outcome written = run_hitmark("report" + kStore + "--json --output " + path);
  EXPECT_EQ(written.exit_code, 0);
  EXPECT_EQ(written.text, "");
  EXPECT_EQ(*hitmark::read_file(path), run_hitmark("report" + kStore + "--json").text);
  EXPECT_EQ(run_hitmark("report" + kStore + "--output /nonexistent/x").exit_code, 3);
  EXPECT_EQ(run_hitmark("report" + kStore + "> /dev/full").exit_code, 3);
}

TEST(Report, AStoreThatIsNoneIsOneSentence) {
  for (const char* path : {"/nonexistent", "/", "CMakeLists.txt", "/dev/null"}) {
    const Outcome outcome = run_hitmark(std::string("report --store ") + path);
    EXPECT_EQ(outcome.exit_code, 3) << path;
    EXPECT_THAT(outcome.text, HasSubstr("hitmark: "));
  }
}

}  // namespace
