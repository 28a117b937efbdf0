// Each operation of a Cpu: the value that it leaves, natively and traced, and the accesses that it reports.
#include <gtest/gtest.h>

#include <vector>

#include "kernels/memory/gs_base.hpp"
#include "kernels/memory/native_cpu.hpp"
#include "kernels/memory/plain_arena.hpp"
#include "kernels/memory/traced_cpu.hpp"

namespace hitmark {
namespace {

struct Thing {
  Cell<long> eight;
  Cell<unsigned> four;
  Cell<std::uint8_t> one;
  Cell<unsigned long> bits;
};

class Recorder : public AccessObserver {
 public:
  void on_access(unsigned cpu, const Access& access) override {
    EXPECT_EQ(cpu, 1u);
    seen.push_back(access);
  }
  std::vector<Access> seen;
};

// Does everything once to `shared` and to this CPU's part of `percpu`; returns what the operations returned.
template <typename Cpu>
std::vector<long> exercise(Cpu cpu, Thing& shared, PerCpu<Thing> percpu) {
  std::vector<long> results;
  cpu.write_once(shared.eight, -5);
  cpu.write(shared.one, 7);
  results.push_back(cpu.read_once(shared.eight) + cpu.read(shared.one));
  cpu.atomic_add(shared.eight, 2);
  results.push_back(cpu.atomic_add_return(shared.eight, -1));
  results.push_back(cpu.atomic_xchg(shared.eight, 11));
  long expected = 10;
  results.push_back(cpu.try_cmpxchg(shared.eight, expected, 12));
  results.push_back(expected);
  results.push_back(cpu.try_cmpxchg(shared.eight, expected, 12));
  results.push_back(cpu.test_and_set_bit(shared.bits, 3));
  results.push_back(cpu.test_and_set_bit(shared.bits, 3));
  cpu.clear_bit(shared.bits, 3);
  cpu.store_release(shared.four, 9);
  results.push_back(cpu.load_acquire(shared.four));
  cpu.this_cpu_add(percpu.field(&Thing::eight), -3);
  cpu.this_cpu_add(percpu.field(&Thing::four), 70);
  results.push_back(cpu.this_cpu_add_return(percpu.field(&Thing::eight), 1));
  results.push_back(cpu.this_cpu_xchg(percpu.field(&Thing::four), 0));
  results.push_back(cpu.read_once(cpu.this_cpu_ptr(percpu).eight));
  results.push_back(cpu.read_once(cpu.this_cpu_ptr(percpu).four));
  cpu.this_cpu_write(percpu.field(&Thing::four), 5);
  results.push_back(cpu.this_cpu_read(percpu.field(&Thing::four)));
  unsigned held = 4;
  results.push_back(cpu.this_cpu_try_cmpxchg(percpu.field(&Thing::four), held, 6));
  results.push_back(held);
  results.push_back(cpu.this_cpu_try_cmpxchg(percpu.field(&Thing::four), held, 6));
  return results;
}
const std::vector<long> kResults = {2, -4, -4, 0, 11, 1, 0, 1, 9, -2, 70, -2, 0, 5, 0, 5, 1};

TEST(Cpu, NativeAndTracedLeaveTheSame) {
  PlainArena native(2), traced(2);
  Recorder recorder;
  for (PlainArena* arena : {&native, &traced}) {
    auto* shared = static_cast<Thing*>(arena->shared("thing", "Thing", sizeof(Thing), 64));
    const PerCpu<Thing> percpu(arena->percpu("thing", "Thing", sizeof(Thing), 64));
    void* area = arena->percpu_address(1, 0);
    if (arena == &native) {
      set_gs_base(area);
      EXPECT_EQ(exercise(NativeCpu{}, *shared, percpu), kResults);
    } else {
      EXPECT_EQ(exercise(TracedCpu(1, reinterpret_cast<std::uintptr_t>(area), &recorder), *shared, percpu), kResults);
    }
  }

  const auto base = reinterpret_cast<std::uintptr_t>(traced.percpu_address(1, 0));
  const std::uintptr_t at = traced.objects()[0].address, mine = base + traced.objects()[1].address;
  using enum AccessKind;
  const std::uintptr_t four = offsetof(Thing, four), one = offsetof(Thing, one), bits = offsetof(Thing, bits);
  const std::vector<Access> expected = {
      {at, 8, kStore},
      {at + one, 1, kStore},
      {at, 8, kLoad},
      {at + one, 1, kLoad},
      {at, 8, kLockedReadModifyWrite},
      {at, 8, kLockedReadModifyWrite},
      {at, 8, kLockedReadModifyWrite},
      {at, 8, kLockedReadModifyWrite},
      {at, 8, kLockedReadModifyWrite},
      {at + bits, 8, kLockedReadModifyWrite},
      {at + bits, 8, kLockedReadModifyWrite},
      {at + bits, 8, kLockedReadModifyWrite},
      {at + four, 4, kStore},
      {at + four, 4, kLoad},
      {mine, 8, kReadModifyWrite},
      {mine + four, 4, kReadModifyWrite},
      {mine, 8, kReadModifyWrite},
      {mine + four, 4, kLoad},  // xchg is a load and a cmpxchg
      {mine + four, 4, kReadModifyWrite},
      {base, 8, kLoad},
      {mine, 8, kLoad},
      {base, 8, kLoad},
      {mine + four, 4, kLoad},
      {mine + four, 4, kStore},
      {mine + four, 4, kLoad},
      {mine + four, 4, kReadModifyWrite},
      {mine + four, 4, kReadModifyWrite},
  };
  EXPECT_EQ(recorder.seen, expected);
}

}  // namespace
}  // namespace hitmark
