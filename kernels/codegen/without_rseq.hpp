// For tests that single-step a restartable sequence: every stop of a debugger counts as a preemption, so the kernel
// would send the stepped thread to the start for ever.
#pragma once

#include <sys/rseq.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace hitmark::codegen {

inline std::uintptr_t rseq_address() {
  return reinterpret_cast<std::uintptr_t>(__builtin_thread_pointer()) + static_cast<std::uintptr_t>(__rseq_offset);
}

// For a forked child: no sequence is restarted any more, and its struct rseq says `cpu`, as that of a TracedCpu does.
inline void leave_rseq(unsigned cpu) {
  auto* area = reinterpret_cast<volatile std::uint32_t*>(rseq_address());
  static constexpr unsigned kSizeOfFirstAbi = 32;
  if (__rseq_size) syscall(SYS_rseq, area, kSizeOfFirstAbi, RSEQ_FLAG_UNREGISTER, RSEQ_SIG);
  area[0] = cpu;
  area[1] = cpu;
}

}  // namespace hitmark::codegen
