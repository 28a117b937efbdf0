// Every variant x placement as a Google Benchmark, for those who live in its tools: filter, repetitions,
// random interleaving, JSON for compare.py. One iteration is one operation; the time is hitmark's own (pinned
// threads, events outside the clock), reported as manual time.
//
// For a verdict use `hitmark run`: it interleaves slices within one process and repeats over processes, and
// compare.py cannot see either.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "harness/counters/probe_all.hpp"
#include "harness/native/native_machine.hpp"
#include "harness/plan.hpp"
#include "topology/hwloc_reader.hpp"

namespace hitmark {
namespace {

constexpr int kTriesPerSlice = 20;  // a slice that was migrated or interrupted is run again

// Benches are set up when first used and kept: repetitions measure the same memory.
struct Entry {
  Plan plan;  // of one arm and one condition
  Machine* machine;
  std::unique_ptr<Bench> bench;
  int block = 0;
};

// One slice that was not disturbed, or why there is none.
Result<BlockRecord> undisturbed_slice(Entry& entry) {
  std::string reason;
  for (int attempt = 0; attempt < kTriesPerSlice; ++attempt) {
    auto block = entry.bench->run({.block = entry.block++, .order = {0}, .slice_seconds = entry.plan.slice_seconds});
    if (!block || block->discarded.empty()) return block;
    reason = block->discarded;
  }
  return Error{ErrorKind::kUnavailable, fmt::format("{} slices in a row were disturbed: {}", kTriesPerSlice, reason),
               "free the CPUs of other work"};
}

void measure(benchmark::State& state, Entry& entry) {
  if (!entry.bench) {
    auto bench = entry.machine->prepare(entry.plan, entry.plan.conditions.front());
    if (!bench) return state.SkipWithError(bench.error().message.c_str());
    entry.bench = std::move(*bench);
  }
  auto warm = undisturbed_slice(entry);
  if (!warm) return state.SkipWithError(warm.error().message.c_str());
  const auto batch = static_cast<benchmark::IterationCount>(warm->slices.front().operations);
  std::uint64_t ticks = 0, operations = 0;
  std::map<std::string, double> readings;
  while (state.KeepRunningBatch(batch)) {
    const auto block = undisturbed_slice(entry);
    if (!block) return state.SkipWithError(block.error().message.c_str());
    std::uint64_t slice_ticks = 0;
    for (const SliceRecord& slice : block->slices) {
      slice_ticks += slice.ticks;
      operations += slice.operations;
    }
    ticks += slice_ticks;
    // CPUs run side by side: the mean over CPUs is what one of them waited.
    const double mean_ticks = static_cast<double>(slice_ticks) / static_cast<double>(block->slices.size());
    state.SetIterationTime(mean_ticks / entry.machine->ticks_per_second());
    for (const Reading& reading : block->readings)
      if (reading.value) readings[reading.event] += *reading.value;
  }
  state.counters["ticks_per_op"] = static_cast<double>(ticks) / static_cast<double>(operations);
  state.counters["cpus"] = static_cast<double>(entry.plan.conditions.front().record.cpus.size());
  for (const auto& [event, value] : readings)
    state.counters[event + "_per_op"] = value / static_cast<double>(operations);
}

Result<std::vector<std::unique_ptr<Entry>>> all_entries(Machine& machine, const Topology& topology) {
  std::vector<std::unique_ptr<Entry>> entries;
  for (const Family& family : Registry<Family>::instance().all()) {
    RunRequest request{.family = std::string(family.name), .variants = {"all"}};
    request.settings = {{"refill", "drain"}};
    auto plan = make_plan(request, topology);
    if (!plan) return plan.error();
    for (const Arm& arm : plan->arms) {
      if (arm.record.role != ArmRole::kBaseline && arm.record.role != ArmRole::kVariant) continue;
      for (const Condition& condition : plan->conditions) {
        auto entry = std::make_unique<Entry>(Entry{.plan = *plan, .machine = &machine, .bench = nullptr});
        entry->plan.arms = {arm};
        entry->plan.conditions = {condition};
        entries.push_back(std::move(entry));
      }
    }
  }
  return entries;
}

// Counters that this host cannot read have no number to show: they go into the context with their reasons.
void add_context() {
  for (const Probe& probe : probe_all(15.0))
    if (!probe.reading.value)
      benchmark::AddCustomContext("unavailable." + probe.reading.source + "." + probe.reading.event,
                                  probe.reading.reason);
}

int run(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const auto topology = read_host_topology();
  auto machine = topology ? make_native_machine(*topology) : Result<std::unique_ptr<Machine>>(topology.error());
  auto entries = machine ? all_entries(**machine, *topology)
                         : Result<std::vector<std::unique_ptr<Entry>>>(machine.error());
  if (!entries) {
    std::fprintf(stderr, "hitmark-microbench: %s\n", entries.error().message.c_str());
    return 3;
  }
  for (const auto& entry : *entries) {
    const std::string name = fmt::format("{}/{}/{}", entry->plan.family, entry->plan.arms.front().record.name,
                                         entry->plan.conditions.front().record.name);
    benchmark::RegisterBenchmark(name.c_str(), [&entry](benchmark::State& state) { measure(state, *entry); })
        ->UseManualTime();
  }
  add_context();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace
}  // namespace hitmark

int main(int argc, char** argv) { return hitmark::run(argc, argv); }
