// Linux 6.8 to 6.15: count privately first, read the shared count only when a batch is full.
#include "kernels/stats_updates/shared_count.hpp"

namespace hitmark::stats_updates {
namespace {

struct AddThenCheck : SharedCount<hitmark::stats_updates::Stats> {
  static constexpr const char* kLayoutType = "hitmark::stats_updates::Stats";
  static constexpr std::array<Trait, 3> kTraits = {
      {{"check", "every batch"}, {"count", "batched"}, {"place", "beside the flusher"}}};

  template <typename Cpu>
  HITMARK_INLINE static void count(Cpu cpu, FamilyState* state, Stats& stats, PerCpu<StatsCpu> statc,
                                   unsigned magnitude) {
    const long updates = full_batch(cpu, state, statc, magnitude);
    if (!updates || needs_flush(cpu, state, stats)) return;
    cpu.atomic_add(stats.stats_updates, updates);
  }
};

const RegisteredVariant registered(stats_variant<AddThenCheck>(
    "add-then-check", "the shared count is read and added to once per 64 updates", "Linux 6.8 (9cee7e8ef3e3)"));

}  // namespace
}  // namespace hitmark::stats_updates
