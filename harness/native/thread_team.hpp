// Threads pinned one per CPU that live as long as a bench and sleep between its blocks.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "support/result.hpp"

namespace hitmark::native {

class ThreadTeam {
 public:
  // One thread per OS number in `cpus`. An Error names the CPU that cannot be had. The threads take no signals.
  static Result<std::unique_ptr<ThreadTeam>> start(const std::vector<int>& cpus);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  // Runs job(i) on every thread i at once and returns when all have.
  void run(const std::function<void(unsigned)>& job);

 private:
  ThreadTeam() = default;
  void serve(unsigned thread);

  std::vector<std::thread> threads_;
  const std::function<void(unsigned)>* job_ = nullptr;  // null: end
  std::atomic<std::uint32_t> round_{0};
  std::atomic<std::uint32_t> busy_{0};
};

// Points the calling thread's GS base at `area`, so that a %gs operand reaches this CPU's per-CPU objects.
// False where the kernel does not let us (a sandbox).
bool set_gs_base(const void* area);

}  // namespace hitmark::native
