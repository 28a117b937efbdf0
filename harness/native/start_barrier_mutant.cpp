// A small bench under TSan, built twice: as it is, and without the start barrier (HITMARK_MUTANT_WITHOUT_BARRIER).
// The second must be reported as a data race, or the tsan preset would prove nothing about the barrier.
#include <sched.h>

#include <cstdio>

#include "harness/native/native_bench.hpp"
#include "harness/native/toy_variant.hpp"

int main() {
  using namespace hitmark;
  cpu_set_t set;
  Condition condition;
  if (::sched_getaffinity(0, sizeof set, &set) == 0)
    for (int cpu = 0; cpu < CPU_SETSIZE && condition.placement.cpus.size() < 2; ++cpu)
      if (CPU_ISSET(cpu, &set)) condition.placement.cpus.push_back(cpu);
  if (condition.placement.cpus.size() < 2) {
    std::puts("skipped: needs two CPUs");
    return 77;
  }
  condition.operations_per_slice = 200;
  condition.workload.flush_period = 100;
  Plan plan;
  plan.arms = {{{"toy", ArmRole::kBaseline, "toy", {}}, &native::toy::variant()}};
  native::NativeBenchOptions options;
  options.arena.cpu_nodes = {native::kAnyNode, native::kAnyNode};
  options.arena.must_bind = false;
  auto bench = native::NativeBench::create(plan, condition, options);
  if (!bench) {
    std::fprintf(stderr, "%s\n", bench.error().message.c_str());
    return 3;
  }
  for (int block = 0; block < 20; ++block)
    if (!(*bench)->run({.block = block, .order = {0, 0, 0, 0}})) return 3;
  std::puts("twenty blocks ran");
  return 0;
}
