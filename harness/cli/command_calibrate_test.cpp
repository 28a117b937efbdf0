// What `hitmark calibrate` refuses to do. What it does is tested in harness/simulator/validation: it takes too long
// here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "harness/cli/testing_program.hpp"

namespace {

using hitmark::testing_program::Outcome;
using hitmark::testing_program::run_hitmark;
using testing::HasSubstr;

TEST(CalibrateCommand, UnknownNamesAreUsageErrorsWithTheNearest) {
  const Outcome variant = run_hitmark("calibrate --after packd6");
  EXPECT_EQ(variant.exit_code, 2);
  EXPECT_THAT(variant.text, HasSubstr("no variant 'packd6'; did you mean packed6"));
  const Outcome machine = run_hitmark("calibrate --machine rome-2z");
  EXPECT_EQ(machine.exit_code, 2);
  EXPECT_THAT(machine.text, HasSubstr("rome-2s"));
  EXPECT_EQ(run_hitmark("calibrate --pressure 3").exit_code, 2);
}

TEST(CalibrateCommand, AMissingMachineFileIsAnErrorOfTheEnvironment) {
  EXPECT_EQ(run_hitmark("calibrate --machine /nowhere/machine.json").exit_code, 3);
}

}  // namespace
