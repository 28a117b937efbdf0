// One atomic for each half of the CPUs, in the counter itself: one per socket where the placement takes the sockets in
// order and equally.
#include "kernels/percpu_counter/counter_variant.hpp"

namespace hitmark::percpu_counter {
namespace {

struct ShardedHalves : Exact {
  using Counter = percpu_counter::HalfShardsCounter;
  static constexpr const char* kCounterType = "hitmark::percpu_counter::HalfShardsCounter";
  static constexpr const char* kLayoutType = "hitmark::percpu_counter::HalfShardsCounter";
  static constexpr std::array<Trait, 2> kTraits = {{{"place", "line per half"}, {"method", "locked, by number"}}};

  static void set_up(FamilySetup&, Counter&, const std::string&) {}
  template <typename Cpu>
  HITMARK_INLINE static void add(Cpu cpu, FamilyState*, Counter& counter, long amount) {
    const std::size_t half = cpu.this_cpu_read(kCpuNumbers.field(&CpuNumbers::half));
    cpu.atomic_add(counter.shard[half].count, amount);
  }
  template <typename Cpu>
  HITMARK_INLINE static long sum(Cpu cpu, FamilyState*, Counter& counter) {
    const long first = cpu.read_once(counter.shard[0].count);
    return first + cpu.read_once(counter.shard[1].count);
  }
  template <typename Cpu>
  HITMARK_INLINE static long read(Cpu cpu, FamilyState* state, Counter& counter) {
    return sum(cpu, state, counter);
  }
};

const RegisteredVariant registered(counter_variant<ShardedHalves>(
    "sharded-halves", "an atomic for each half of the CPUs (a socket each in placements that fill two)", "ours"));

}  // namespace
}  // namespace hitmark::percpu_counter
