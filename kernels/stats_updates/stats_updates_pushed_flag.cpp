// The test is turned round: the CPU whose batch makes a flush worthwhile tells all others, on the private line that
// their next update has anyway. An update reads nothing shared; the push and the flush write a line of every CPU.
#include "kernels/stats_updates/shared_count.hpp"

namespace hitmark::stats_updates {
namespace {

struct PushedFlag : SharedCount<hitmark::stats_updates::Stats> {
  static constexpr const char* kLayoutType = "hitmark::stats_updates::Stats";
  static constexpr std::array<Trait, 3> kTraits = {
      {{"check", "own flag"}, {"count", "batched"}, {"place", "beside the flusher"}}};

  template <typename Cpu>
  HITMARK_INLINE static void count(Cpu cpu, FamilyState* state, Stats& stats, PerCpu<StatsCpu> statc,
                                   unsigned magnitude) {
    if (cpu.this_cpu_read(statc.field(&StatsCpu::flushable))) return;
    const long updates = full_batch(cpu, state, statc, magnitude);
    if (!updates) return;
    const auto all = static_cast<unsigned long>(cpu.atomic_add_return(stats.stats_updates, updates));
    if (all > cpu.read_once(state->threshold)) push(cpu, state, stats);
  }
  // Under the flusher's lock, for a flag set after its flush would keep that CPU from counting until the next. Busy: a
  // flush is running, or another CPU pushes; if neither was enough the next batch tries again.
  template <typename Cpu>
  HITMARK_NOIPA static void push(Cpu cpu, FamilyState* state, Stats& stats) {
    unsigned unlocked = 0;
    if (!cpu.try_cmpxchg(stats.lock, unlocked, 1)) return;
    if (needs_flush(cpu, state, stats)) set_flags(cpu, state, stats, 1);
    spin_unlock(cpu, stats.lock);
  }
  template <typename Cpu>
  HITMARK_INLINE static void set_flags(Cpu cpu, FamilyState* state, Stats& stats, unsigned value) {
    const std::uintptr_t percpu = cpu.read(stats.percpu);
    const std::size_t cpus = cpu.read(state->nr_cpus);
    for (std::size_t i = 0; i < cpus; ++i) cpu.write_once(per_cpu<StatsCpu>(cpu, state, percpu, i).flushable, value);
  }
  template <typename Cpu>
  HITMARK_INLINE static void restart(Cpu cpu, FamilyState* state, Stats& stats) {
    const auto waiting = static_cast<unsigned long>(cpu.read_once(stats.stats_updates));
    if (!waiting) return;
    cpu.write_once(stats.stats_updates, 0);
    if (waiting > cpu.read_once(state->threshold)) set_flags(cpu, state, stats, 0);
  }
};

const RegisteredVariant registered(stats_variant<PushedFlag>(
    "pushed-flag", "the CPU that makes a flush worthwhile sets a flag on every CPU's own line", "ours"));

}  // namespace
}  // namespace hitmark::stats_updates
