#include "harness/simulator/slice_sampler.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "harness/simulator/toy_family.hpp"
#include "kernels/memcg/simulation.hpp"

namespace hitmark::simulator {
namespace {

std::unique_ptr<SimArm> set_up(const char* variant, const Workload& workload, const std::vector<unsigned>& cpus) {
  const auto table = InstructionTable::built_in();
  EXPECT_TRUE(table);
  SimArmOptions options;
  options.arena.os_cpus = cpus;
  options.instructions = *table;
  const Variant& found = memcg::variant_named(variant);
  auto arm = SimArm::set_up(MachineModel{}, {{variant, ArmRole::kVariant, variant, {}}, &found}, workload, options);
  EXPECT_TRUE(arm) << (arm ? "" : arm.error().message);
  return std::move(*arm);
}

TrafficTally tally_of(const SimArm& arm) {
  return {MachineModel{}, arm.arena(), [&arm](std::uint64_t offset) { return arm.arena().find(offset); }, {}};
}

double mean_ns(const SliceCost& cost, std::uint64_t operations) {
  const double sum = std::accumulate(cost.picoseconds.begin(), cost.picoseconds.end(), 0.0);
  return sum / static_cast<double>(cost.picoseconds.size()) / static_cast<double>(operations) / 1000;
}

double total(const TrafficTally& tally, const std::string& event) {
  for (const Reading& reading : tally.readings(0))
    if (reading.event == event && reading.object.empty()) return *reading.value;
  ADD_FAILURE() << event;
  return 0;
}

TEST(SliceSampler, ASliceStandsForTheLongestPeriod) {
  Workload workload;
  EXPECT_EQ(slice_operations(workload), 100'000u);
  workload.flush_period = 0;
  EXPECT_EQ(slice_operations(workload), 10'000u);
  workload.read_period = 100;
  EXPECT_EQ(slice_operations(workload), 600u) << "whole periods, but not too few operations";
  workload.drain_period = 4000;
  EXPECT_EQ(slice_operations(workload), 4000u);
}

// Told by parts, a period costs what it costs when it is simulated as a whole: 8 CPUs of two sockets, whose
// statistics take a good part of the period to saturate.
TEST(SliceSampler, PartsAgreeWithTheWholeWithinTwoPercent) {
  const std::vector<unsigned> cpus = {0, 1, 4, 8, 64, 65, 68, 72};
  for (const char* variant : {"percall7", "packed6"}) {
    Workload workload;
    workload.flush_period = 6000;
    workload.online_cpus = 32;  // threshold 2048
    // In one stretch, so that the other CPUs are at work when CPU 0 flushes; without the first two periods, whose
    // flushes find nothing in the caches.
    constexpr std::uint64_t kPeriods = 8;
    const auto whole = set_up(variant, workload, cpus);
    whole->run({.operations = 2 * 6000, .jitter_seed = 1});
    const StretchLog log = whole->run({.operations = kPeriods * 6000, .chunk = 6000, .jitter_seed = 2});
    SliceCost exact;
    for (const auto& chunks : log.chunks)
      exact.picoseconds.push_back(static_cast<double>(std::accumulate(chunks.begin(), chunks.end(), Picoseconds{0})));
    const double exact_ns = mean_ns(exact, kPeriods * 6000);
    TrafficTally all = tally_of(*whole);
    all.add(log.traffic, 1);

    // How the CPUs meet after a flush is chance, so both are means over several.
    double told_ns = 0, loads = 0, invalidations = 0;
    constexpr int kSamples = 6;
    for (int seed = 1; seed <= kSamples; ++seed) {
      const auto parts = set_up(variant, workload, cpus);
      SliceSampler sampler(*parts, workload, 6000, static_cast<std::uint64_t>(seed));
      sampler.warm_up();
      TrafficTally tally = tally_of(*parts);
      const SliceCost told = sampler.slice(tally);
      EXPECT_LE(told.error, kTargetError);
      told_ns += mean_ns(told, 6000) / kSamples;
      loads += total(tally, "loads") / kSamples;
      invalidations += total(tally, "invalidations") / kSamples;
    }
    EXPECT_NEAR(told_ns, exact_ns, 0.02 * exact_ns) << variant;
    EXPECT_NEAR(loads, total(all, "loads") / kPeriods, 0.02 * total(all, "loads") / kPeriods) << variant;
    const double exact_invalidations = total(all, "invalidations") / kPeriods;
    EXPECT_NEAR(invalidations, exact_invalidations, 0.1 * exact_invalidations + 5) << variant;
  }
}

TEST(SliceSampler, AShortPeriodIsSimulatedAsItIs) {
  Workload workload;
  workload.flush_period = 500;
  const std::vector<unsigned> cpus = {0, 64};
  const auto arm = set_up("percall7", workload, cpus);
  SliceSampler sampler(*arm, workload, slice_operations(workload), 7);
  sampler.warm_up();
  TrafficTally tally = tally_of(*arm);
  const SliceCost first = sampler.slice(tally), second = sampler.slice(tally);
  EXPECT_EQ(first.clock, (std::vector<std::uint64_t>{1000, 1000}));
  EXPECT_EQ(second.clock, (std::vector<std::uint64_t>{2000, 2000}));
  EXPECT_EQ(first.simulated, 2000);
  EXPECT_EQ(first.error, 0);
  EXPECT_EQ(arm->operations(0), 3000u);
}

TEST(SliceSampler, SplitCpusNeverUnchargeWhatIsNotCharged) {
  Workload workload;
  workload.split = true;
  const std::vector<unsigned> cpus = {0, 1, 64, 65};
  SimArmOptions options;
  options.arena.os_cpus = cpus;
  options.instructions = toy::instructions();
  const Variant& variant = toy::private_variant();
  auto arm = SimArm::set_up(MachineModel{}, {{"private", ArmRole::kVariant, "", {}}, &variant}, workload, options);
  ASSERT_TRUE(arm);
  SliceSampler sampler(**arm, workload, slice_operations(workload), 7);
  sampler.warm_up();
  TrafficTally tally = tally_of(**arm);
  const SliceCost cost = sampler.slice(tally);
  const auto& state = *static_cast<const toy::State*>((*arm)->state());
  EXPECT_EQ(state.in_flight, static_cast<long>(2 * lead_operations(workload)));
  EXPECT_GE(state.fewest_in_flight, 0);
  EXPECT_EQ(cost.clock[0], cost.clock[1] + lead_operations(workload));
}

}  // namespace
}  // namespace hitmark::simulator
