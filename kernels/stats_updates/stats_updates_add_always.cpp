// Linux 5.16 to 6.7 without its test: a full batch is added whether or not a flush is already worth it. The shared line
// is written for ever, but never read by an update.
#include "kernels/stats_updates/shared_count.hpp"

namespace hitmark::stats_updates {
namespace {

struct AddAlways : SharedCount<hitmark::stats_updates::Stats> {
  static constexpr const char* kLayoutType = "hitmark::stats_updates::Stats";
  static constexpr std::array<Trait, 3> kTraits = {
      {{"check", "never"}, {"count", "batched"}, {"place", "beside the flusher"}}};

  template <typename Cpu>
  HITMARK_INLINE static void count(Cpu cpu, FamilyState* state, Stats& stats, PerCpu<StatsCpu> statc,
                                   unsigned magnitude) {
    if (const long updates = full_batch(cpu, state, statc, magnitude)) cpu.atomic_add(stats.stats_updates, updates);
  }
};

const RegisteredVariant registered(stats_variant<AddAlways>("add-always",
                                                            "a batch of 64 is added whatever the shared count is",
                                                            "Linux 5.16 (11192d9c124d, per memcg)"));

}  // namespace
}  // namespace hitmark::stats_updates
