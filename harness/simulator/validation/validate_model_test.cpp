#include "harness/simulator/validation/validate_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace hitmark::simulator {
namespace {

std::string failures(const std::vector<Check>& checks) {
  std::string text;
  for (const Check& check : checks)
    for (const Figure& figure : check.figures)
      if (!figure.passed())
        text += check.name + ": " + figure.name + ' ' + std::to_string(figure.value) + " > " +
                std::to_string(figure.target) + '\n';
  return text;
}

TEST(ValidateModel, EveryPublishedTargetIsMet) {
  const auto checks = validate_all();
  ASSERT_TRUE(checks) << checks.error().message;
  EXPECT_EQ(failures(*checks), "");
  EXPECT_EQ(checks->size(), 15u);
  for (const Check& check : *checks) {
    EXPECT_TRUE(check.passed()) << check.name;
    EXPECT_FALSE(check.values.empty()) << check.name;
  }
  EXPECT_EQ(checks->front().values.size(), 36u);
}

TEST(ValidateModel, MachinesWithoutAMatrixMeetTheirOwnFile) {
  for (const char* name : {"rome-1s", "milan-2s"}) {
    const auto checks = validate_machine(*load_machine(name));
    ASSERT_TRUE(checks) << checks.error().message;
    EXPECT_EQ(failures(*checks), "") << name;
  }
}

// Each parameter that a target is about, changed by what could be a slip, misses it.
TEST(ValidateModel, AWrongParameterMissesATarget) {
  using Change = std::function<void(MachineModel&)>;
  const std::pair<const char*, Change> changes[] = {
      {"F", [](MachineModel& m) { m.path.fixed_fabric_ns *= 1.1; }},
      {"r long", [](MachineModel& m) { m.path.r[2] += 10; }},
      {"r_other",
       [](MachineModel& m) {
         m.path.r_other = {60, 60, 60, 60};
       }},
      {"r_other in another order", [](MachineModel& m) { std::swap(m.path.r_other[0], m.path.r_other[3]); }},
      {"d diagonal", [](MachineModel& m) { m.path.d[3] += 10; }},
      {"d_across", [](MachineModel& m) { m.path.d_across -= 15; }},
      {"link", [](MachineModel& m) { m.path.link = 1.1; }},
      {"clock", [](MachineModel& m) { m.core.ghz = 2.25; }},
  };
  const auto real = load_measured(measured_machines()[0]);
  ASSERT_TRUE(check_all_pairs(*real, Basis::kFitted, "").passed());
  for (const auto& [what, change] : changes) {
    Measured wrong = *real;
    change(wrong.machine);
    EXPECT_FALSE(check_all_pairs(wrong, Basis::kFitted, "").passed()) << what;
  }
  Measured wrong = *real;
  wrong.machine.core.ccx_handoff_cycles = 95;
  EXPECT_FALSE(check_in_core_and_ccx(wrong).passed());
  wrong.machine.path.d_across += 15;
  EXPECT_FALSE(check_class_means(wrong).passed());
}

TEST(ValidateModel, AWrongLevelMissesATarget) {
  const MachineModel rome = *load_machine("rome-2s");
  const std::function<void(MachineModel&)> changes[] = {
      [](MachineModel& m) { m.core.l2_cycles = 14; },
      [](MachineModel& m) { m.core.l3_cycles = 40; },
      [](MachineModel& m) { m.l1.sets = 16; },
      [](MachineModel& m) { m.l2.sets = 256; },
      [](MachineModel& m) { m.l3.sets = 512; },
      [](MachineModel& m) { m.dram_ns[1] = 91.3; },
      [](MachineModel& m) { m.dram_other_socket_ns = 190; },
  };
  for (const auto& change : changes) {
    MachineModel wrong = rome;
    change(wrong);
    EXPECT_FALSE(check_levels(wrong).passed());
  }
}

TEST(ValidateModel, DeviationsAreThoseOfTheValues) {
  Check check;
  EXPECT_FALSE(check.passed()) << "nothing was checked";
  check.values = {{"a", 100, 101}, {"b", 100, 97}};
  add_deviations(check, 2.1, 2.9);
  ASSERT_EQ(check.figures.size(), 2u);
  EXPECT_NEAR(check.figures[0].value, 2, 1e-9);
  EXPECT_TRUE(check.figures[0].passed());
  EXPECT_NEAR(check.figures[1].value, 3, 1e-9);
  EXPECT_FALSE(check.figures[1].passed());
  Check empty;
  add_deviations(empty, 2, 2);
  EXPECT_FALSE(empty.passed());
}

TEST(ValidateModel, AFileOfTheUsersOwnIsComparedWithWhatIsNamed) {
  MachineModel mine = *load_machine("rome-2s-7702");
  EXPECT_EQ(lacks_measurement(mine), "");
  mine.name = "rome-mine";
  EXPECT_NE(lacks_measurement(mine), "");
  EXPECT_EQ(lacks_measurement(mine, "rome-2s-7702"), "");
  EXPECT_FALSE(validate_machine(mine, "rome-2s-7703"));
  const auto alone = validate_machine(mine);
  ASSERT_TRUE(alone);
  for (const Check& check : *alone) EXPECT_NE(check.basis, Basis::kFitted) << check.name;
  const auto compared = validate_machine(mine, "rome-2s-7702");
  ASSERT_TRUE(compared);
  EXPECT_GT(compared->size(), alone->size());
  EXPECT_EQ(failures(*compared), "");
  EXPECT_EQ(compared->front().basis, Basis::kStated);
  EXPECT_NE(compared->front().name.find("against rome-2s-7702"), std::string::npos);
  mine.path.d_across += 15;
  EXPECT_NE(failures(*validate_machine(mine, "rome-2s-7702")), "");
  EXPECT_EQ(failures(*validate_machine(mine)), "") << "it does what it says";
}

TEST(ValidateModel, AMachineThatTheMatrixDoesNotFitIsRefused) {
  MachineModel other = *load_machine("rome-2s");
  other.name = "rome-2s-7302";
  EXPECT_FALSE(validate_machine(other));
}

}  // namespace
}  // namespace hitmark::simulator
