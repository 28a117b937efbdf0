// An add without LOCK in a restartable sequence: what user space has for this_cpu_add(), since nothing else tells a
// thread that it was moved between finding its CPU and adding to that CPU's part.
#include <sys/rseq.h>

#include "kernels/percpu_counter/rseq.hpp"

namespace hitmark::percpu_counter {
namespace {

struct RseqAdd : Exact {
  using Counter = RseqCounter;
  static constexpr const char* kCounterType = "hitmark::percpu_counter::RseqCounter";
  static constexpr const char* kLayoutType = "hitmark::percpu_counter::RseqCount";
  static constexpr std::array<Trait, 2> kTraits = {{{"place", "CPU's own line"}, {"method", "restartable"}}};

  static void set_up(FamilySetup& setup, Counter& counter, const std::string& index) {
    const NativeCpu cpu;
    const auto part = setup.percpu<RseqCount>("part" + index, kLayoutType);
    for (unsigned i = 0; i < setup.arena.cpu_count(); ++i) {
      cpu.write(setup.on<RseqCount>(i, part).player, kNobody);
      setup.not_digested.push_back(&setup.on<RseqCount>(i, part).player);  // and the restarts
    }
    cpu.write(counter.part, part);
    cpu.write(counter.rseq_offset, __rseq_offset);
    setup.not_digested.push_back(&counter.rseq_offset);
  }
  template <typename Cpu>
  HITMARK_INLINE static void add(Cpu cpu, FamilyState*, Counter& counter, long amount) {
    const PerCpu<RseqCount> part(cpu.read(counter.part));
    const std::ptrdiff_t rseq = cpu.read(counter.rseq_offset);
    if (unlikely(!restartable_add(cpu, part, rseq, amount))) adopt_and_add(cpu, part, rseq, amount);
  }
  template <typename Cpu>
  HITMARK_INLINE static long sum(Cpu cpu, FamilyState* state, Counter& counter) {
    return sum_of_parts(cpu, state, cpu.read(counter.part), &RseqCount::count);
  }
  template <typename Cpu>
  HITMARK_INLINE static long read(Cpu cpu, FamilyState* state, Counter& counter) {
    return sum(cpu, state, counter);
  }
  template <typename Cpu>
  static std::string fault(Cpu cpu, FamilyState* state, Counter& counter) {
    for (std::size_t i = 0; i < cpu.read(state->nr_cpus); ++i) {
      const unsigned player = cpu.read_once(per_cpu<RseqCount>(cpu, state, cpu.read(counter.part), i).player);
      if (player == kRseqUninitialized || player == kRseqRefused)
        return "cpu " + std::to_string(i) +
               " had no restartable sequence: the kernel, valgrind or GLIBC_TUNABLES=glibc.pthread.rseq=0 refuses rseq";
    }
    return "";
  }
};

const RegisteredVariant registered(counter_variant<RseqAdd>("rseq-add",
                                                            "one add without LOCK in a restartable sequence",
                                                            "user-space form of this_cpu_add (rseq, Linux 4.18)"));

}  // namespace
}  // namespace hitmark::percpu_counter
