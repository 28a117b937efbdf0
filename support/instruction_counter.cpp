#include "support/instruction_counter.hpp"

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace hitmark {
namespace {

constexpr int kTraceRefused = 113;  // exit status of a child that may not be traced

Error failed(const std::string& what, int code) {
  const bool denied = code == EPERM || code == EACCES || code == ENOSYS;
  return {
      denied ? ErrorKind::kDenied : ErrorKind::kUnavailable,
      "cannot count instructions: " + what + ": " + std::strerror(code),
      denied ? "in a container, allow ptrace (docker run --cap-add=SYS_PTRACE --security-opt seccomp=unconfined)" : ""};
}

[[noreturn]] void run_traced_child(const std::function<void()>& body) {
  if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(kTraceRefused);
  asm volatile("int3" ::: "memory");
  body();
  asm volatile("int3" ::: "memory");
  ::_exit(0);
}

// Ends the child whatever happens, so that no error path leaves one behind.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}
  ~Child() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, __WALL);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Waits for the next stop; the wait status. A child that ended is not killed again.
  Result<int> wait() {
    int status = 0;
    while (::waitpid(pid_, &status, __WALL) < 0)
      if (errno != EINTR) return failed("waitpid", errno);
    if (WIFEXITED(status) || WIFSIGNALED(status)) pid_ = -1;
    return status;
  }
  Result<void> go_on(__ptrace_request how, int signal) {
    if (::ptrace(how, pid_, nullptr, reinterpret_cast<void*>(static_cast<std::uintptr_t>(signal))) != 0)
      return failed("ptrace", errno);
    return {};
  }
  // A breakpoint and the end of a single step are both SIGTRAP; only the reason tells them apart.
  Result<bool> at_breakpoint() {
    siginfo_t info{};
    if (::ptrace(PTRACE_GETSIGINFO, pid_, nullptr, &info) != 0) return failed("ptrace", errno);
    return info.si_code == SI_KERNEL;
  }
  Result<user_regs_struct> registers() {
    user_regs_struct all{};
    if (::ptrace(PTRACE_GETREGS, pid_, nullptr, &all) != 0) return failed("ptrace", errno);
    return all;
  }

 private:
  pid_t pid_;
};

Error ended_early(int status) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == kTraceRefused) return failed("ptrace is refused", EPERM);
  const std::string how = WIFEXITED(status) ? "ended with status " + std::to_string(WEXITSTATUS(status))
                                            : "was killed by signal " + std::to_string(WTERMSIG(status));
  return {ErrorKind::kInvalid, "cannot count instructions: the function " + how, ""};
}

}  // namespace

Result<std::uint64_t> step_instructions(const std::function<void()>& body,
                                        const std::function<void(const user_regs_struct&)>& on_instruction) {
  const pid_t pid = ::fork();
  if (pid < 0) return failed("fork", errno);
  if (pid == 0) run_traced_child(body);
  Child child(pid);

  std::uint64_t count = 0;
  bool counting = false;
  for (;;) {
    const auto status = child.wait();
    if (!status) return status.error();
    if (!WIFSTOPPED(*status)) return ended_early(*status);
    int signal = WSTOPSIG(*status);
    if (signal == SIGTRAP) {
      signal = 0;
      const auto breakpoint = child.at_breakpoint();
      if (!breakpoint) return breakpoint.error();
      if (*breakpoint && counting) return count;
      count += counting && !*breakpoint;
      counting |= *breakpoint;
    }
    if (counting && on_instruction) {
      const auto registers = child.registers();
      if (!registers) return registers.error();
      on_instruction(*registers);
    }
    if (const auto gone = child.go_on(counting ? PTRACE_SINGLESTEP : PTRACE_CONT, signal); !gone) return gone.error();
  }
}

Result<std::uint64_t> count_instructions(const std::function<void()>& body,
                                         const std::function<void(std::uintptr_t)>& on_instruction) {
  if (!on_instruction) return step_instructions(body, nullptr);
  return step_instructions(body, [&](const user_regs_struct& registers) { on_instruction(registers.rip); });
}

Result<std::uint64_t> count_instructions(const std::function<void()>& body) {
  return count_instructions(body, nullptr);
}

}  // namespace hitmark
