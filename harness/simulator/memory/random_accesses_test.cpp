// CoherentMemory against the naive one, access by access, on random accesses of machines of many shapes, and against
// versions of the data; for every switch.
#include "harness/simulator/memory/random_accesses.hpp"

#include <gtest/gtest.h>

#include <random>

#include "harness/simulator/memory/coherent_memory_access.hpp"
#include "harness/simulator/memory/coherent_memory_check.hpp"
#include "harness/simulator/memory/coherent_memory_evict.hpp"
#include "harness/simulator/memory/naive_memory.hpp"
#include "harness/simulator/memory/versions.hpp"

namespace hitmark::simulator {
namespace {

std::string difference(const Outcome& real, const Outcome& naive) {
  const auto evictions = [](const Outcome::Eviction& a, const Outcome::Eviction& b) {
    if (a.happened != b.happened) return true;
    return a.happened && (a.line != b.line || a.written_back != b.written_back || !(a.invalidated == b.invalidated));
  };
  if (real.served != naive.served) return "served";
  if (real.supplied_from != naive.supplied_from) return "supplied_from";
  if (real.granted != naive.granted) return "granted";
  if (real.supplier != naive.supplier || real.supplier_core != naive.supplier_core) return "supplier";
  if (real.home_asked != naive.home_asked) return "home_asked";
  if (real.broadcast != naive.broadcast) return "broadcast";
  if (real.probed_ccxs != naive.probed_ccxs) return "probed_ccxs";
  if (!(real.invalidated == naive.invalidated)) return "invalidated";
  if (evictions(real.l2_victim, naive.l2_victim)) return "l2_victim";
  if (evictions(real.l3_victim, naive.l3_victim)) return "l3_victim";
  if (evictions(real.recall, naive.recall)) return "recall";
  return "";
}

// The first access that differs, or nothing.
std::string compare(const MachineModel& machine, Line lines, unsigned accesses, unsigned seed) {
  const std::vector<Home> homes = spread_homes(machine, lines);
  CoherentMemory real(machine, homes);
  NaiveMemory naive(machine, homes);
  std::mt19937 random(seed);
  Outcome outcome;
  for (unsigned n = 0; n < accesses; ++n) {
    const unsigned core = machine.core_of(random() % machine.cpus());
    const Line line = random() % 4 == 0 ? random() % lines : random() % 8 % lines;
    const bool write = random() % 3 == 0;
    const std::string where = "access " + std::to_string(n) + " (" + (write ? "store " : "load ") +
                              std::to_string(line) + " by core " + std::to_string(core) + "): ";
    const Outcome expected = naive.access(core, line, write);
    if (real.hit_l1(core, line, write)) {
      if (expected.served != Served::kL1) return where + "an L1 hit that is none";
    } else if (n % 2 == 0 && real.hit_l2(core, line, write)) {
      if (expected.served != Served::kL2) return where + "an L2 hit that is none";
    } else {
      real.access(core, line, write, outcome);
      if (const std::string what = difference(outcome, expected); !what.empty()) return where + what;
    }
    if (n % 64 != 0) continue;
    for (Line other = 0; other < lines; ++other) {
      for (unsigned holder = 0; holder < machine.cores(); ++holder)
        if (real.state(holder, other) != naive.state(holder, other) ||
            real.in_l1(holder, other) != naive.in_l1(holder, other) ||
            real.holders(other).test(holder) != (naive.state(holder, other) != LineState::kI))
          return where + "state of core " + std::to_string(holder);
      for (unsigned ccx = 0; ccx < machine.ccxs(); ++ccx)
        if (real.l3_state(ccx, other) != naive.l3_state(ccx, other))
          return where + "state of L3 " + std::to_string(ccx);
    }
    if (const std::string violated = real.violated_invariant(); !violated.empty()) return where + violated;
  }
  return "";
}

TEST(RandomAccesses, HaveTheOutcomesOfTheNaiveMemory) {
  const auto pick = [](std::mt19937& random, auto... choices) {
    const unsigned all[] = {static_cast<unsigned>(choices)...};
    return all[random() % (sizeof...(choices))];
  };
  std::mt19937 random(1);
  for (unsigned round = 0; round < 96; ++round) {
    MachineModel machine;
    machine.protocol = switches_of(round % 16, pick(random, 1, 3, 8));
    machine.sockets = pick(random, 1, 2);
    machine.quadrants = pick(random, 1, 2);
    machine.ccxs_per_quadrant = pick(random, 1, 2, 3);
    machine.cores_per_ccx = pick(random, 1, 2, 3, 4);
    machine.threads_per_core = pick(random, 1, 2);
    machine.channels_per_quadrant = pick(random, 1, 2);
    const auto replacement = [&] { return random() % 2 != 0 ? Replacement::kLru : Replacement::kTreePlru; };
    machine.l1 = CacheGeometry{pick(random, 1, 2), pick(random, 1, 2, 3), replacement()};
    machine.l2 = CacheGeometry{pick(random, 1, 2, 4), pick(random, 1, 2, 5), replacement()};
    machine.l3 = CacheGeometry{pick(random, 1, 2, 4), pick(random, 0, 1, 4, 11), replacement()};
    EXPECT_EQ(compare(machine, pick(random, 3, 24, 64), 1500, round), "")
        << "round " << round << " " << machine.sockets << "x" << machine.quadrants << "x" << machine.ccxs_per_quadrant
        << "x" << machine.cores_per_ccx << ", ways " << machine.l1.ways << " " << machine.l2.ways << " "
        << machine.l3.ways;
  }
}

TEST(RandomAccesses, OfARomeSeeTheLastStoreForEverySwitch) {
  for (unsigned switches = 0; switches < 16; ++switches) {
    RandomRun run(small_rome(switches), switches);
    EXPECT_EQ(run.go(62500), "") << "switches " << switches;
    if (switches % 5 == 0) std::printf("%s\n", run.summary().c_str());
    EXPECT_TRUE(run.saw_everything()) << "switches " << switches << ": " << run.summary();
  }
}

}  // namespace
}  // namespace hitmark::simulator
