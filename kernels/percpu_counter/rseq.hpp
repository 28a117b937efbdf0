// A restartable addition to a CPU's part (RseqCount), on the sequence that glibc registers for every thread. The kernel
// sends a thread that it preempts, moves or interrupts between 1 and 2 to 4, which counts that and begins again. So the
// addition happens on the CPU that the comparison found, or not at all.
//
// Its data is found through %gs as everywhere here, and the CPU's number is only compared: librseq's
// rseq_load_cbne.../addv also computes the address of the data from the number. Traced, and under ThreadSanitizer,
// which both see no assembly, the same accesses go to a struct rseq in the arena.
#pragma once

#include <type_traits>

#include "kernels/percpu_counter/counter_variant.hpp"

namespace hitmark::percpu_counter {

// Values of RseqCount::player. The first two are what an unregistered struct rseq has for a CPU's number.
inline constexpr unsigned kRseqUninitialized = ~0u, kRseqRefused = ~0u - 1, kNobody = ~0u - 2;

namespace {

template <typename Cpu>
constexpr bool kHasRseq = std::is_same_v<Cpu, NativeCpu> && !HITMARK_TSAN;

constexpr auto kTracedRseq = kStaticPercpu + offsetof(CpuNumbers, rseq);

// False when the part was last added to on another CPU; then nothing is added.
template <typename Cpu>
HITMARK_INLINE bool restartable_add(Cpu cpu, PerCpu<RseqCount> part, std::ptrdiff_t rseq_offset, long amount) {
  if constexpr (kHasRseq<Cpu>) {
    static_assert(offsetof(RseqCount, count) == 0 && offsetof(RseqCount, player) == 8 &&
                  offsetof(RseqCount, restarts) == 12 && offsetof(RseqArea, cpu_id) == 4 &&
                  offsetof(RseqArea, rseq_cs) == 8);
    asm goto(
        ".pushsection __rseq_cs, \"aw\"\n\t"  // struct rseq_cs: version, flags, start, length, where to abort to
        ".balign 32\n"
        "3:\t.long 0, 0\n\t"
        ".quad 1f, 2f - 1f, 4f\n\t"
        ".popsection\n"
        "5:\tleaq 3b(%%rip), %%rax\n\t"
        "movq %%rax, %%fs:8(%[rseq])\n"
        "1:\tmovl %%gs:8(%[part]), %%eax\n\t"
        "cmpl %%fs:4(%[rseq]), %%eax\n\t"
        "jne %l[elsewhere]\n\t"
        "addq %[amount], %%gs:(%[part])\n"
        "2:\n\t"
        ".pushsection __rseq_failure, \"ax\"\n\t"
        ".byte 0x0f, 0xb9, 0x3d\n\t"  // ud1 with RSEQ_SIG, which the kernel wants to see before 4
        ".long 0x53053053\n"
        "4:\taddl $1, %%gs:12(%[part])\n\t"
        "jmp 5b\n\t"
        ".popsection"
        :
        : [rseq] "r"(rseq_offset), [part] "r"(part.offset()), [amount] "er"(amount)
        : "memory", "cc", "rax"
        : elsewhere);
    return true;
  elsewhere:
    return false;
  } else {
    const PerCpu<RseqArea> rseq(kTracedRseq);
    cpu.this_cpu_write(rseq.field(&RseqArea::rseq_cs), 0);
    const unsigned player = cpu.this_cpu_read(part.field(&RseqCount::player));
    if (player != cpu.this_cpu_read(rseq.field(&RseqArea::cpu_id))) return false;
    cpu.this_cpu_add(part.field(&RseqCount::count), amount);
    return true;
  }
}

// The part goes with the thread that plays its CPU, to whichever CPU that thread now runs on.
template <typename Cpu>
HITMARK_NOIPA void adopt_and_add(Cpu cpu, PerCpu<RseqCount> part, std::ptrdiff_t rseq_offset, long amount) {
  do {
    unsigned player;
    if constexpr (kHasRseq<Cpu>)
      asm volatile("movl %%fs:4(%1), %0" : "=r"(player) : "r"(rseq_offset));
    else
      player = cpu.this_cpu_read(PerCpu<RseqArea>(kTracedRseq).field(&RseqArea::cpu_id));
    cpu.this_cpu_write(part.field(&RseqCount::player), player);
  } while (!restartable_add(cpu, part, rseq_offset, amount));
}

}  // namespace
}  // namespace hitmark::percpu_counter
