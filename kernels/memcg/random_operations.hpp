// For tests: a random sequence of operations and events on several CPUs, equal for equal seeds, which knows
// what it has charged. `Run` executes one: run(name, cpu, memcg index, pages), true unless a charge failed.
#pragma once

#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include "kernels/workload.hpp"

namespace hitmark::memcg {

class RandomOperations {
 public:
  RandomOperations(const Workload& workload, unsigned cpus, std::uint64_t seed)
      : workload_(workload), cpus_(cpus), random_(seed), live_(workload.groups, std::vector<long>(workload.memcgs)) {}

  template <typename Run>
  void step(Run&& run) {
    const unsigned cpu = below(cpus_);
    const unsigned dice = below(4096);
    if (dice == 0) return static_cast<void>(run("flush", cpu, 0u, 0u));
    if (dice == 1) return static_cast<void>(run("read", cpu, 0u, 0u));
    if (dice < 6) return static_cast<void>(run("drain", cpu, 0u, 0u));
    if (dice < 80) return static_cast<void>(run("work", cpu, 0u, 0u));

    // Mostly the memcg of before, so that slots fill and counts grow; the rest makes evictions.
    if (below(8) == 0) index_ = below(workload_.memcgs);
    const unsigned pages = below(16) ? 1 : 1 + below(96);
    long& live = live_[cpu * workload_.groups / cpus_][index_];
    if (dice < 1400) return static_cast<void>(run("pair", cpu, index_, pages));
    // Long runs of charges and of uncharges: the counts reach their bounds.
    if (below(256) == 0) charging_ = !charging_;
    if (charging_ && live < 4000) {
      if (run("charge", cpu, index_, pages)) live += pages;
    } else if (live >= static_cast<long>(pages)) {
      run("uncharge", cpu, index_, pages);
      live -= pages;
    }
  }

  long live(unsigned group, unsigned index) const { return live_[group][index]; }

 private:
  unsigned below(unsigned bound) { return static_cast<unsigned>((random_() >> 32) * bound >> 32); }

  Workload workload_;
  unsigned cpus_;
  std::mt19937_64 random_;
  std::vector<std::vector<long>> live_;
  unsigned index_ = 0;
  bool charging_ = true;
};

}  // namespace hitmark::memcg
