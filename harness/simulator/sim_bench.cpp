#include "harness/simulator/sim_bench.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "support/check.hpp"
#include "support/nearest.hpp"
#include "support/seeds.hpp"
#include "topology/topology.hpp"

namespace hitmark::simulator {
namespace {

constexpr std::uint64_t kFrames = 0x6672616d6573u, kJitter = 0x6a6974746572u;  // of the seeds' purposes
constexpr std::uint64_t kStockedPages = 8 * 64;  // what a CPU can hold back, and one batch more in flight

Reading modelled(std::string event, std::string unit, int arm, double value, std::string reason = "") {
  Reading reading;
  reading.event = std::move(event);
  reading.source = "simulator";
  reading.unit = std::move(unit);
  reading.arm = arm;
  reading.value = value;
  reading.quality = Quality::kModelled;
  reading.reason = std::move(reason);
  return reading;
}

}  // namespace

SimBench::SimBench(const MachineModel& machine, const SimulatedMachineOptions& options, const Plan& plan,
                   const Condition& condition)
    : machine_(machine), options_(options), condition_(condition) {
  plan_.seed = plan.seed;
  plan_.arms = plan.arms;
  for (const int cpu : condition.placement.cpus) os_cpus_.push_back(static_cast<unsigned>(cpu));
  operations_ = condition.operations_per_slice ? condition.operations_per_slice : slice_operations(condition.workload);
}

Result<std::unique_ptr<SimBench>> SimBench::create(const MachineModel& machine, const SimulatedMachineOptions& options,
                                                   const InstructionTable& instructions, const Plan& plan,
                                                   const Condition& condition, std::shared_ptr<KnownLines> known) {
  HITMARK_CHECK(!condition.placement.cpus.empty() && !plan.arms.empty(), "a condition has CPUs and arms");
  std::unique_ptr<SimBench> bench(new SimBench(machine, options, plan, condition));
  bench->instructions_ = instructions;
  bench->known_ = std::move(known);
  for (const unsigned cpu : bench->os_cpus_)
    if (cpu >= machine.cpus())
      return Error{ErrorKind::kUnavailable,
                   condition.record.name + " has CPU " + std::to_string(cpu) + ", and " + machine.name +
                       " only CPUs 0 to " + std::to_string(machine.cpus() - 1),
                   "hitmark topology --machine " + machine.name};
  if (const auto limit = bench->check_limit(); !limit) return limit.error();
  if (const auto arms = bench->check_arms(); !arms) return arms.error();
  return bench;
}

SimArmOptions SimBench::arm_options(int invocation, const InstructionTable& instructions) const {
  SimArmOptions options;
  options.instructions = instructions;
  options.run_ahead = options_.run_ahead;
  options.arena.os_cpus = os_cpus_;
  const int home = condition_.placement.home_node;
  options.arena.home_node = home == kUnknown ? node_of_cpu(machine_, os_cpus_.front()) : static_cast<unsigned>(home);
  options.arena.homes = condition_.workload.homes;
  options.arena.frames_seed = mixed_seed({plan_.seed, kFrames, static_cast<std::uint64_t>(invocation)});
  return options;
}

// A split workload keeps charged pages in flight; were the limit reached, charges would fail and uncharges take back
// pages that nobody has.
Result<void> SimBench::check_limit() const {
  const Workload& workload = condition_.workload;
  if (!workload.split || workload.limit_pages == 0) return {};
  const std::uint64_t in_flight = os_cpus_.size() / 2 * 2 * lead_operations(workload) * workload.pages;
  const std::uint64_t needed = in_flight + os_cpus_.size() * kStockedPages;
  if (workload.limit_pages >= needed) return {};
  return Error{ErrorKind::kUsage,
               "limit-pages=" + std::to_string(workload.limit_pages) + " would be hit by the " +
                   std::to_string(needed) + " pages that " + condition_.record.name + " has in flight",
               "--set limit-pages=0, or at least " + std::to_string(2 * needed)};
}

// Sets every arm up once, so that what cannot work is known before anything runs; and a home for an object that no
// arm has would be silently ignored.
Result<void> SimBench::check_arms() {
  std::set<std::string> known;
  for (const Arm& arm : plan_.arms) {
    auto made = SimArm::set_up(machine_, arm, condition_.workload, arm_options(0, instructions_));
    if (!made) return made.error();
    for (const ArenaObject& object : (*made)->arena().objects())
      if (!object.percpu) known.insert({object.name, std::string(base_name(object.name))});
  }
  for (const auto& [name, node] : condition_.workload.homes)
    if (!known.contains(name))
      return Error{ErrorKind::kUsage,
                   "home." + name + ": no arm has a shared object of that name" +
                       did_you_mean(name, std::vector<std::string>(known.begin(), known.end())),
                   "hitmark list parameters"};
  const unsigned home = arm_options(0, instructions_).arena.home_node;
  notes_ = {{"machine", machine_.title + (machine_.caution.empty() ? "" : "; " + machine_.caution)},
            {"home of shared objects",
             "node " + std::to_string(home) + ", on 2 MiB pages, interleaved over its " +
                 std::to_string(machine_.quadrants / machine_.nodes_per_socket * machine_.channels_per_quadrant) +
                 " channels"},
            {"pages of per-CPU areas", "4 KiB, on the node of their CPU"}};
  if (os_cpus_.size() > kMostCpusTold)
    notes_.emplace_back(
        "counts", "are sums over the CPUs; by CPU they are told of up to " + std::to_string(kMostCpusTold) + " CPUs");
  const bool exact = operations_ <= kExactPeriod;
  notes_.emplace_back("a slice", exact ? "is simulated as a whole"
                                       : "stands for " + std::to_string(operations_) +
                                             " operations of each CPU: what follows an event until it has settled, "
                                             "and windows of the rest, weighted by operations");
  return {};
}

Result<void> SimBench::run_arm(const Trial& trial, int index, BlockRecord& block) const {
  const Arm& arm = plan_.arms[static_cast<std::size_t>(index)];
  SimArmOptions options = arm_options(trial.invocation, instructions_);
  std::vector<bool>& known = (*known_)[condition_.record.name + " " + arm.record.name];
  options.shared_lines = known;
  auto made = SimArm::set_up(machine_, arm, condition_.workload, options);
  if (!made) return made.error();
  SimArm& on = **made;
  const auto number = [](int value) { return static_cast<std::uint64_t>(value); };
  SliceSampler sampler(on, condition_.workload, operations_,
                       mixed_seed({plan_.seed, kJitter, number(trial.invocation), number(trial.block), number(index)}));
  TrafficTally tally(
      machine_, on.arena(), [&on](std::uint64_t offset) { return on.arena().find(offset); }, options_.fields);
  sampler.warm_up();
  double simulated = 0, imprecise = 0, errors = 0, slices = 0;
  for (std::size_t position = 0; position < trial.order.size(); ++position) {
    if (trial.order[position] != index) continue;
    const SliceCost cost = sampler.slice(tally);
    simulated += cost.simulated;
    if (cost.error > kTargetError) ++imprecise, errors += cost.error;
    ++slices;
    for (std::size_t cpu = 0; cpu < os_cpus_.size(); ++cpu) {
      SliceRecord& slice = block.slices[position * os_cpus_.size() + cpu];
      slice = {.arm = index, .position = static_cast<int>(position), .cpu = static_cast<int>(os_cpus_[cpu])};
      slice.operations = operations_;
      slice.event_clock = cost.clock[cpu];
      slice.ticks = static_cast<std::uint64_t>(std::llround(cost.picoseconds[cpu] * machine_.core.ghz / 1000));
      slice.nanoseconds = static_cast<std::uint64_t>(std::llround(cost.picoseconds[cpu] / 1000));
      slice.phase = static_cast<int>(cost.phase);
    }
  }
  on.answer_mail();
  known = on.shared_lines();
  if (const std::string violated = on.violated_invariant(); !violated.empty())
    return Error{ErrorKind::kInvalid,
                 "after " + condition_.record.name + " arm " + on.name() +
                     " is in a state that it must never be in: " + violated,
                 "this is a defect of the variant or of hitmark; its times mean nothing"};

  auto& readings = block.readings;
  readings.push_back(modelled("operations", "operations", index,
                              slices * static_cast<double>(operations_) * static_cast<double>(os_cpus_.size())));
  readings.push_back(modelled("operations.simulated", "operations", index, simulated));
  if (imprecise > 0) {
    readings.push_back(modelled("slices.imprecise", "slices", index, imprecise,
                                "the windows' mean has a standard error of more than 0.5 %"));
    readings.push_back(modelled("slices.error", "share", index, errors, "the sum of those standard errors"));
  }
  if (const auto rest = on.all_paths() - on.exact_paths(); rest > 0)
    readings.push_back(modelled("paths.interpolated", "operations", index, static_cast<double>(rest),
                                "simulated operations on paths whose instructions were not measured"));
  if (arm.variant) {
    auto counted = tally.readings(index);
    std::move(counted.begin(), counted.end(), std::back_inserter(readings));
  }
  return {};
}

Result<BlockRecord> SimBench::run(const Trial& trial) {
  BlockRecord block;
  block.invocation = trial.invocation;
  block.block = trial.block;
  block.slices.resize(trial.order.size() * os_cpus_.size());
  const std::set<int> arms(trial.order.begin(), trial.order.end());
  for (const int arm : arms) {
    HITMARK_CHECK(arm >= 0 && static_cast<std::size_t>(arm) < plan_.arms.size(), "a block's order names arms");
    if (const auto done = run_arm(trial, arm, block); !done) return done.error();
  }
  return block;
}

}  // namespace hitmark::simulator
