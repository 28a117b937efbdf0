// Lines go over a socket pair, where a vanished peer is an error code and not a SIGPIPE.
#include "harness/counters/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <thread>
#include <utility>

namespace hitmark {
namespace {

constexpr std::size_t kLongestLine = 65536;
constexpr std::size_t kErrorsKept = 16384;

int milliseconds_until(Deadline deadline) {
  const auto left = deadline - std::chrono::steady_clock::now();
  return static_cast<int>(
      std::clamp<long long>(std::chrono::ceil<std::chrono::milliseconds>(left).count(), 0, 1'000'000));
}

struct Pipes {
  int ours = -1, theirs = -1;               // lines, both ways
  int error_read = -1, error_write = -1;    // stderr
  int failed_read = -1, failed_write = -1;  // errno of a failed exec

  bool open() {
    int pair[2], error[2], failed[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return false;
    std::tie(ours, theirs) = std::pair(pair[0], pair[1]);
    if (::pipe2(error, O_CLOEXEC) != 0) return false;
    std::tie(error_read, error_write) = std::pair(error[0], error[1]);
    if (::pipe2(failed, O_CLOEXEC) != 0) return false;
    std::tie(failed_read, failed_write) = std::pair(failed[0], failed[1]);
    ::fcntl(error_read, F_SETFL, O_NONBLOCK);
    return true;
  }
  static void close(int& fd) {
    if (fd >= 0) ::close(std::exchange(fd, -1));
  }
  ~Pipes() {
    for (int* fd : {&ours, &theirs, &error_read, &error_write, &failed_read, &failed_write}) close(*fd);
  }
};

// In the child, between fork and exec: async-signal-safe calls only.
void become_child(const Pipes& pipes, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  ::dup2(pipes.error_write, STDERR_FILENO);
  ::signal(SIGINT, SIG_IGN);  // Ctrl-C is for the parent, which then ends us
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

std::string how_it_ended(int status) {
  if (WIFEXITED(status)) return "ended with exit status " + std::to_string(WEXITSTATUS(status));
  if (WIFSIGNALED(status)) return std::string("was ended by signal ") + ::strsignal(WTERMSIG(status));
  return "ended";
}

// 0 in the child, which is already set up by then.
Result<pid_t> fork_child(Pipes& pipes, const std::string& name) {
  if (!pipes.open())
    return Error{ErrorKind::kUnavailable, "no pipe for " + name + ": " + std::strerror(errno), "ulimit -n 65536"};
  std::fflush(nullptr);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return Error{ErrorKind::kUnavailable, "cannot fork for " + name + ": " + std::strerror(errno), ""};
  if (pid == 0) become_child(pipes, parent);
  return pid;
}

}  // namespace

Deadline deadline_in(double seconds) {
  return std::chrono::steady_clock::now() +
         std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
}

ChildProcess::ChildProcess(int pid, int line_fd, int error_fd, std::string name)
    : pid_(pid), line_fd_(line_fd), error_fd_(error_fd), name_(std::move(name)) {}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      line_fd_(std::exchange(other.line_fd_, -1)),
      error_fd_(std::exchange(other.error_fd_, -1)),
      name_(std::move(other.name_)),
      pending_(std::move(other.pending_)),
      errors_(std::move(other.errors_)) {}

ChildProcess::~ChildProcess() { end(); }

Result<ChildProcess> ChildProcess::execute(const std::string& path, std::string name) {
  Pipes pipes;
  const auto forked = fork_child(pipes, name);
  if (!forked) return forked.error();
  const pid_t pid = *forked;
  if (pid == 0) {
    ::dup2(pipes.theirs, STDIN_FILENO);
    ::dup2(pipes.theirs, STDOUT_FILENO);
    ::execl(path.c_str(), path.c_str(), static_cast<char*>(nullptr));
    const int code = errno;
    [[maybe_unused]] const ssize_t put = ::write(pipes.failed_write, &code, sizeof code);
    ::_exit(127);
  }
  ChildProcess child(pid, std::exchange(pipes.ours, -1), std::exchange(pipes.error_read, -1), std::move(name));
  Pipes::close(pipes.failed_write);
  int code = 0;
  if (::read(pipes.failed_read, &code, sizeof code) == static_cast<ssize_t>(sizeof code))
    return Error{code == EACCES ? ErrorKind::kDenied : ErrorKind::kUnavailable,
                 child.name_ + " cannot be started: " + path + ": " + std::strerror(code), ""};
  return child;
}

Result<ChildProcess> ChildProcess::call(const std::function<void(int)>& body, std::string name) {
  Pipes pipes;
  const auto forked = fork_child(pipes, name);
  if (!forked) return forked.error();
  const pid_t pid = *forked;
  if (pid == 0) {
    body(pipes.theirs);
    ::_exit(0);
  }
  return ChildProcess(pid, std::exchange(pipes.ours, -1), std::exchange(pipes.error_read, -1), std::move(name));
}

Result<void> ChildProcess::write_line(std::string_view line) {
  std::string text(line);
  text += '\n';
  for (std::string_view left = text; !left.empty();) {
    const ssize_t put = ::send(line_fd_, left.data(), left.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) {
      const std::string why = std::strerror(errno);
      const std::string how = reap(deadline_in(1));  // a peer that is gone tells more by how it ended
      return failed(how.empty() ? "does not take commands: " + why : how);
    }
    left.remove_prefix(static_cast<std::size_t>(put));
  }
  return {};
}

Result<std::string> ChildProcess::read_line(Deadline deadline) {
  for (;;) {
    if (const std::size_t end = pending_.find('\n'); end != std::string::npos) {
      std::string line = pending_.substr(0, end);
      pending_.erase(0, end + 1);
      return line;
    }
    if (pending_.size() > kLongestLine) return failed("sent something that is no line");
    pollfd waiting[2] = {{line_fd_, POLLIN, 0}, {error_fd_, POLLIN, 0}};
    const int left = milliseconds_until(deadline);
    if (left == 0) return failed("did not answer within its deadline");
    const int ready = ::poll(waiting, 2, left);
    if (ready < 0 && errno != EINTR) return failed(std::string("cannot be heard: ") + std::strerror(errno));
    if (waiting[1].revents & (POLLIN | POLLHUP)) drain_errors();
    if (!(waiting[0].revents & (POLLIN | POLLHUP | POLLERR))) continue;
    char buffer[4096];
    const ssize_t got = ::recv(line_fd_, buffer, sizeof buffer, MSG_DONTWAIT);
    if (got > 0) pending_.append(buffer, static_cast<std::size_t>(got));
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
      const std::string how = reap(std::min(deadline, deadline_in(1)));
      return failed(how.empty() ? "closed its output" : how);
    }
  }
}

void ChildProcess::drain_errors() {
  char buffer[4096];
  for (;;) {
    const ssize_t got = error_fd_ < 0 ? -1 : ::read(error_fd_, buffer, sizeof buffer);
    if (got == 0) Pipes::close(error_fd_);  // poll() ignores -1
    if (got <= 0) return;
    if (errors_.size() < kErrorsKept) errors_.append(buffer, static_cast<std::size_t>(got));
  }
}

std::string ChildProcess::complaint() {
  drain_errors();
  std::string text;
  for (std::size_t from = 0; from < errors_.size();) {
    const std::size_t end = std::min(errors_.find('\n', from), errors_.size());
    std::string line = errors_.substr(from, end - from);
    from = end + 1;
    if (const std::size_t marker = line.find("] "); line.starts_with("ERROR - [") && marker != std::string::npos)
      line.erase(0, marker + 2);
    while (!line.empty() && (line.back() == ' ' || line.back() == '.')) line.pop_back();
    for (char& c : line)
      if (static_cast<unsigned char>(c) < 0x20) c = ' ';
    if (line.empty() || text.find(line) != std::string::npos) continue;
    text += (text.empty() ? "" : "; ") + line;
  }
  constexpr std::size_t kLongest = 300;
  if (text.size() > kLongest) text = text.substr(0, kLongest - 3) + "...";
  return text;
}

Error ChildProcess::failed(const std::string& what) {
  const std::string why = complaint();
  return {ErrorKind::kUnavailable, name_ + " " + what + (why.empty() ? "" : ": " + why), ""};
}

std::string ChildProcess::reap(Deadline deadline) {
  for (;;) {
    if (pid_ < 0) return "ended";
    int status = 0;
    const pid_t got = ::waitpid(pid_, &status, WNOHANG);
    if (got == pid_ || (got < 0 && errno == ECHILD)) {
      ::kill(-pid_, SIGKILL);  // what it started and left behind
      pid_ = -1;
      return got < 0 ? "ended" : how_it_ended(status);
    }
    if (std::chrono::steady_clock::now() >= deadline) return {};
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void ChildProcess::end() {
  if (pid_ >= 0) {
    if (::kill(-pid_, SIGKILL) != 0) ::kill(pid_, SIGKILL);  // its own group does not exist for a moment after fork
    reap(deadline_in(5));                                    // ends at once, unless it is stuck inside the kernel
  }
  Pipes::close(line_fd_);
  Pipes::close(error_fd_);
}

}  // namespace hitmark
