// The program as a script sees it: exit codes, stdout, stderr.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace hitmark {
namespace {

struct Outcome {
  int exit_code;
  std::string output;  // stdout and stderr together
};

Outcome run(const std::string& arguments) {
  std::string command = HITMARK_PROGRAM;  // one long + chain makes g++ 12 warn of an overflow that is not there
  command.append(" ").append(arguments).append(" 2>&1");
  FILE* pipe = ::popen(command.c_str(), "r");
  std::string output;
  std::array<char, 4096> buffer;
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe)) output.append(buffer.data(), got);
  const int status = ::pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), output};
}

TEST(Cli, VersionAndHelpExitWithZero) {
  EXPECT_EQ(run("--version").output, "hitmark " HITMARK_VERSION "\n");
  EXPECT_EQ(run("--version").exit_code, 0);
  EXPECT_EQ(run("--help").exit_code, 0);
  EXPECT_EQ(run("man --help").exit_code, 0);
}

TEST(Cli, AMistypedCommandNamesTheNearest) {
  const Outcome outcome = run("completoin");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.output,
            "hitmark: there is no command 'completoin'; did you mean completion?\n  try: hitmark --help\n");
}

TEST(Cli, NoCommandAndAnUnknownOptionAreUsageErrors) {
  EXPECT_EQ(run("").exit_code, 2);
  EXPECT_EQ(run("man --frobnicate").exit_code, 2);
  EXPECT_EQ(run("completion bash --hlep").output,
            "hitmark: 'completion' has no option --hlep; did you mean --help?\n  try: hitmark completion --help\n");
}

TEST(Cli, AWrongValueNamesTheNearest) {
  EXPECT_NE(run("topology --format jsno").output.find("--format does not take 'jsno'; did you mean json?"),
            std::string::npos);
  EXPECT_NE(run("completion fsh").output.find("fish"), std::string::npos);
  EXPECT_EQ(run("doctor --format yaml").exit_code, 2);
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
  const std::string help = run("--help").output;
  const std::string script = run("completion bash").output;
  std::size_t commands = 0;
  for (std::size_t at = help.find("Subcommands:\n") + 13; help[at] == ' '; at = help.find('\n', at) + 1) {
    const std::size_t start = help.find_first_not_of(' ', at);
    const std::string name = help.substr(start, help.find(' ', start) - start);
    EXPECT_NE(script.find("\"hitmark " + name + "\""), std::string::npos) << name;
    ++commands;
  }
  EXPECT_GE(commands, 2u);
  EXPECT_NE(run("man").output.find(".TH HITMARK 1"), std::string::npos);
}

}  // namespace
}  // namespace hitmark
