// Brings the threads of a bench together before and after every slice. Thread 0 leads; each of the others
// spins on a line of its own. start() also agrees on a reading of the TSC at which all begin, because telling
// 255 threads one after the other takes longer than a slice may be skewed.
//
// `start_at_` is deliberately no atomic: the barrier alone orders its accesses, so that under TSan a barrier
// that does not work is a reported race (start_barrier_mutant.cpp, ctest label tsan).
#pragma once

#include <sched.h>
#include <x86intrin.h>

#include <atomic>
#include <cstdint>
#include <vector>

namespace hitmark::native {

class StartBarrier {
 public:
  explicit StartBarrier(unsigned threads) : slots_(threads) {}

  // `idle` is called again and again while the others are awaited.
  template <typename Idle>
  void wait(unsigned thread, Idle idle) {
    if (thread == 0) {
      gather(idle);
      release();
    } else {
      arrive(thread, idle);
    }
  }
  void wait(unsigned thread) {
    wait(thread, [] {});
  }

  // As wait(); returns on all threads at the same time.
  void start(unsigned thread) {
    constexpr std::uint64_t kTicksPerThread = 400;  // for the news to reach one thread across sockets
    if (thread == 0) {
      gather([] {});
      start_at_ = __rdtsc() + kTicksPerThread * slots_.size();
      release();
    } else {
      arrive(thread, [] {});
    }
    while (__rdtsc() < start_at_) _mm_pause();
  }

 private:
  struct alignas(64) Line {
    std::atomic<std::uint64_t> round{0};
  };
  struct Slot {
    Line arrived;  // written by the thread, read by thread 0
    Line go;       // written by thread 0, read by the thread
  };

  // Yields now and then: on a host with more threads than free CPUs the others need ours.
  template <typename Idle>
  static void spin_until(const Line& line, std::uint64_t round, Idle idle) {
#ifndef HITMARK_MUTANT_WITHOUT_BARRIER
    for (unsigned turn = 1; line.round.load(std::memory_order_acquire) < round; ++turn) {
      idle();
      _mm_pause();
      if (turn % 4096 == 0) ::sched_yield();
    }
#else
    (void)line, (void)round, (void)idle;
#endif
  }
  template <typename Idle>
  void gather(Idle idle) {
    ++round_;
    for (std::size_t other = 1; other < slots_.size(); ++other) spin_until(slots_[other].arrived, round_, idle);
  }
  void release() {
#ifndef HITMARK_MUTANT_WITHOUT_BARRIER
    for (std::size_t other = 1; other < slots_.size(); ++other)
      slots_[other].go.round.store(round_, std::memory_order_release);
#endif
  }
  template <typename Idle>
  void arrive(unsigned thread, Idle idle) {
    Slot& slot = slots_[thread];
    const std::uint64_t round = slot.arrived.round.load(std::memory_order_relaxed) + 1;
#ifndef HITMARK_MUTANT_WITHOUT_BARRIER
    slot.arrived.round.store(round, std::memory_order_release);
#endif
    spin_until(slot.go, round, idle);
  }

  std::vector<Slot> slots_;
  std::uint64_t round_ = 0;     // thread 0's
  std::uint64_t start_at_ = 0;  // TSC
};

}  // namespace hitmark::native
