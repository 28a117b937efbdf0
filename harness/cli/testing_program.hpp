// The built program as a shell runs it, for the end-to-end tests.
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace hitmark::testing_program {

inline const std::string kProgram = HITMARK_PROGRAM;

struct Outcome {
  int exit_code = -1;  // of a signal: 128 and its number, as a shell says it
  std::string text;    // what the command wrote to stdout
};

inline Outcome shell(const std::string& command) {
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return {-1, "no process could be started"};
  Outcome outcome;
  std::array<char, 4096> buffer;
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe))
    outcome.text.append(buffer.data(), got);
  const int status = ::pclose(pipe);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

// stdout and stderr together.
inline Outcome run_hitmark(const std::string& arguments) {
  std::string command = kProgram;  // one long + chain makes g++ 12 warn of an overflow that is not there
  return shell(command.append(" ").append(arguments).append(" 2>&1"));
}

}  // namespace hitmark::testing_program
