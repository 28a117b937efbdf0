// The time-stamp counter: one clock for all CPUs, when it is invariant.
#pragma once

#include <x86intrin.h>

#include <cstdint>
#include <ctime>

#include "support/result.hpp"

namespace hitmark::native {

// Of the TSC, measured against CLOCK_MONOTONIC_RAW for some 20 ms. kUnavailable when the TSC is not
// invariant (CPUID 8000_0007h, EDX bit 8): then its ticks are not time.
Result<double> tsc_ticks_per_second();

// The fences keep the measured instructions between the two readings (AMD APM vol. 3, RDTSC and RDTSCP).
struct TscClock {
  static std::uint64_t start() {
    _mm_lfence();
    const std::uint64_t ticks = __rdtsc();
    _mm_lfence();
    return ticks;
  }
  static std::uint64_t stop() {
    unsigned cpu;
    const std::uint64_t ticks = __rdtscp(&cpu);
    _mm_lfence();
    return ticks;
  }
  static std::uint64_t nanoseconds() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
  }
};

}  // namespace hitmark::native
