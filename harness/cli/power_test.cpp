// `power` as people use it. Figures: the documentation of R's power.t.test, and SciPy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/cli/testing_program.hpp"

namespace {

using hitmark::testing_program::Outcome;
using hitmark::testing_program::run_hitmark;
using testing::HasSubstr;

Outcome power(const std::string& arguments) { return run_hitmark("power " + arguments); }

nlohmann::json answer(const std::string& arguments) {
  return nlohmann::json::parse(power("--json " + arguments).text)["cases"][0];
}

// By SciPy's noncentral t (scipy.stats.nct) the effect that three against three find with 80 % is 3.070893 sd.
TEST(Power, OfAnAverageOfThree) {
  const auto three = answer("--noise 2%");
  EXPECT_EQ(three["runs"], 3);
  EXPECT_NEAR(std::log1p(three["detectable_effect"].get<double>()) / std::log(1.02), 3.070893, 1e-5);
  EXPECT_NEAR(std::log1p(three["null_difference"].get<double>()) / std::log(1.02), 1.95996 * std::sqrt(2.0 / 3), 1e-4);
  const Outcome text = power("--noise 2 --effect 1%");
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(text.text, HasSubstr("Two averages of 3 runs each, when runs vary by 2 %"));
  EXPECT_THAT(text.text, HasSubstr("comes out in the wrong order with probability"));
}

TEST(Power, SaysHowAnEffectFares) {
  const auto asked = answer("--noise 2% --runs 20 --effect 2%")["asked"];
  EXPECT_NEAR(asked["power"], 0.8689528, 1e-6) << "delta is one sd: power.t.test(n = 20, delta = 1)";
  EXPECT_EQ(answer("--noise 2% --effect 2% --power 0.9")["asked"]["runs_needed"], 23);
  EXPECT_NEAR(answer("--noise 2% --runs 1 --effect 2%")["asked"]["wrong_order"], 0.2398, 1e-4);
  EXPECT_TRUE(answer("--noise 2% --runs 1")["detectable_effect"].is_null());
  EXPECT_LT(answer("--noise 2% --runs 3 --paired")["null_difference"], answer("--noise 2%")["null_difference"]);
}

TEST(Power, TakesTheNoiseOfAStoredRun) {
  const std::string store = "--store ../../analysis/testdata/runs.sqlite --run ";
  const auto same = answer(store + "same");
  EXPECT_EQ(same["design"], "paired");
  EXPECT_EQ(same["runs"], 6);
  EXPECT_GT(same["noise"], 0.0005);
  EXPECT_LT(same["noise"], 0.02);
  EXPECT_THAT(power(store + "mixed").text, HasSubstr("same-ccx@home:local paired"));
  EXPECT_EQ(power(store + "sam").exit_code, 2);
}

TEST(Power, RefusesWhatIsNoQuestion) {
  for (const char* arguments :
       {"", "--noise 2 --store x", "--noise two", "--noise 0", "--noise -3", "--noise nan", "--noise '2 bananas'",
        "--noise 2 --runs 0", "--noise 2 --power 1", "--noise 2 --alpha 0", "--noise 2 --effect -100%", "--noise inf"})
    EXPECT_EQ(power(arguments).exit_code, 2) << arguments;
  EXPECT_EQ(power("--noise 1000000 --effect 1e-9").exit_code, 0);
  EXPECT_EQ(power("--noise 0.0000001 --effect 99 --runs 1000000").exit_code, 0);
  EXPECT_EQ(power("--noise 2 > /dev/full").exit_code, 3);
}

}  // namespace
