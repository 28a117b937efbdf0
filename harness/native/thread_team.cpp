#include "harness/native/thread_team.hpp"

#include <asm/prctl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

namespace hitmark::native {
namespace {

// 0 or an error number. The set is allocated: cpu_set_t ends at CPU 1023.
int pin_to(int cpu) {
  const auto count = static_cast<std::size_t>(cpu) + 1;
  cpu_set_t* set = CPU_ALLOC(count);
  const std::size_t size = CPU_ALLOC_SIZE(count);
  CPU_ZERO_S(size, set);
  CPU_SET_S(static_cast<std::size_t>(cpu), size, set);
  const int error = ::pthread_setaffinity_np(::pthread_self(), size, set);
  CPU_FREE(set);
  return error;
}

// The threads inherit a mask that leaves Ctrl-C to the caller's thread.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

bool set_gs_base(const void* area) { return ::syscall(SYS_arch_prctl, ARCH_SET_GS, area) == 0; }

Result<std::unique_ptr<ThreadTeam>> ThreadTeam::start(const std::vector<int>& cpus) {
  std::unique_ptr<ThreadTeam> team(new ThreadTeam);
  {
    const SignalsBlocked blocked;
    for (unsigned i = 0; i < cpus.size(); ++i) team->threads_.emplace_back([&team = *team, i] { team.serve(i); });
  }
  std::vector<int> errors(cpus.size(), 0);
  team->run([&](unsigned i) {
    errors[i] = pin_to(cpus[i]);
    ::pthread_setname_np(::pthread_self(), ("hitmark-cpu" + std::to_string(cpus[i])).c_str());
  });
  for (std::size_t i = 0; i < cpus.size(); ++i)
    if (errors[i] != 0)
      return Error{ErrorKind::kUnavailable,
                   "cannot pin a thread to CPU " + std::to_string(cpus[i]) + ": " + std::strerror(errors[i]),
                   "hitmark topology lists the CPUs that are online and allowed here"};
  return team;
}

ThreadTeam::~ThreadTeam() {
  job_ = nullptr;
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadTeam::run(const std::function<void(unsigned)>& job) {
  job_ = &job;
  busy_.store(static_cast<std::uint32_t>(threads_.size()), std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (std::uint32_t busy; (busy = busy_.load(std::memory_order_acquire)) != 0;) busy_.wait(busy);
}

void ThreadTeam::serve(unsigned thread) {
  for (std::uint32_t seen = 0;; ++seen) {
    round_.wait(seen, std::memory_order_acquire);
    if (!job_) return;
    (*job_)(thread);
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
  }
}

}  // namespace hitmark::native
