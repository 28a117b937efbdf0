#include "harness/simulator/sim_arena.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <new>
#include <set>

namespace hitmark::simulator {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<SimArena> arena_of(const MachineModel& machine, SimArenaOptions options,
                                   const std::optional<SimArenaSizes>& sizes = std::nullopt) {
  auto arena = SimArena::create(machine, std::move(options), sizes);
  EXPECT_TRUE(arena) << (arena ? "" : arena.error().message);
  return arena ? std::move(*arena) : nullptr;
}

struct Offsets {
  std::vector<std::uint64_t> shared, percpu;
};

// The same requests, in the order of a variant's set-up.
Offsets ask(SimArena& arena) {
  Offsets offsets;
  const auto offset = [&](void* at) { return reinterpret_cast<std::uintptr_t>(at) - arena.base(); };
  offsets.shared.push_back(offset(arena.shared("globals", "G", 100, 64)));
  offsets.percpu.push_back(arena.percpu("stock", "S", 72, 64, true));
  offsets.percpu.push_back(arena.percpu("counts", "C", 5000, 64));
  offsets.shared.push_back(offset(arena.shared("vmstats", "V", 3000, 64)));
  for (unsigned cpu = 0; cpu < arena.cpu_count(); ++cpu)
    offsets.percpu.push_back(offset(arena.percpu_address(cpu, offsets.percpu[1])));
  return offsets;
}

SimArenaSizes sizes_of(const MachineModel& machine, const SimArenaOptions& options) {
  const auto first = arena_of(machine, options);
  ask(*first);
  return first->used();
}

TEST(SimArena, SecondArenaHasJustTheRoomThatTheFirstOneTook) {
  const MachineModel machine;
  const SimArenaOptions options{.os_cpus = {0, 1, 64}};
  const auto sizes = sizes_of(machine, options);
  const auto arena = arena_of(machine, options, sizes);
  ask(*arena);
  EXPECT_EQ(arena->used().percpu, sizes.percpu);
  EXPECT_EQ(arena->used().shared, sizes.shared);
  EXPECT_EQ(arena->homes().size(), (4096 + 3 * 8192) / kLine);
  EXPECT_THROW(arena->shared("more", "M", 4096, 64), std::bad_alloc);
  EXPECT_THROW(arena->percpu("more", "M", 4096, 64), std::bad_alloc);
}

TEST(SimArena, OffsetsAndHomesDoNotDependOnTheHostsAddresses) {
  const MachineModel machine;
  const SimArenaOptions options{.os_cpus = {0, 5}, .pressure_bytes = 8192, .frames_seed = 7};
  const auto sizes = sizes_of(machine, options);
  const auto a = arena_of(machine, options, sizes), b = arena_of(machine, options, sizes);
  EXPECT_NE(a->base(), b->base());
  const Offsets in_a = ask(*a), in_b = ask(*b);
  EXPECT_EQ(in_a.shared, in_b.shared);
  EXPECT_EQ(in_a.percpu, in_b.percpu);
  const auto homes_a = a->homes(), homes_b = b->homes();
  ASSERT_EQ(homes_a.size(), homes_b.size());
  for (std::size_t line = 0; line < homes_a.size(); ++line) {
    EXPECT_EQ(homes_a[line].quadrant, homes_b[line].quadrant) << line;
    EXPECT_EQ(homes_a[line].channel, homes_b[line].channel) << line;
  }
}

TEST(SimArena, AnotherSeedGivesOtherFrames) {
  const MachineModel machine;
  SimArenaOptions options{.os_cpus = {0}, .frames_seed = 1};
  const auto sizes = sizes_of(machine, options);
  const auto shared_quadrants = [&](std::uint64_t seed) {
    options.frames_seed = seed;
    std::vector<int> quadrants;
    for (const Home& home : arena_of(machine, options, sizes)->homes()) quadrants.push_back(home.quadrant);
    return quadrants;
  };
  std::set<std::vector<int>> seen;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) seen.insert(shared_quadrants(seed));
  EXPECT_GT(seen.size(), 4u);
}

TEST(SimArena, AreasLieOnTheirCpusNodeInWholeSmallPages) {
  MachineModel machine;
  machine.nodes_per_socket = 4;
  const SimArenaOptions options{.os_cpus = {0, 70, 127, 128}, .home_node = 2};
  const auto arena = arena_of(machine, options, sizes_of(machine, options));
  const Offsets offsets = ask(*arena);
  const auto homes = arena->homes();
  const auto huge = arena->huge();
  const auto home_at = [&](std::uint64_t offset) { return homes[offset / kLine]; };
  EXPECT_EQ(home_at(offsets.shared[0]).socket, 0);
  EXPECT_EQ(home_at(offsets.shared[0]).quadrant, 2);
  EXPECT_TRUE(huge[offsets.shared[1] / kLine]);
  const int sockets[] = {0, 1, 1, 0}, quadrants[] = {0, 0, 3, 0};
  for (unsigned cpu = 0; cpu < 4; ++cpu) {
    const std::uint64_t at = offsets.percpu[2 + cpu];
    EXPECT_EQ(home_at(at).socket, sockets[cpu]) << cpu;
    EXPECT_EQ(home_at(at).quadrant, quadrants[cpu]) << cpu;
    EXPECT_FALSE(huge[at / kLine]);
    if (cpu > 0) {
      EXPECT_EQ((at - offsets.percpu[1 + cpu]) % 4096, 0u);
    }
  }
}

TEST(SimArena, ObjectsWithAHomeOfTheirOwnLieThere) {
  const MachineModel machine;
  const SimArenaOptions options{.os_cpus = {0}, .home_node = 0, .homes = {{"vmstats", 1}}};
  const auto arena = arena_of(machine, options, sizes_of(machine, options));
  const Offsets offsets = ask(*arena);
  const auto homes = arena->homes();
  EXPECT_EQ(homes[offsets.shared[0] / kLine].socket, 0);
  EXPECT_EQ(homes[offsets.shared[1] / kLine].socket, 1);
}

TEST(SimArena, InterleavesANodeOverAllItsChannels) {
  for (const unsigned nps : {1u, 2u, 4u}) {
    MachineModel machine;
    machine.nodes_per_socket = nps;
    const unsigned quadrants = 4 / nps, channels = quadrants * machine.channels_per_quadrant;
    for (unsigned node = 0; node < 2 * nps; ++node) {
      std::map<std::pair<int, int>, int> seen;
      const unsigned units = 64 * channels;
      for (unsigned unit = 0; unit < units; ++unit) {
        const Home home = home_of(machine, node, std::uint64_t{unit} * machine.interleave_bytes);
        EXPECT_EQ(home.socket, node / nps);
        EXPECT_GE(home.quadrant, node % nps * quadrants);
        EXPECT_LT(home.quadrant, (node % nps + 1) * quadrants);
        const Home end = home_of(machine, node, std::uint64_t{unit + 1} * machine.interleave_bytes - 1);
        EXPECT_EQ(home.quadrant, end.quadrant) << "one unit has one home";
        ++seen[{home.quadrant, home.channel}];
      }
      EXPECT_EQ(seen.size(), channels) << "NPS" << nps;
      for (const auto& [where, count] : seen) EXPECT_EQ(count, 64);
    }
  }
}

TEST(SimArena, NoPowerOfTwoStaysOnOneChannel) {
  const MachineModel machine;
  for (std::uint64_t stride = 256; stride <= std::uint64_t{1} << 24; stride *= 2) {
    std::set<std::pair<int, int>> seen;
    for (std::uint64_t i = 0; i < 8; ++i) {
      const Home home = home_of(machine, 0, i * stride);
      seen.insert({home.quadrant, home.channel});
    }
    EXPECT_GT(seen.size(), 1u) << stride;
  }
}

TEST(SimArena, FindsWhatLiesAtAnOffset) {
  const MachineModel machine;
  const SimArenaOptions options{.os_cpus = {0, 1}, .pressure_bytes = 128};
  const auto arena = arena_of(machine, options, sizes_of(machine, options));
  const Offsets offsets = ask(*arena);
  EXPECT_EQ(arena->find(offsets.shared[1] + 1704).object, "vmstats");
  EXPECT_EQ(arena->find(offsets.shared[1] + 1704).in_object, 1704u);
  EXPECT_EQ(arena->find(offsets.shared[1]).type, "V");
  EXPECT_EQ(arena->find(offsets.percpu[3] + 8).object, "counts");
  EXPECT_EQ(arena->find(offsets.percpu[3] + 8).in_object, 8u);
  const auto area = reinterpret_cast<std::uintptr_t>(arena->percpu_address(1, 0)) - arena->base();
  EXPECT_EQ(arena->find(area).object, "per-CPU area");
  EXPECT_EQ(arena->find(offsets.shared[0] + 100).object, "");
  const auto pressure = reinterpret_cast<std::uintptr_t>(arena->pressure(1)) - arena->base();
  EXPECT_EQ(arena->find(pressure + 64).object, "pressure");
  EXPECT_TRUE(arena->huge()[pressure / kLine]);
}

TEST(SimArena, RefusesWhatIsTooMuchToSimulate) {
  const MachineModel machine;
  const SimArenaOptions options{.os_cpus = std::vector<unsigned>(256, 0), .pressure_bytes = std::size_t{64} << 20};
  const auto refused = SimArena::create(machine, options, SimArenaSizes{});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("MiB of simulated memory"));
  // What the largest value of the workload's parameter asks for on a single CPU.
  EXPECT_FALSE(SimArena::create(machine, {.os_cpus = {0}, .pressure_bytes = std::size_t{1} << 30}, SimArenaSizes{}));
  const SimArenaOptions large{.os_cpus = std::vector<unsigned>(256, 0), .pressure_bytes = std::size_t{512} << 10};
  EXPECT_TRUE(SimArena::create(machine, large, sizes_of(machine, large)));
}

}  // namespace
}  // namespace hitmark::simulator
