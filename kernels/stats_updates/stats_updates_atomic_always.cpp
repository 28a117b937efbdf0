// One shared atomic without a batch and without a test: each update is a LOCK on the shared line.
#include "kernels/stats_updates/shared_count.hpp"

namespace hitmark::stats_updates {
namespace {

struct AtomicAlways : SharedCount<hitmark::stats_updates::Stats> {
  static constexpr const char* kLayoutType = "hitmark::stats_updates::Stats";
  static constexpr std::array<Trait, 3> kTraits = {
      {{"check", "never"}, {"count", "shared"}, {"place", "beside the flusher"}}};

  template <typename Cpu>
  HITMARK_INLINE static void count(Cpu cpu, FamilyState*, Stats& stats, PerCpu<StatsCpu>, unsigned magnitude) {
    cpu.atomic_add(stats.stats_updates, static_cast<long>(magnitude));
  }
};

const RegisteredVariant registered(stats_variant<AtomicAlways>("atomic-always",
                                                               "every update adds to one shared atomic",
                                                               "counter-example"));

}  // namespace
}  // namespace hitmark::stats_updates
