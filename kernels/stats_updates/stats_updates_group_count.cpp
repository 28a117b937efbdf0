// A count for each group of CPUs, with a share of the threshold: an update reads and writes its group's line only (a
// CCX's with --placements groups:KxN), and the reader pays by visiting every group's.
#include "kernels/stats_updates/shared_count.hpp"

namespace hitmark::stats_updates {
namespace {

struct GroupCount {
  using Stats = StatsByGroup;
  static constexpr const char* kLayoutType = "hitmark::stats_updates::StatsByGroup";
  static constexpr std::array<Trait, 3> kTraits = {
      {{"check", "every update"}, {"count", "batched"}, {"place", "line per group"}}};

  static void set_up(FamilySetup& setup, Stats& stats, const std::string& index) {
    const NativeCpu cpu;
    const unsigned groups = setup.workload.groups;
    auto* counts =
        setup.shared_array<GroupUpdates>("group_updates" + index, "hitmark::stats_updates::GroupUpdates", groups);
    const auto pointer = setup.percpu<GroupPointer>("group" + index, "hitmark::stats_updates::GroupPointer");
    for (unsigned i = 0; i < setup.arena.cpu_count(); ++i)
      cpu.write(setup.on<GroupPointer>(i, pointer).mine, counts + setup.group_of(i));
    cpu.write(stats.group, pointer);
    cpu.write(stats.groups, counts);
    cpu.write(stats.nr_groups, groups);
    cpu.write(stats.share, static_cast<long>(setup.threshold() / groups));
  }
  template <typename Cpu>
  HITMARK_INLINE static void count(Cpu cpu, FamilyState* state, Stats& stats, PerCpu<StatsCpu> statc,
                                   unsigned magnitude) {
    GroupUpdates* group = cpu.this_cpu_read(PerCpu<GroupPointer>(cpu.read(stats.group)).field(&GroupPointer::mine));
    const long waiting = cpu.read_once(group->stats_updates);
    if (waiting > cpu.read(stats.share)) return;
    if (const long updates = full_batch(cpu, state, statc, magnitude)) cpu.atomic_add(group->stats_updates, updates);
  }
  // One group above its share has stopped counting, so that is enough.
  template <typename Cpu>
  HITMARK_INLINE static bool needs_flush(Cpu cpu, FamilyState*, Stats& stats) {
    GroupUpdates* groups = cpu.read(stats.groups);
    const long share = cpu.read(stats.share);
    const std::size_t count = cpu.read(stats.nr_groups);
    for (std::size_t i = 0; i < count; ++i)
      if (cpu.read_once(groups[i].stats_updates) > share) return true;
    return false;
  }
  template <typename Cpu>
  HITMARK_INLINE static void restart(Cpu cpu, FamilyState*, Stats& stats) {
    GroupUpdates* groups = cpu.read(stats.groups);
    const std::size_t count = cpu.read(stats.nr_groups);
    for (std::size_t i = 0; i < count; ++i)
      if (cpu.read_once(groups[i].stats_updates)) cpu.write_once(groups[i].stats_updates, 0);
  }
};

const RegisteredVariant registered(stats_variant<GroupCount>(
    "group-count", "a count for each group of CPUs (a CCX each with --placements groups:KxN)", "ours"));

}  // namespace
}  // namespace hitmark::stats_updates
