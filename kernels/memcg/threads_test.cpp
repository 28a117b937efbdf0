// Native threads, one per CPU, on shared memcgs: charges, uncharges of pages charged elsewhere, drains through
// the mailboxes, flushes and readers, all at once. The invariants hold when all have ended; under the tsan
// preset nothing races but what is marked (README.md lists it). With HITMARK_OMIT_HANDOFF_ORDER set, a TSan
// build leaves out the ordering of the drain's hand-off, and ctest expects TSan to see that.
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <cstdlib>
#include <thread>

#include "kernels/memcg/random_operations.hpp"
#include "kernels/memcg/simulation.hpp"
#include "kernels/memory/gs_base.hpp"
#include "kernels/memory/native_cpu.hpp"

namespace hitmark::memcg {
namespace {

constexpr unsigned kCpus = 4, kMemcgs = 8;
#if HITMARK_TSAN
constexpr int kSteps = 20'000;
#else
constexpr int kSteps = 100'000;
#endif

class Threads : public testing::TestWithParam<const Variant*> {
 protected:
  void SetUp() override {
#if HITMARK_TSAN
    omit_handoff_order = std::getenv("HITMARK_OMIT_HANDOFF_ORDER") != nullptr;
#endif
  }
};

// What one thread does. Pages charged and not yet uncharged are kept in `live`, by memcg: relaxed, so that
// this book-keeping orders nothing between the threads.
void play_cpu(Simulation& simulation, unsigned cpu, std::atomic<long>* live) {
  const Variant& variant = simulation.variant();
  set_gs_base(simulation.arena().percpu_address(cpu, 0));
  std::mt19937 random(cpu);
  const auto run = [&](const char* name, unsigned index, unsigned pages) {
    operation_named(variant, name).native(simulation.state(), simulation.memcg(cpu, index), pages);
  };
  for (int step = 0; step < kSteps; ++step) {
    const unsigned dice = random() % 1024, index = random() % 16 ? cpu % kMemcgs : random() % kMemcgs;
    const unsigned pages = random() % 8 ? 1 : 1 + random() % 80;
    if (dice < 2) {
      run("flush", 0, 0);
    } else if (dice < 4) {
      run("read", 0, 0);
    } else if (dice < 12) {
      run("drain", 0, 0);
    } else if (dice < 500) {
      run("charge", index, pages);
      live[index].fetch_add(pages, std::memory_order_relaxed);
    } else if (dice < 1000) {
      long have = live[index].load(std::memory_order_relaxed);
      while (have >= pages && !live[index].compare_exchange_weak(have, have - pages, std::memory_order_relaxed)) {
      }
      if (have >= pages) run("uncharge", index, pages);
    } else {
      run("pair", index, pages);
    }
    run("work", 0, 0);
  }
}

TEST_P(Threads, LeaveSoundState) {
  Workload workload;
  workload.memcgs = kMemcgs;
  workload.depth = 3;
  if (GetParam()->name == "packed6-outline" || GetParam()->name == "percall6")
    workload.refill = {.kind = RefillRule::Kind::kWatermark, .low = 32};
  Simulation simulation(*GetParam(), workload, kCpus);
  std::atomic<long> live[kMemcgs] = {};
  std::barrier start(kCpus);
  std::vector<std::thread> threads;
  for (unsigned cpu = 0; cpu < kCpus; ++cpu)
    threads.emplace_back([&, cpu] {
      start.arrive_and_wait();
      play_cpu(simulation, cpu, live);
    });
  for (std::thread& thread : threads) thread.join();

  for (unsigned cpu = 0; cpu < kCpus; ++cpu) simulation.run("work", cpu);
  EXPECT_EQ(violated_invariant(simulation.globals()), "");
  for (unsigned i = 0; i < kMemcgs; ++i) EXPECT_EQ(live_pages(simulation.globals(), simulation.memcg(0, i)), live[i]);
  simulation.run("flush", 0);
  EXPECT_EQ(violated_invariant(simulation.globals()), "");
}

INSTANTIATE_TEST_SUITE_P(Every, Threads, testing::ValuesIn(sock_charge_variants()), [](const auto& tested) {
  std::string name(tested.param->name);
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

}  // namespace
}  // namespace hitmark::memcg
