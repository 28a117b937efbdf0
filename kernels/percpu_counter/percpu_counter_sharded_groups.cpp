// One atomic for each group of CPUs, found through a pointer in the CPU's own area. The groups are the workload's: with
// a placement groups:KxN that gives each CCX a group it is an atomic per CCX. With one group it is one atomic.
#include "kernels/percpu_counter/counter_variant.hpp"

namespace hitmark::percpu_counter {
namespace {

struct ShardedGroups : Exact {
  using Counter = percpu_counter::GroupShardsCounter;
  static constexpr const char* kCounterType = "hitmark::percpu_counter::GroupShardsCounter";
  static constexpr const char* kLayoutType = "hitmark::percpu_counter::GroupShardsCounter";
  static constexpr std::array<Trait, 2> kTraits = {{{"place", "line per group"}, {"method", "locked, by pointer"}}};

  static void set_up(FamilySetup& setup, Counter& counter, const std::string& index) {
    const NativeCpu cpu;
    auto* shards =
        setup.shared_array<PaddedSlot>("shards" + index, "hitmark::percpu_counter::PaddedSlot", setup.workload.groups);
    const auto part = setup.percpu<GroupShard>("part" + index, "hitmark::percpu_counter::GroupShard");
    for (unsigned i = 0; i < setup.arena.cpu_count(); ++i)
      cpu.write(setup.on<GroupShard>(i, part).mine, shards + setup.group_of(i));
    cpu.write(counter.part, part);
    cpu.write(counter.shards, shards);
    cpu.write(counter.nr_shards, setup.workload.groups);
  }
  template <typename Cpu>
  HITMARK_INLINE static void add(Cpu cpu, FamilyState*, Counter& counter, long amount) {
    PaddedSlot* shard = cpu.this_cpu_read(PerCpu<GroupShard>(cpu.read(counter.part)).field(&GroupShard::mine));
    cpu.atomic_add(shard->count, amount);
  }
  template <typename Cpu>
  HITMARK_INLINE static long sum(Cpu cpu, FamilyState*, Counter& counter) {
    PaddedSlot* shards = cpu.read(counter.shards);
    return sum_of_slots(cpu, shards, cpu.read(counter.nr_shards));
  }
  template <typename Cpu>
  HITMARK_INLINE static long read(Cpu cpu, FamilyState* state, Counter& counter) {
    return sum(cpu, state, counter);
  }
};

const RegisteredVariant registered(counter_variant<ShardedGroups>(
    "sharded-groups", "an atomic for each group of CPUs (a CCX each with --placements groups:KxN)", "ours"));

}  // namespace
}  // namespace hitmark::percpu_counter
