#include "topology/trial_run.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace hitmark {
namespace {

// Sanitizers reserve terabytes of address space, so it cannot be limited then.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

[[noreturn]] void run_child(const std::function<bool()>& attempt) {
  const int null = ::open("/dev/null", O_RDWR);
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(null, fd);
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGXCPU}) std::signal(signal, SIG_DFL);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  // Work is bounded in CPU time, so that a busy host does not turn good input into bad.
  const rlimit one_second{1, 2};
  ::setrlimit(RLIMIT_CPU, &one_second);
  if (!kSanitized) {
    const rlimit memory{std::size_t{4} << 30, std::size_t{4} << 30};
    ::setrlimit(RLIMIT_AS, &memory);
  }
  ::_exit(attempt() ? 0 : 1);
}

// Waits until the child closed its end of the pipe, which its death does.
bool closed_in_time(int fd, std::chrono::milliseconds deadline) {
  const auto end = std::chrono::steady_clock::now() + deadline;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    pollfd waiting{fd, 0, 0};
    const int ready = ::poll(&waiting, 1, left.count() > 0 ? static_cast<int>(left.count()) : 0);
    if (ready > 0) return true;
    if (ready == 0) return false;
    if (errno != EINTR) return false;
  }
}

}  // namespace

TrialOutcome try_in_child(const std::function<bool()>& attempt, std::chrono::milliseconds deadline) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return TrialOutcome::kNotStarted;
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    run_child(attempt);
  }
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    return TrialOutcome::kNotStarted;
  }
  const bool in_time = closed_in_time(ends[0], deadline);
  ::close(ends[0]);
  if (!in_time) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!in_time || (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU))) return TrialOutcome::kTimedOut;
  if (!WIFEXITED(status)) return TrialOutcome::kCrashed;
  return WEXITSTATUS(status) == 0   ? TrialOutcome::kPassed
         : WEXITSTATUS(status) == 1 ? TrialOutcome::kRefused
                                    : TrialOutcome::kCrashed;
}

}  // namespace hitmark
