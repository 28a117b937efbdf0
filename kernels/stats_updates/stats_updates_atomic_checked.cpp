// One shared atomic without a batch: read it, and unless a flush is worth it, add to it. Saturated, all CPUs only read.
#include "kernels/stats_updates/shared_count.hpp"

namespace hitmark::stats_updates {
namespace {

struct AtomicChecked : SharedCount<hitmark::stats_updates::Stats> {
  static constexpr const char* kLayoutType = "hitmark::stats_updates::Stats";
  static constexpr std::array<Trait, 3> kTraits = {
      {{"check", "every update"}, {"count", "shared"}, {"place", "beside the flusher"}}};

  template <typename Cpu>
  HITMARK_INLINE static void count(Cpu cpu, FamilyState* state, Stats& stats, PerCpu<StatsCpu>, unsigned magnitude) {
    if (needs_flush(cpu, state, stats)) return;
    cpu.atomic_add(stats.stats_updates, static_cast<long>(magnitude));
  }
};

const RegisteredVariant registered(stats_variant<AtomicChecked>(
    "atomic-checked", "read one shared atomic, add to it unless a flush is worth it", "counter-example"));

}  // namespace
}  // namespace hitmark::stats_updates
