// The whole program, as a user or a script meets it.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

namespace hitmark {
namespace {

using testing::HasSubstr;

struct Output {
  int exit_code = -1;
  std::string text;  // stdout and stderr
};

Output run(const std::string& command) {
  Output output;
  std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  std::array<char, 4096> buffer{};
  for (std::size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    output.text.append(buffer.data(), got);
  const int status = ::pclose(pipe);
  output.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return output;
}

Output doctor(const std::string& arguments) { return run(HITMARK_PROGRAM " doctor " + arguments); }

// What every host has: timing either works or is the reason for exit code 3.
TEST(Doctor, SaysFirstWhetherAStudyCanRun) {
  const Output text = doctor("");
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
  const Output made = run(HITMARK_PROGRAM " doctor --json > " + path);
  EXPECT_TRUE(made.exit_code == 0 || made.exit_code == 3);
  EXPECT_EQ(made.text, "") << "nothing may be printed beside the JSON";
  const Output checked = run("/usr/bin/python3 -m jsonschema -i " + path + " doctor.schema.json");
  EXPECT_EQ(checked.exit_code, 0) << checked.text;

  const auto json = nlohmann::json::parse(std::ifstream(path));
  EXPECT_EQ(json["study_can_run"].get<bool>(), made.exit_code == 0);
  std::vector<std::string> events;
  for (const auto& counter : json["counters"]) events.push_back(counter["event"]);
  EXPECT_THAT(events, testing::IsSupersetOf({"page-faults", "instructions", "fills.rmt_cache", "hitm.ibs"}));
  EXPECT_EQ(run(HITMARK_PROGRAM " doctor --format json | /usr/bin/python3 -m json.tool > /dev/null").text, "");
}

TEST(Doctor, TheSchemaRefusesAZeroThatIsNone) {
  const std::string path = testing::TempDir() + "hitmark_doctor_bad.json";
  auto json = nlohmann::json::parse(doctor("--json").text);
  json["counters"][0]["available"] = false;
  json["counters"][0]["counted"] = 0;
  std::ofstream(path) << json;
  EXPECT_NE(run("/usr/bin/python3 -m jsonschema -i " + path + " doctor.schema.json").exit_code, 0);
}

TEST(Doctor, RefusesAnUnknownFormat) {
  const Output refused = doctor("--format yaml");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.text, HasSubstr("yaml"));
}

TEST(Doctor, OverheadIsCountedOrTheReasonSaid) {
  const Output counted = doctor("--overhead");
  EXPECT_THAT(counted.text, HasSubstr("\nWorks\n"));
  if (counted.exit_code == 0) {
    EXPECT_THAT(counted.text, HasSubstr("in executed instructions per operation"));
  } else {
    EXPECT_THAT(counted.text, HasSubstr("hitmark: "));
  }
}

}  // namespace
}  // namespace hitmark
