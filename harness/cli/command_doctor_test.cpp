// The whole program, as a user or a script meets it.
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/cli/testing_program.hpp"

namespace hitmark {
namespace {

using testing::HasSubstr;
using testing_program::kProgram;
using testing_program::Outcome;
using testing_program::run_hitmark;
using testing_program::shell;

Outcome doctor(const std::string& arguments) { return run_hitmark("doctor " + arguments); }

// What every host has: timing either works or is the reason for exit code 3.
TEST(Doctor, SaysFirstWhetherAStudyCanRun) {
  const Outcome text = doctor("");
  const bool can = text.text.find("A study can run here") != std::string::npos;
  EXPECT_EQ(text.exit_code, can ? 0 : 3) << text.text;
  EXPECT_THAT(text.text, HasSubstr("\nWorks\n"));
  EXPECT_THAT(text.text, HasSubstr("\nDoes not, or not fully\n"));
  EXPECT_THAT(text.text, HasSubstr("  timing "));
  EXPECT_LT(text.text.find("\nWorks\n"), text.text.find("\nDoes not"));
}

TEST(Doctor, LinesFitATerminal) {
  std::istringstream lines(doctor("").text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  ") && line.substr(20).find(' ') != std::string::npos) {
      EXPECT_LE(line.size(), 100u) << line;
    }
  }
}

TEST(Doctor, JsonFollowsItsSchema) {
  const std::string path = testing::TempDir() + "hitmark_doctor.json";
  const Outcome made = shell(kProgram + " doctor --json > " + path + " 2>&1");
  EXPECT_TRUE(made.exit_code == 0 || made.exit_code == 3);
  EXPECT_EQ(made.text, "") << "nothing may be printed beside the JSON";
  const Outcome checked = shell("/usr/bin/python3 -m jsonschema -i " + path + " doctor.schema.json 2>&1");
  EXPECT_EQ(checked.exit_code, 0) << checked.text;

  const auto json = nlohmann::json::parse(std::ifstream(path));
  EXPECT_EQ(json["study_can_run"].get<bool>(), made.exit_code == 0);
  std::vector<std::string> events;
  for (const auto& counter : json["counters"]) events.push_back(counter["event"]);
  EXPECT_THAT(events, testing::IsSupersetOf({"page-faults", "instructions", "fills.rmt_cache", "hitm.ibs"}));
  EXPECT_EQ(shell(kProgram + " doctor --format json | /usr/bin/python3 -m json.tool > /dev/null 2>&1").text, "");
}

TEST(Doctor, TheSchemaRefusesAZeroThatIsNone) {
  const std::string path = testing::TempDir() + "hitmark_doctor_bad.json";
  auto json = nlohmann::json::parse(doctor("--json").text);
  json["counters"][0]["available"] = false;
  json["counters"][0]["counted"] = 0;
  std::ofstream(path) << json;
  EXPECT_NE(shell("/usr/bin/python3 -m jsonschema -i " + path + " doctor.schema.json 2>&1").exit_code, 0);
}

TEST(Doctor, RefusesAnUnknownFormat) {
  const Outcome refused = doctor("--format yaml");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.text, HasSubstr("yaml"));
}

TEST(Doctor, OverheadIsCountedOrTheReasonSaid) {
  const Outcome counted = doctor("--overhead");
  EXPECT_THAT(counted.text, HasSubstr("\nWorks\n"));
  if (counted.exit_code == 0) {
    EXPECT_THAT(counted.text, HasSubstr("in executed instructions per operation"));
  } else {
    EXPECT_THAT(counted.text, HasSubstr("hitmark: "));
  }
}

}  // namespace
}  // namespace hitmark
