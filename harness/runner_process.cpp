#include "harness/runner_process.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

namespace hitmark {
namespace {

std::atomic<bool> stop_requested{false};
std::atomic<bool> patience{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

void on_signal(int signal) {
  if (stop_requested.exchange(true) && !patience) {
    ::signal(signal, SIG_DFL);
    ::raise(signal);
  }
}

// Blocks the two signals but while the caller waits, so that none comes between looking at the flag and waiting.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t held;
    ::sigemptyset(&held);
    ::sigaddset(&held, SIGINT);
    ::sigaddset(&held, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  ~SignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;
  const sigset_t& before() const { return before_; }

 private:
  sigset_t before_;
};

[[noreturn]] void become(const std::string& program, std::vector<char*>& arguments, pid_t parent,
                         const sigset_t& signals) {
  ::pthread_sigmask(SIG_SETMASK, &signals, nullptr);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(kInvocationInterrupted);  // it was gone before the line above
  ::execv(program.c_str(), arguments.data());
  ::_exit(127);
}

Result<void> judge(int status, const std::string& what, bool told) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  if (WIFEXITED(status) && WEXITSTATUS(status) == kInvocationInterrupted) {
    if (told) return {};
    return Error{ErrorKind::kUnavailable, "the process of an invocation was told to stop by a signal to it alone",
                 "what was measured is stored; --resume goes on"};
  }
  const std::string how = WIFSIGNALED(status) ? "was ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
                                                    ::strsignal(WTERMSIG(status)) + ")"
                                              : "ended with status " + std::to_string(WEXITSTATUS(status));
  return Error{ErrorKind::kUnavailable, "the process of an invocation " + how + " (" + what + ")",
               "what was measured is stored; --resume goes on"};
}

}  // namespace

Result<void> run_process(const std::string& program, const std::vector<std::string>& arguments,
                         const std::atomic<bool>* stop) {
  std::vector<char*> pointers = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  const pid_t parent = ::getpid();
  std::optional<SignalsHeld> held(std::in_place);
  const pid_t child = ::fork();
  if (child < 0)
    return Error{ErrorKind::kUnavailable, std::string("cannot start a process: ") + std::strerror(errno), ""};
  if (child == 0) become(program, pointers, parent, held->before());
  // Sleeps until the child ends or a signal comes: waking up now and then would disturb what is measured.
  pollfd end{static_cast<int>(::syscall(SYS_pidfd_open, child, 0)), POLLIN, 0};
  bool told = false;
  while (end.fd >= 0 && ::ppoll(&end, 1, nullptr, &held->before()) < 0 && errno == EINTR) {
    if (!stop || !stop->load() || told) continue;
    told = true;
    ::kill(child, SIGTERM);
  }
  if (end.fd >= 0) ::close(end.fd);
  int status = 0;
  if (::waitpid(child, &status, 0) < 0)
    return Error{ErrorKind::kUnavailable, std::string("waitpid: ") + std::strerror(errno), ""};
  held.reset();  // a Ctrl-C that reached both of us is seen before the child's end is judged
  return judge(status, program, stop && stop->load());
}

StopOnSignals::StopOnSignals(bool patient) {
  stop_requested = false;
  patience = patient;
  struct sigaction action {};
  action.sa_handler = on_signal;  // no SA_RESTART: waiting calls return
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

StopOnSignals::~StopOnSignals() {
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
}

const std::atomic<bool>* StopOnSignals::flag() const { return &stop_requested; }

}  // namespace hitmark
