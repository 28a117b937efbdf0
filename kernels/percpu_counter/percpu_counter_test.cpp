// What sets the variants of percpu-counter apart, as the rules say it: when a part is spilled, how far the cheap
// reading is off, whose line an addition writes, and that a restartable addition is restarted.
#include <gtest/gtest.h>
#include <linux/membarrier.h>
#include <sys/rseq.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "kernels/family_state.hpp"
#include "kernels/memory/gs_base.hpp"
#include "kernels/percpu_counter/layouts.hpp"
#include "kernels/random_steps.hpp"
#include "kernels/recorder.hpp"

namespace hitmark::percpu_counter {
namespace {

constexpr unsigned kCpus = 4;
constexpr int kBatch = 16;

const Variant& variant(std::string_view name) {
  const Variant* found = Registry<Variant>::instance().find("percpu-counter/" + std::string(name));
  HITMARK_CHECK(found, "no such variant");
  return *found;
}

bool is_batched(const Variant& v) { return v.name.starts_with("batched"); }

Workload small_batch() {
  Workload workload;
  workload.batch = kBatch;
  return workload;
}

class Readings : public testing::TestWithParam<const Variant*> {};

TEST_P(Readings, SumIsExactAndReadingIsOffByLessThanABatchPerCpu) {
  Simulation s(*GetParam(), small_batch(), kCpus);
  auto* state = static_cast<FamilyState*>(s.state());
  std::mt19937 random(5);
  long net = 0, worst = 0;
  for (int i = 0; i < 20'000; ++i) {
    const bool up = (i / 1000) % 2 == 0;
    const unsigned cpu = random() % kCpus, amount = 1 + random() % 5;
    s.run(up ? "add" : "sub", cpu, 0, amount);
    net += up ? static_cast<long>(amount) : -static_cast<long>(amount);
    const unsigned reader = random() % kCpus;
    s.run("flush", reader);
    s.run("read", reader);
    ASSERT_EQ(last_sum(state, reader), net);
    const long off = last_reading(state, reader) - net;
    worst = std::max(worst, off < 0 ? -off : off);
  }
  if (is_batched(*GetParam())) {
    EXPECT_LE(worst, kCpus * (kBatch - 1));
    EXPECT_GT(worst, kCpus * kBatch / 2) << "the bound is far from what happens";
  } else {
    EXPECT_EQ(worst, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Readings, testing::ValuesIn(variants_of("percpu-counter")),
                         [](const auto& tested) { return as_identifier(std::string(tested.param->name)); });

std::size_t locked(const Recorder& recorder) {
  std::size_t count = 0;
  for (const Touch& touch : recorder.touches) count += touch.kind == AccessKind::kLockedReadModifyWrite;
  return count;
}

// LOCK operations of 160 additions of 1 on one CPU.
std::size_t locked_in_160(std::string_view name) {
  Recorder recorder;
  Simulation s(variant(name), small_batch(), kCpus, &recorder);
  recorder.start(s);
  for (int i = 0; i < 160; ++i) s.run("add", 1);
  return locked(recorder);
}

TEST(PercpuCounter, LocksOncePerAdditionOrOncePerBatch) {
  for (const char* each : {"shared-atomic", "padded-slots", "packed-slots", "sharded-groups", "sharded-halves"})
    EXPECT_EQ(locked_in_160(each), 160u) << each;
  for (const char* never : {"percpu-add", "rseq-add"}) EXPECT_EQ(locked_in_160(never), 0u) << never;
  for (const char* batch : {"batched", "batched-apart", "batched-xadd"}) EXPECT_EQ(locked_in_160(batch), 10u) << batch;
}

// The lines that one addition writes, by the CPU that makes it.
std::string written(std::string_view name, unsigned cpu, unsigned groups = 1) {
  Workload workload = small_batch();
  workload.groups = groups;
  Recorder recorder;
  Simulation s(variant(name), workload, kCpus, &recorder);
  s.run("add", cpu);  // rseq-add finds its CPU
  recorder.start(s);
  s.run("add", cpu);
  std::string lines;
  for (const Touch& touch : recorder.touches)
    if (writes(touch.kind)) lines += touch.object + "/" + std::to_string(touch.offset / kLine) + " ";
  return lines;
}

TEST(PercpuCounter, AnAdditionWritesTheLineOfItsPlace) {
  EXPECT_EQ(written("shared-atomic", 0), written("shared-atomic", 3));
  EXPECT_EQ(written("packed-slots", 0), written("packed-slots", 3));
  EXPECT_EQ(written("padded-slots", 3), "slots[0]/3 ");
  EXPECT_EQ(written("percpu-add", 3), "part[0]@3/0 ");
  EXPECT_EQ(written("batched", 2), "part[0]@2/0 ");
  EXPECT_EQ(written("rseq-add", 2), "cpu_numbers@2/0 part[0]@2/0 ");
}

TEST(PercpuCounter, ShardsFollowGroupsAndHalves) {
  for (unsigned cpu = 0; cpu < kCpus; ++cpu) {
    EXPECT_EQ(written("sharded-groups", cpu), "shards[0]/0 ");
    EXPECT_EQ(written("sharded-groups", cpu, 2), "shards[0]/" + std::to_string(cpu / 2) + " ");
    EXPECT_EQ(written("sharded-groups", cpu, 4), "shards[0]/" + std::to_string(cpu) + " ");
    EXPECT_EQ(written("sharded-halves", cpu), "counter[0]/" + std::to_string(cpu / 2) + " ");
  }
}

TEST(PercpuCounter, DefaultBatchIsLinuxs) {
  for (const auto& [cpus, batch] : {std::pair{1u, 32}, {4u, 32}, {16u, 32}, {17u, 34}, {64u, 128}}) {
    Simulation s(variant("batched"), Workload{}, cpus);
    for (int i = 1; i < batch; ++i) s.run("add", 0);
    s.run("read", 0);
    EXPECT_EQ(last_reading(static_cast<FamilyState*>(s.state()), 0), 0) << cpus;
    s.run("add", 0);
    s.run("read", 0);
    EXPECT_EQ(last_reading(static_cast<FamilyState*>(s.state()), 0), batch) << cpus;
  }
}

TEST(PercpuCounter, FaultsAreSeen) {
  const auto object = [](Simulation& s, const std::string& name) {
    for (const ArenaObject& o : s.arena().objects())
      if (o.name == name)
        return reinterpret_cast<char*>(
            o.percpu ? reinterpret_cast<std::uintptr_t>(s.arena().percpu_address(0, o.address)) : o.address);
    return static_cast<char*>(nullptr);
  };
  const auto fault = [](Simulation& s) { return s.variant().violated_invariant(s.state()); };
  for (const char* name : {"batched", "batched-apart"}) {
    Simulation s(variant(name), small_batch(), kCpus);
    EXPECT_EQ(fault(s), "");
    const int part = kBatch;
    std::memcpy(object(s, "part[0]"), &part, sizeof part);
    EXPECT_NE(fault(s).find("a batch or more"), std::string::npos) << fault(s);
  }
  Simulation s(variant("batched-xadd"), small_batch(), kCpus);
  const int part = kCpus * kBatch;
  std::memcpy(object(s, "part[0]"), &part, sizeof part);
  EXPECT_NE(fault(s).find("off by 64, more than 60"), std::string::npos) << fault(s);

  Simulation unregistered(variant("rseq-add"), Workload{}, kCpus);
  EXPECT_EQ(fault(unregistered), "");
  const unsigned uninitialized = ~0u;
  std::memcpy(object(unregistered, "part[0]") + offsetof(RseqCount, player), &uninitialized, sizeof uninitialized);
  EXPECT_NE(fault(unregistered).find("no restartable sequence"), std::string::npos) << fault(unregistered);
}

#if !HITMARK_TSAN
// Another thread asks the kernel, again and again, to restart every sequence of this process that is under way.
// Additions go on until some were caught; each was begun again, and each happened once.
TEST(Rseq, ARestartedAdditionHappensOnce) {
  if (!__rseq_size) GTEST_SKIP() << "glibc has registered no rseq (GLIBC_TUNABLES, or a kernel without it)";
  const auto restart_all = [](int command) { return syscall(SYS_membarrier, command, 0, 0); };
  if (restart_all(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ) != 0)
    GTEST_SKIP() << "membarrier cannot restart sequences here: " << std::strerror(errno);
  Simulation s(variant("rseq-add"), Workload{}, 1);
  const RseqCount* part = nullptr;
  for (const ArenaObject& o : s.arena().objects())
    if (o.name == "part[0]") part = static_cast<const RseqCount*>(s.arena().percpu_address(0, o.address));
  ASSERT_NE(part, nullptr);
  const auto restarts = [&] {
    unsigned count;
    std::memcpy(&count, reinterpret_cast<const char*>(part) + offsetof(RseqCount, restarts), sizeof count);
    return count;
  };
  std::atomic<bool> enough = false;
  std::thread restarter([&] {
    while (!enough) restart_all(MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ);
  });
  set_gs_base(s.arena().percpu_address(0, 0));
  void* const object = s.variant().object(s.state(), 0, 0);
  const auto add = operation_named(s.variant(), "add").native;
  long added = 0;
  while (restarts() < 10 && added < 2'000'000'000)
    for (int i = 0; i < 100'000; ++i, ++added) add(s.state(), object, 1);
  enough = true;
  restarter.join();
  EXPECT_GE(restarts(), 10u) << "nothing was restarted in " << added << " additions";
  EXPECT_EQ(s.variant().net(s.state(), object), added);
}
#endif

}  // namespace
}  // namespace hitmark::percpu_counter
