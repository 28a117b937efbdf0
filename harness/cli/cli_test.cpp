// The program as a script sees it: exit codes, stdout, stderr.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "harness/cli/testing_program.hpp"

namespace hitmark {
namespace {

using testing_program::Outcome;
using testing_program::run_hitmark;

TEST(Cli, VersionAndHelpExitWithZero) {
  EXPECT_EQ(run_hitmark("--version").text, "hitmark " HITMARK_VERSION "\n");
  EXPECT_EQ(run_hitmark("--version").exit_code, 0);
  EXPECT_EQ(run_hitmark("--help").exit_code, 0);
  EXPECT_EQ(run_hitmark("man --help").exit_code, 0);
}

TEST(Cli, AMistypedCommandNamesTheNearest) {
  const Outcome outcome = run_hitmark("completoin");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.text,
            "hitmark: there is no command 'completoin'; did you mean completion?\n  try: hitmark --help\n");
}

TEST(Cli, NoCommandAndAnUnknownOptionAreUsageErrors) {
  EXPECT_EQ(run_hitmark("").exit_code, 2);
  EXPECT_EQ(run_hitmark("man --frobnicate").exit_code, 2);
  EXPECT_EQ(run_hitmark("completion bash --hlep").text,
            "hitmark: 'completion' has no option --hlep; did you mean --help?\n  try: hitmark completion --help\n");
}

TEST(Cli, AWrongValueNamesTheNearest) {
  EXPECT_NE(run_hitmark("topology --format jsno").text.find("--format does not take 'jsno'; did you mean json?"),
            std::string::npos);
  EXPECT_NE(run_hitmark("completion fsh").text.find("fish"), std::string::npos);
  EXPECT_EQ(run_hitmark("doctor --format yaml").exit_code, 2);
}

TEST(Cli, OutputThatCannotBeWrittenIsAnErrorOfEveryCommand) {
  for (const char* command :
       {"--help", "--version", "man", "completion bash", "list", "list --json", "topology --json", "layout --help"}) {
    for (const char* nowhere : {" 2>/dev/null >/dev/full", " 2>/dev/null >&-"}) {
      std::string line = HITMARK_PROGRAM;
      line.append(" ").append(command).append(nowhere);
      const int status = std::system(line.c_str());
      EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 3) << line;
    }
  }
}

TEST(Cli, CompletionScriptsKnowEveryCommandThatHelpShows) {
  const std::string help = run_hitmark("--help").text;
  const std::string script = run_hitmark("completion bash").text;
  std::size_t commands = 0;
  for (std::size_t at = help.find("Subcommands:\n") + 13; help[at] == ' '; at = help.find('\n', at) + 1) {
    const std::size_t start = help.find_first_not_of(' ', at);
    const std::string name = help.substr(start, help.find(' ', start) - start);
    EXPECT_NE(script.find("\"hitmark " + name + "\""), std::string::npos) << name;
    ++commands;
  }
  EXPECT_GE(commands, 2u);
  EXPECT_NE(run_hitmark("man").text.find(".TH HITMARK 1"), std::string::npos);
}

}  // namespace
}  // namespace hitmark
