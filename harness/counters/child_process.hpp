// Code that may hang, crash or call exit(), run in a process of its own and spoken to line by line. Whatever it
// does costs the caller at most the deadline; it is killed with all its children and reaped with this object.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "support/result.hpp"

namespace hitmark {

using Deadline = std::chrono::steady_clock::time_point;
Deadline deadline_in(double seconds);

class ChildProcess {
 public:
  // Starts the program `path`, without arguments; we are its stdin and stdout. Missing or not executable: an Error
  // that says so. `name` is what errors call it.
  static Result<ChildProcess> execute(const std::string& path, std::string name);
  // Forks, and runs `body` in the child, which speaks through `line_fd`. No exec: for libraries that must be seen
  // in our own address space. The child leaves by _exit, so that nothing of ours runs or is printed twice.
  static Result<ChildProcess> call(const std::function<void(int line_fd)>& body, std::string name);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();

  Result<void> write_line(std::string_view line);
  // The next line without its newline. The process ended, did not answer in time or sent something endless: an
  // Error with what it wrote to stderr.
  Result<std::string> read_line(Deadline deadline);
  // What it wrote to stderr so far, as one line of at most 300 characters, markers of log functions taken out.
  std::string complaint();

 private:
  ChildProcess(int pid, int line_fd, int error_fd, std::string name);
  void drain_errors();
  Error failed(const std::string& what);
  std::string reap(Deadline deadline);  // how it ended; empty: it did not
  void end();

  int pid_ = -1;
  int line_fd_ = -1;
  int error_fd_ = -1;
  std::string name_, pending_, errors_;
};

}  // namespace hitmark
