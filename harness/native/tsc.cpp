#include "harness/native/tsc.hpp"

#include <cpuid.h>

#include <utility>

namespace hitmark::native {
namespace {

bool tsc_is_invariant() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(0x80000007u, &eax, &ebx, &ecx, &edx) != 0 && (edx & (1u << 8)) != 0;
}

// A TSC reading and the wall clock at the same moment: of several tries the one that took least.
std::pair<std::uint64_t, std::uint64_t> both_clocks() {
  std::pair<std::uint64_t, std::uint64_t> best;
  std::uint64_t shortest = ~std::uint64_t{0};
  for (int i = 0; i < 50; ++i) {
    const std::uint64_t before = TscClock::start();
    const std::uint64_t wall = TscClock::nanoseconds();
    const std::uint64_t after = TscClock::stop();
    if (after - before >= shortest) continue;
    shortest = after - before;
    best = {before + (after - before) / 2, wall};
  }
  return best;
}

}  // namespace

Result<double> tsc_ticks_per_second() {
  if (!tsc_is_invariant())
    return Error{ErrorKind::kUnavailable,
                 "the time-stamp counter of this CPU is not invariant (CPUID 80000007h, EDX bit 8), so its ticks are "
                 "no measure of time",
                 "run on bare metal, or let the hypervisor pass the bit on (QEMU: -cpu host,+invtsc)"};
  constexpr std::uint64_t kNanoseconds = 20'000'000;
  const auto first = both_clocks();
  while (TscClock::nanoseconds() - first.second < kNanoseconds) _mm_pause();
  const auto last = both_clocks();
  return static_cast<double>(last.first - first.first) * 1e9 / static_cast<double>(last.second - first.second);
}

}  // namespace hitmark::native
