// What `hitmark calibrate` refuses to do. What it does is tested in harness/simulator/validation: it takes too long
// here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace {

using testing::HasSubstr;

struct Outcome {
  int code;
  std::string text;  // stdout and stderr
};

Outcome run_hitmark(const std::string& arguments) {
  std::string command = HITMARK_PROGRAM " ";
  command.append(arguments).append(" 2>&1");
  std::FILE* pipe = ::popen(command.c_str(), "r");
  std::string text;
  std::array<char, 4096> buffer;
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe)) text.append(buffer.data(), got);
  const int status = ::pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text};
}

TEST(CalibrateCommand, UnknownNamesAreUsageErrorsWithTheNearest) {
  const Outcome variant = run_hitmark("calibrate --after packd6");
  EXPECT_EQ(variant.code, 2);
  EXPECT_THAT(variant.text, HasSubstr("no variant 'packd6'; did you mean packed6"));
  const Outcome machine = run_hitmark("calibrate --machine rome-2z");
  EXPECT_EQ(machine.code, 2);
  EXPECT_THAT(machine.text, HasSubstr("rome-2s"));
  EXPECT_EQ(run_hitmark("calibrate --pressure 3").code, 2);
}

TEST(CalibrateCommand, AMissingMachineFileIsAnErrorOfTheEnvironment) {
  EXPECT_EQ(run_hitmark("calibrate --machine /nowhere/machine.json").code, 3);
}

}  // namespace
