// Running ahead changes nothing: clocks, traffic, order and values equal those of the lockstep engine, for random
// programs whose control flow depends on what they read.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "harness/simulator/engine/rig.hpp"

namespace hitmark::simulator {
namespace {

struct Scenario {
  friend void PrintTo(const Scenario& s, std::ostream* out) { *out << s.name; }
  const char* name;
  RigOptions rig;
  unsigned private_lines, read_lines, shared_lines;  // by CPU, in all, in all
  unsigned operations = 120;
};

MachineModel tiny_machine() {
  MachineModel m;
  m.l1 = {2, 2};
  m.l2 = {4, 2};
  m.l3 = {8, 4};
  m.tlb.l1_entries = 1;  // the few pages must not all fit
  m.tlb.l2_entries = 4;
  m.tlb.l2_ways = 2;
  return m;
}

// When a body, in its turn, saw what bodies share outside the simulated memory, and wrote there.
using Turn = std::pair<Picoseconds, unsigned>;  // and the CPU

struct Result {
  std::vector<Picoseconds> clocks;
  std::vector<Engine::Row> traffic;
  std::vector<std::uint64_t> values;
  std::vector<Turn> turns;
  unsigned tries = 1;
  Engine::Work work;
};

class Program {
 public:
  Program(const Scenario& scenario, unsigned seed) : s_(scenario), seed_(seed), rig_(scenario.rig) {}

  bool once(EngineOptions options) {
    Engine& engine = rig_.reset(std::move(options));
    const unsigned cpus = static_cast<unsigned>(s_.rig.os_cpus.size());
    // Pointers from line to line of each CPU's own memory, so that loads depend on loads.
    for (unsigned cpu = 0; cpu < cpus; ++cpu)
      for (unsigned i = 0; i < s_.private_lines; ++i)
        rig_.at(own(cpu, i) * 64) = rig_.base() + own(cpu, (i * 5 + 3) % s_.private_lines) * 64;
    turns_.clear();
    for (int round = 0; round < 2; ++round) {
      if (!engine.run([&](unsigned cpu) { body(cpu, round); })) return false;
      if (round == 0) middle_ = engine.traffic();
      if (round == 0) engine.clear_traffic();
    }
    return true;
  }
  Result result() {
    Result r;
    for (unsigned cpu = 0; cpu < s_.rig.os_cpus.size(); ++cpu) r.clocks.push_back(rig_.engine().now(cpu));
    r.traffic = rig_.engine().traffic();
    r.traffic.insert(r.traffic.begin(), middle_.begin(), middle_.end());
    for (std::size_t i = 0; i < s_.rig.lines * 8; ++i) r.values.push_back(rig_.at(i * 8));
    r.turns = turns_;
    r.work = rig_.engine().work();
    return r;
  }
  Result lockstep() {
    EXPECT_TRUE(once({.run_ahead = false, .shared_lines = {}}));
    return result();
  }
  Result run_ahead() {
    unsigned tries = 1;
    std::vector<bool> shared;
    while (!once({.run_ahead = true, .shared_lines = shared})) {
      EXPECT_NE(shared, rig_.engine().shared_lines()) << "a surprise that taught nothing";
      shared = rig_.engine().shared_lines();
      if (++tries > 40) {
        ADD_FAILURE() << "it does not end";
        break;
      }
    }
    Result r = result();
    r.tries = tries;
    return r;
  }

 private:
  std::size_t own(unsigned cpu, unsigned i) const {
    return s_.shared_lines + s_.read_lines + cpu * s_.private_lines + i;
  }

  void body(unsigned cpu, int round) {
    std::mt19937 random(seed_ * 1000 + cpu * 2 + static_cast<unsigned>(round));
    const auto below = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
    Engine& engine = rig_.engine();
    engine.spend(cpu, below(3) * 1000);
    for (unsigned i = 0; i < s_.operations; ++i) {
      const unsigned what = below(100);
      const std::size_t word = below(8) * 8;
      if (what < 30) {
        rig_.load(cpu, own(cpu, below(s_.private_lines)) * 64 + word);
      } else if (what < 45) {
        rig_.store(cpu, own(cpu, below(s_.private_lines)) * 64 + 8 + below(7) * 8, std::uint64_t{i});
      } else if (what < 55) {
        rig_.add(cpu, own(cpu, below(s_.private_lines)) * 64 + 8 + below(7) * 8, std::uint64_t{1});
      } else if (what < 60) {  // a chain
        std::size_t at = own(cpu, below(s_.private_lines)) * 64;
        for (unsigned link = below(6); link != 0; --link) at = rig_.load(cpu, at) - rig_.base();
      } else if (what < 65) {
        rig_.locked_add(cpu, own(cpu, below(s_.private_lines)) * 64 + 8, std::uint64_t{1});
      } else if (what < 80 && s_.read_lines != 0) {
        rig_.load(cpu, (s_.shared_lines + below(s_.read_lines)) * 64 + word);
        // A late write: what was only read so far becomes shared.
        if (round == 1 && i == s_.operations / 2 && cpu == 0) rig_.store(cpu, s_.shared_lines * 64, std::uint64_t{7});
      } else if (what < 90 && s_.shared_lines != 0) {
        const std::size_t at = below(s_.shared_lines) * 64;
        const unsigned size = below(3);
        if (size == 0) rig_.add<std::uint8_t>(cpu, at + cpu % 64, 1);  // false sharing
        if (size == 1 && rig_.load(cpu, at + word) % 2 == 0) rig_.store(cpu, at + word, std::uint64_t{i});
        if (size == 2) rig_.locked_add(cpu, at + 56, std::uint64_t{1});
      } else if (what < 92 && s_.shared_lines != 0) {  // spin for a while on a lock of the first shared line
        for (unsigned spin = 0; spin < 3 && !rig_.compare_and_swap<std::uint32_t>(cpu, 32, 0, cpu + 1); ++spin)
          engine.on_relax(cpu);
        if (rig_.load<std::uint32_t>(cpu, 32) == cpu + 1) rig_.store<std::uint32_t>(cpu, 32, 0);
      } else if (what < 94) {
        engine.on_relax(cpu);
      } else if (what < 97) {
        engine.in_turn(cpu);
        turns_.emplace_back(engine.now(cpu), cpu);
        // What it decides upon that must be the same, too.
        if (turns_.size() % 3 == 0) rig_.load(cpu, own(cpu, 0) * 64);
      }
      engine.spend_instructions(cpu, below(40) * 0.7);
    }
  }

  Scenario s_;
  unsigned seed_;
  Rig rig_;
  std::vector<Engine::Row> middle_;
  std::vector<Turn> turns_;
};

std::vector<unsigned> spread(unsigned count, unsigned step) {
  std::vector<unsigned> cpus;
  for (unsigned i = 0; i < count; ++i) cpus.push_back(i * step);
  return cpus;
}

Home scattered(Line line) {
  return {static_cast<std::uint8_t>(line / 3 % 2), static_cast<std::uint8_t>(line % 4),
          static_cast<std::uint8_t>(line % 2)};
}

std::vector<Scenario> scenarios() {
  const auto rig = [](MachineModel machine, std::vector<unsigned> cpus) {
    return RigOptions{std::move(machine), 400, std::move(cpus), scattered, false};
  };
  MachineModel whole, tiny = tiny_machine(), recalls = tiny_machine(), lru = tiny_machine(), other = tiny_machine();
  recalls.protocol.directory_entries = 6;
  lru.l1.replacement = lru.l2.replacement = lru.l3.replacement = Replacement::kLru;
  lru.protocol.migratory = true;
  other.protocol = {.migratory = false, .forwarder = true, .precise = false, .directory_entries = 40};
  const std::vector<unsigned> pairs = {0, 128, 1, 129, 4, 132, 70, 198};
  return {
      {"apart", rig(whole, spread(8, 16)), 20, 0, 0},
      {"one_ccx", rig(whole, spread(4, 1)), 12, 4, 3},
      {"spread", rig(whole, spread(8, 16)), 12, 4, 3},
      {"pairs", rig(whole, pairs), 12, 4, 3},
      {"pairs_apart", rig(whole, pairs), 20, 0, 0},
      {"uneven_pairs", rig(whole, {0, 1, 128, 2}), 12, 4, 2},
      {"pressure", rig(tiny, spread(8, 1)), 20, 6, 4},
      {"pressure_read_only", rig(tiny, spread(8, 9)), 12, 20, 0},
      {"pressure_pairs", rig(tiny, pairs), 16, 6, 4},
      {"recalls", rig(recalls, spread(6, 3)), 10, 5, 4},
      {"recalls_private", rig(recalls, spread(4, 5)), 20, 0, 1},
      {"recalls_pairs", rig(recalls, pairs), 8, 5, 4},
      {"lru_migratory", rig(lru, spread(8, 7)), 14, 6, 4},
      {"broadcast_forwarder", rig(other, pairs), 14, 6, 4},
  };
}

// Counters that are told of the same events sum to the same.
void expect_identities(const std::vector<Engine::Row>& rows) {
  std::uint64_t conflicts = 0;
  for (const Engine::Row& row : rows) {
    const Traffic& t = row.traffic;
    const std::uint64_t transfers = t.ccx_clean + t.ccx_dirty + t.quadrant + t.cross_quadrant + t.cross_socket;
    EXPECT_EQ(t.true_sharing + t.false_sharing + t.no_conflict, transfers + t.upgrades + t.takeovers);
    EXPECT_EQ(t.from_modified + t.from_owned + t.from_clean, transfers);
    EXPECT_EQ(t.hitm_true, t.from_modified + t.from_owned);
    EXPECT_EQ(t.hitm_true, t.hitm_ccx + t.hitm_home_local + t.hitm_home_remote);
    EXPECT_EQ(t.rd_blk_l + t.rd_blk_x, t.l2 + t.l3 + t.ccx_clean + t.ccx_dirty + t.l3_misses);
    conflicts += t.true_sharing + t.false_sharing;
  }
  EXPECT_GT(conflicts, 0u);
}

class RunAhead : public testing::TestWithParam<Scenario> {};

TEST_P(RunAhead, ChangesNothing) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    Program program(GetParam(), seed);
    const Result expected = program.lockstep(), got = program.run_ahead();
    ASSERT_EQ(got.clocks, expected.clocks);
    ASSERT_EQ(got.values, expected.values);
    ASSERT_EQ(got.turns, expected.turns);
    ASSERT_TRUE(std::is_sorted(got.turns.begin(), got.turns.end()));
    ASSERT_EQ(got.traffic.size(), expected.traffic.size());
    for (std::size_t i = 0; i < got.traffic.size(); ++i) {
      const Engine::Row &a = got.traffic[i], &b = expected.traffic[i];
      ASSERT_EQ(a.cpu, b.cpu);
      ASSERT_EQ(a.offset, b.offset);
      ASSERT_EQ(a.size, b.size);
      for (std::size_t field = 0; field < sizeof(Traffic) / 8; ++field)
        ASSERT_EQ(reinterpret_cast<const std::uint64_t*>(&a.traffic)[field],
                  reinterpret_cast<const std::uint64_t*>(&b.traffic)[field])
            << "field " << field << " of CPU " << a.cpu << " at " << a.offset;
    }
    if (GetParam().shared_lines != 0) expect_identities(got.traffic);
    // With recalls nearly every line proves to be visible to others.
    if (GetParam().rig.machine.protocol.directory_entries == 0) {
      EXPECT_LT(got.work.ordered, expected.work.ordered);
    }
    EXPECT_EQ(got.work.accesses, expected.work.accesses);
  }
}

// CPU 0 waits for its turn when CPU 1 takes a line that CPU 0 has had for itself so far: no surprise, but CPU 0 must
// not go on as if the line were its own.
TEST(RunAheadAtOnce, ForgetsALineThatHasBecomeShared) {
  for (const bool written : {true, false}) {
    Rig rig({.os_cpus = {0, 4}});
    std::vector<Picoseconds> clocks[2];
    Traffic traffic[2];
    for (const bool run_ahead : {true, false}) {
      Engine& engine = rig.reset({.run_ahead = run_ahead, .shared_lines = {}});
      ASSERT_TRUE(engine.run([&](unsigned cpu) {
        if (cpu == 1) {
          engine.spend(1, 250'000);  // while CPU 0 waits for its store, and then for its turn
          written ? rig.store(1, 0, std::uint64_t{1}) : static_cast<void>(rig.load(1, 0));
          engine.spend(1, 600'000);
          rig.load(1, 0);
          return;
        }
        rig.locked_add(0, 0, std::uint64_t{1});
        rig.store(0, 0, std::uint64_t{2});
        rig.load(0, 0);
        engine.spend(0, 50'000);
        rig.store(0, 64, std::uint64_t{1});
        rig.locked_add(0, 128, std::uint64_t{1});
        for (unsigned i = 0; i < 5; ++i) rig.store(0, 0, std::uint64_t{i});
        for (unsigned i = 0; i < 5; ++i) rig.load(0, 0);
      }));
      for (unsigned cpu = 0; cpu < 2; ++cpu) clocks[run_ahead].push_back(engine.now(cpu));
      traffic[run_ahead] = rig.total();
    }
    EXPECT_EQ(clocks[0], clocks[1]);
    EXPECT_TRUE(traffic[0] == traffic[1]);
    EXPECT_EQ(traffic[1].upgrades, written ? 0u : 1u);
    EXPECT_EQ(traffic[1].hitm_true, written ? 3u : 2u);
  }
}

INSTANTIATE_TEST_SUITE_P(Every, RunAhead, testing::ValuesIn(scenarios()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace hitmark::simulator
