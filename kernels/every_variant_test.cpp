// What holds for every registered variant of every family: it does the same natively, in its copy and traced; nothing
// that was added is lost under random operations, and its invariants hold; threads on shared objects leave it sound. A
// new variant is tested by being registered.
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <cstdlib>
#include <map>
#include <thread>

#include "kernels/memory/gs_base.hpp"
#include "kernels/random_steps.hpp"

namespace hitmark {
namespace {

#if HITMARK_TSAN || defined(__SANITIZE_ADDRESS__)
constexpr std::uint64_t kScale = 10;  // sanitizers slow the same code down by that
#else
constexpr std::uint64_t kScale = 1;
#endif
// With HITMARK_LONG in the environment (ctest -L long) 10^7.
std::uint64_t random_operations() { return (std::getenv("HITMARK_LONG") ? 10'000'000 : 100'000) / kScale; }

Workload workload_of_three() {
  Workload workload;
  workload.groups = 2;
  workload.memcgs = 3;
  workload.depth = 3;
  workload.protected_pages = 100;
  return workload;
}

// Every CPU's mailbox is empty, so that the state is quiescent.
void do_all_work(Simulation& simulation) {
  for (unsigned cpu = 0; cpu < simulation.cpu_count(); ++cpu) simulation.run("work", cpu);
}

class EveryVariant : public testing::TestWithParam<const Variant*> {};

// Natively it is one thread that moves its GS base from CPU to CPU.
TEST_P(EveryVariant, LeavesTheSameNativelyInItsCopyAndTraced) {
  constexpr unsigned kCpus = 4;
  const Workload workload = workload_of_three();
  const Variant& copy = Registry<VariantCopy>::instance().find(registry_key(*GetParam()))->variant;
  std::vector<std::uint64_t> digests;
  for (const bool traced : {false, true})
    for (const Variant* variant : {GetParam(), &copy}) {
      Simulation simulation(*variant, workload, kCpus);
      RandomSteps steps(*variant, simulation.state(), workload, kCpus, 7);
      unsigned at = kCpus;
      const auto run = [&](const Operation& operation, unsigned cpu, void* object, unsigned amount) {
        if (traced) return simulation.run(operation, cpu, object, amount);
        if (at != cpu) set_gs_base(simulation.arena().percpu_address(cpu, 0));
        at = cpu;
        operation.native(simulation.state(), object, amount);
      };
      const std::uint64_t fresh = variant->digest(simulation.state());
      for (std::uint64_t i = 0; i < 100'000 / kScale; ++i) steps.step(run);
      digests.push_back(variant->digest(simulation.state()));
      EXPECT_NE(digests.back(), fresh);
      do_all_work(simulation);
      EXPECT_EQ(variant->violated_invariant(simulation.state()), "");
      for (const auto& [object, net] : steps.net()) EXPECT_EQ(variant->net(simulation.state(), object), net);
    }
  EXPECT_EQ(digests, std::vector<std::uint64_t>(4, digests.front()));
}

TEST_P(EveryVariant, InvariantsHoldUnderRandomOperations) {
  constexpr unsigned kCpus = 6;
  const Variant& variant = *GetParam();
  const Workload workload = workload_of_three();
  Simulation simulation(variant, workload, kCpus);
  RandomSteps steps(variant, simulation.state(), workload, kCpus, 20261130);
  const auto run = [&](const Operation& operation, unsigned cpu, void* object, unsigned amount) {
    simulation.run(operation, cpu, object, amount);
  };
  const std::uint64_t operations = random_operations();
  std::map<std::string_view, std::uint64_t> seen;
  for (std::uint64_t i = 0; i < operations; ++i) {
    steps.step([&](const Operation& operation, unsigned cpu, void* object, unsigned amount) {
      ++seen[operation.name];
      run(operation, cpu, object, amount);
    });
    if ((i + 1) % (operations / 20) != 0) continue;
    do_all_work(simulation);
    ASSERT_EQ(variant.violated_invariant(simulation.state()), "") << "after " << i + 1 << " operations";
    for (const auto& [object, net] : steps.net())
      ASSERT_EQ(variant.net(simulation.state(), object), net) << "after " << i + 1 << " operations";
  }
  EXPECT_EQ(seen.size(), variant.operations.size() + variant.events.size());
}

// An uncharge takes only what another thread's charge has finished: `live` says so, relaxed, so that it orders nothing.
TEST_P(EveryVariant, ThreadsLeaveItSound) {
  constexpr unsigned kCpus = 4, kObjects = 3;
  const Variant& variant = *GetParam();
  Workload workload = workload_of_three();
  workload.groups = 1;  // one set of objects, whatever the family does with groups
  Simulation simulation(variant, workload, kCpus);
  std::atomic<long> live[kObjects] = {};
  std::barrier start(kCpus);
  const auto play = [&](unsigned cpu) {
    set_gs_base(simulation.arena().percpu_address(cpu, 0));
    std::mt19937 random(cpu);
    const auto native = [&](const Operation& operation, unsigned index, unsigned amount) {
      operation.native(simulation.state(), variant.object(simulation.state(), cpu, index), amount);
    };
    start.arrive_and_wait();
    for (std::uint64_t step = 0; step < 50'000 / kScale; ++step) {
      const unsigned index = random() % kObjects, amount = random() % 8 ? 1 : 1 + random() % 80;
      if (random() % 128 == 0) native(variant.events[random() % variant.events.size()], 0, 0);
      const Operation& operation = variant.operations[random() % variant.operations.size()];
      const long left = left_by(operation.name, amount);
      if (operation.name == "uncharge") {
        long have = live[index].load(std::memory_order_relaxed);
        while (have >= -left && !live[index].compare_exchange_weak(have, have + left, std::memory_order_relaxed)) {
        }
        if (have >= -left) native(operation, index, amount);
      } else {
        native(operation, index, amount);
        live[index].fetch_add(left, std::memory_order_relaxed);
      }
      native(variant.events[0], 0, 0);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned cpu = 0; cpu < kCpus; ++cpu) threads.emplace_back(play, cpu);
  for (std::thread& thread : threads) thread.join();

  do_all_work(simulation);
  EXPECT_EQ(variant.violated_invariant(simulation.state()), "");
  for (unsigned i = 0; i < kObjects; ++i)
    EXPECT_EQ(variant.net(simulation.state(), variant.object(simulation.state(), 0, i)), live[i]);
}

INSTANTIATE_TEST_SUITE_P(Of, EveryVariant, testing::ValuesIn(every_variant()),
                         [](const auto& tested) { return as_identifier(registry_key(*tested.param)); });

}  // namespace
}  // namespace hitmark
