// The reference's table of event rates (section 1.9) and the slot cliff, counted access by access. Every
// count is exact over a whole number of periods; the table's decimals are checked beside it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "kernels/memcg/simulation.hpp"

namespace hitmark::memcg {
namespace {

class EventCounter : public AccessObserver {
 public:
  struct Counts {
    std::uint64_t walks = 0, stat_calls = 0, references = 0;
  };

  void watch(Arena& arena, Globals* globals) {
    const Setup& setup = *globals->setup;
    root_usage_ = reinterpret_cast<std::uintptr_t>(&setup.memcgs.front()->memory.usage);
    for (const ArenaObject& object : arena.objects()) {
      for (unsigned cpu = 0; object.percpu && cpu < arena.cpu_count(); ++cpu) {
        const auto at = reinterpret_cast<std::uintptr_t>(arena.percpu_address(cpu, object.address));
        if (object.name.starts_with("vmstats_percpu["))
          kinds_[at + offsetof(MemcgVmstatsPercpu, state) + 8 * kSockItem] = &Counts::stat_calls;
        if (object.name.starts_with("percpu_ref[")) kinds_[at] = &Counts::references;
      }
    }
  }
  void on_access(unsigned cpu, const Access& access) override {
    if (access.kind == AccessKind::kLockedReadModifyWrite && access.address == root_usage_) ++counts_[cpu].walks;
    if (access.kind != AccessKind::kReadModifyWrite) return;
    if (const auto found = kinds_.find(access.address); found != kinds_.end()) ++(counts_[cpu].*(found->second));
  }
  void clear() { counts_.clear(); }
  Counts operator[](unsigned cpu) { return counts_[cpu]; }

 private:
  std::uintptr_t root_usage_ = 0;
  std::map<std::uintptr_t, std::uint64_t Counts::*> kinds_;
  std::map<unsigned, Counts> counts_;
};

constexpr RefillRule kDrain{};
constexpr RefillRule kLow32{.kind = RefillRule::Kind::kWatermark, .low = 32};

struct Rates {
  EventCounter::Counts a, b;
};

// `pairs` charges on CPU 0, each followed by its uncharge on CPU 0 or 1, after as many to reach the steady state.
Rates count(std::string_view variant, const RefillRule& rule, bool split, unsigned pairs) {
  EventCounter counter;
  Workload workload;
  workload.split = split;
  workload.refill = rule;
  Simulation simulation(variant_named(variant), workload, 2, &counter);
  counter.watch(simulation.arena(), simulation.globals());
  for (int round = 0; round < 2; ++round) {
    counter.clear();
    for (unsigned i = 0; i < pairs; ++i) {
      simulation.run("charge", 0);
      simulation.run("uncharge", split ? 1 : 0);
    }
  }
  EXPECT_EQ(violated_invariant(simulation.globals()), "");
  return {counter[0], counter[1]};
}

double per64(std::uint64_t events, unsigned pairs) {
  return std::round(100.0 * 64.0 * static_cast<double>(events) / pairs) / 100.0;
}

TEST(EventRates, PairedPerCall) {
  for (const RefillRule& rule : {kDrain, kLow32}) {
    const Rates rates = count("percall7", rule, false, 6400);
    EXPECT_EQ(rates.a.walks, 0u);
    EXPECT_EQ(per64(rates.a.stat_calls, 6400), 128.0);
    EXPECT_EQ(rates.a.references, 0u);
  }
}

TEST(EventRates, PairedBatchedHasNone) {
  for (const RefillRule& rule : {kDrain, kLow32}) {
    const Rates rates = count("packed6", rule, false, 6400);
    EXPECT_EQ(rates.a.walks, 0u);
    EXPECT_EQ(rates.a.stat_calls, 0u);
    EXPECT_EQ(rates.a.references, 0u);
  }
}

TEST(EventRates, SplitPerCallFullDrain) {
  constexpr unsigned kPairs = 64 * 65;
  const Rates rates = count("percall7", kDrain, true, kPairs);
  EXPECT_EQ(rates.a.walks, 65u);
  EXPECT_EQ(rates.b.walks, 64u);
  EXPECT_EQ(per64(rates.a.walks, kPairs), 1.00);
  EXPECT_EQ(per64(rates.b.walks, kPairs), 0.98);
  EXPECT_EQ(per64(rates.a.stat_calls, kPairs), 64.0);
  EXPECT_EQ(per64(rates.b.stat_calls, kPairs), 64.0);
  EXPECT_EQ(rates.a.references, 0u);       // an emptied slot keeps its reference
  EXPECT_EQ(rates.b.references, 2u * 64);  // one put and one get per drain
}

TEST(EventRates, SplitPerCallWatermark) {
  constexpr unsigned kPairs = 64 * 33;
  const Rates rates = count("percall7", kLow32, true, kPairs);
  EXPECT_EQ(rates.a.walks, 33u);
  EXPECT_EQ(rates.b.walks, 64u);
  EXPECT_EQ(per64(rates.a.walks, kPairs), 1.00);
  EXPECT_EQ(per64(rates.b.walks, kPairs), 1.94);
  EXPECT_EQ(per64(rates.a.stat_calls, kPairs), 64.0);
  EXPECT_EQ(per64(rates.b.stat_calls, kPairs), 64.0);
  EXPECT_EQ(rates.a.references, 2u * 33);  // released when emptied
  EXPECT_EQ(rates.b.references, 0u);
}

TEST(EventRates, SplitBatchedWatermark) {
  constexpr unsigned kPairs = 64 * 64 * 33;
  const Rates rates = count("packed6", kLow32, true, kPairs);
  EXPECT_EQ(rates.a.walks, 64u * 33);
  EXPECT_EQ(rates.b.walks, 64u * 64);
  EXPECT_EQ(per64(rates.a.walks, kPairs), 1.00);
  EXPECT_EQ(per64(rates.b.walks, kPairs), 1.94);
  EXPECT_EQ(rates.a.stat_calls, 64u * 33 + 63u * 33);  // each slow charge, and every 64th of its 63 hits
  EXPECT_EQ(rates.b.stat_calls, 64u * 33);
  EXPECT_EQ(per64(rates.a.stat_calls, kPairs), 1.98);
  EXPECT_EQ(per64(rates.b.stat_calls, kPairs), 1.00);
  EXPECT_EQ(rates.a.references, 2u * 33);  // only when pages and count run out at once: every 64 x 64 charges
  EXPECT_EQ(rates.b.references, 0u);
}

TEST(EventRates, SplitBatchedFullDrain) {
  constexpr unsigned kPairs = 64 * 64 * 65;
  const Rates rates = count("packed6", kDrain, true, kPairs);
  EXPECT_EQ(rates.a.walks, 64u * 65);
  EXPECT_EQ(rates.b.walks, 64u * 64);
  EXPECT_EQ(per64(rates.b.walks, kPairs), 0.98);
  EXPECT_EQ(rates.a.stat_calls, 64u * 65 + 63u * 65);
  EXPECT_EQ(rates.b.stat_calls, 2u * 64 * 64);
  EXPECT_EQ(per64(rates.a.stat_calls, kPairs), 1.98);
  EXPECT_EQ(per64(rates.b.stat_calls, kPairs), 1.97);
  EXPECT_EQ(rates.a.references, 0u);
  EXPECT_EQ(rates.b.references, 2u * 64 * 64);
}

// G6: an overflow leaves `low` pages, so the next comes 65 - low uncharges later. The charging side knows no overflow.
TEST(EventRates, SplitWatermarkByLow) {
  for (const char* variant : {"percall7", "g3-v4b", "g4-v5b"})
    for (const unsigned low : {0u, 32u, 64u}) {
      const unsigned period = 65 - low, pairs = 64 * period * 10;
      const RefillRule rule{.kind = RefillRule::Kind::kWatermark, .low = low};
      const Rates rates = count(variant, rule, true, pairs);
      EXPECT_EQ(rates.a.walks, pairs / 64) << variant << ", low " << low;
      EXPECT_EQ(rates.b.walks, pairs / period) << variant << ", low " << low;
      EXPECT_EQ(rates.b.references, 0u) << variant << ", low " << low;  // the slot is kept, even empty
    }
}

// Share of charges that the stock serves when `memcgs` are used in turn on one CPU.
double hit_rate(std::string_view variant, unsigned memcgs, unsigned rounds = 50) {
  EventCounter counter;
  Workload workload;
  workload.memcgs = memcgs;
  Simulation simulation(variant_named(variant), workload, 1, &counter);
  counter.watch(simulation.arena(), simulation.globals());
  std::uint64_t missed = 0;
  for (unsigned round = 0; round < 2 * rounds; ++round)
    for (unsigned i = 0; i < memcgs; ++i) {
      counter.clear();
      simulation.run("charge", 0, i);
      // A miss is a batch charge; evicting a victim's pages is another walk of the same charge.
      if (round >= rounds) missed += counter[0].walks != 0;
      simulation.run("uncharge", 0, i);
    }
  return 1.0 - static_cast<double>(missed) / (rounds * memcgs);
}

TEST(SlotCliff, SevenSlotsFallAtEight) {
  for (unsigned memcgs = 1; memcgs <= 7; ++memcgs) EXPECT_EQ(hit_rate("percall7", memcgs), 1.0) << memcgs;
  EXPECT_EQ(hit_rate("percall7", 8), 0.0);
}

TEST(SlotCliff, SixSlotsFallAtSeven) {
  for (unsigned memcgs = 1; memcgs <= 6; ++memcgs) EXPECT_EQ(hit_rate("packed6", memcgs), 1.0) << memcgs;
  EXPECT_EQ(hit_rate("packed6", 7), 0.0);
}

TEST(SlotCliff, OneSlotFallsAtTwo) {
  for (const char* variant : {"g0-v0", "g2-v3", "g3-v4b"}) {
    EXPECT_EQ(hit_rate(variant, 1), 1.0) << variant;
    for (unsigned memcgs = 2; memcgs <= 4; ++memcgs) EXPECT_EQ(hit_rate(variant, memcgs), 0.0) << variant;
  }
}

// The rule alone: `memcgs` in turn, a random one of `slots` is overwritten on a miss.
double modelled_hit_rate(unsigned slots, unsigned memcgs, unsigned rounds) {
  std::mt19937 random(20250416);
  std::vector<int> cached(slots, -1);
  unsigned filled = 0;
  std::uint64_t hits = 0;
  for (unsigned round = 0; round < 2 * rounds; ++round)
    for (unsigned i = 0; i < memcgs; ++i) {
      const bool hit = std::find(cached.begin(), cached.end(), static_cast<int>(i)) != cached.end();
      hits += hit && round >= rounds;
      if (!hit) cached[filled < slots ? filled++ : random() % slots] = static_cast<int>(i);
    }
  return static_cast<double>(hits) / (std::uint64_t{rounds} * memcgs);
}

TEST(SlotCliff, RandomVictimsDegradeGradually) {
  constexpr unsigned kRounds = 2000;
  for (unsigned memcgs = 1; memcgs <= 7; ++memcgs) EXPECT_EQ(hit_rate("g4-v5b", memcgs), 1.0) << memcgs;
  double before = 1.0;
  for (unsigned memcgs = 8; memcgs <= 14; ++memcgs) {
    const double rate = hit_rate("g4-v5b", memcgs, kRounds);
    EXPECT_LT(rate, before) << memcgs;
    EXPECT_NEAR(rate, modelled_hit_rate(7, memcgs, kRounds), 0.02) << memcgs;
    before = rate;
  }
  EXPECT_GT(before, 0.1);
  // With one memcg too many, one is missing at a time, and its successor is 1 to 7 turns ahead, each as likely: a miss
  // every 4 turns. Round robin has nothing left there.
  EXPECT_NEAR(hit_rate("g4-v5b", 8, kRounds), 0.75, 0.01);
}

// The counts of section 1.9 do not depend on the victim or on the statistics, but for V7's: as long as nothing is
// evicted, and with one slot as with seven.
TEST(EventRates, EveryPerCallVariantHasThoseOfG5) {
  constexpr unsigned kPairs = 64 * 65;
  for (const Variant* variant : variants_with("statistics", "per call")) {
    const Rates paired = count(variant->name, kDrain, false, 640), split = count(variant->name, kDrain, true, kPairs);
    EXPECT_EQ(paired.a.walks + paired.a.references, 0u) << variant->name;
    EXPECT_EQ(split.a.walks, 65u) << variant->name;
    EXPECT_EQ(split.b.walks, 64u) << variant->name;
    EXPECT_EQ(split.b.references, 2u * 64) << variant->name;
    const bool counted = trait(*variant, "rstat") != "none";  // V0 loads and stores instead
    EXPECT_EQ(paired.a.stat_calls, counted ? 1280u : 0u) << variant->name;
    EXPECT_EQ(split.a.stat_calls, counted ? kPairs : 0u) << variant->name;
  }
}

}  // namespace
}  // namespace hitmark::memcg
