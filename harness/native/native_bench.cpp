#include "harness/native/native_bench.hpp"

#include <algorithm>
#include <set>

#include "harness/native/tsc.hpp"
#include "support/check.hpp"
#include "support/nearest.hpp"

namespace hitmark::native {
namespace {

// What a CPU can hold back in its stock: 7 slots of 64 pages, and one batch more in flight.
constexpr std::uint64_t kStockedPages = 8 * 64;
constexpr std::size_t kMaxCpus = 512;  // that a variant's state has room for (kernels/memcg/mem_cgroup.hpp)

void poll(ArmOnCpu& arm) {
  if (arm.work) arm.work(arm.loop.state, nullptr, 0);
}

void point_gs_at(const NativeArm& arm, unsigned cpu) {
  HITMARK_CHECK(set_gs_base(arm.area(cpu)), "the GS base could be set before");
}

}  // namespace

NativeBench::NativeBench(const Condition& condition, const NativeBenchOptions& options)
    : condition_(condition), options_(options), barrier_(static_cast<unsigned>(condition.placement.cpus.size())) {}

Result<std::unique_ptr<NativeBench>> NativeBench::create(const Plan& plan, const Condition& condition,
                                                         const NativeBenchOptions& options) {
  HITMARK_CHECK(!condition.placement.cpus.empty() && !plan.arms.empty(), "a condition has CPUs and arms");
  if (condition.placement.cpus.size() > kMaxCpus)
    return Error{ErrorKind::kUnsupported,
                 condition.record.name + " has " + std::to_string(condition.placement.cpus.size()) +
                     " CPUs, more than the " + std::to_string(kMaxCpus) + " that a trial can have",
                 "--placements spread:" + std::to_string(kMaxCpus)};
  std::unique_ptr<NativeBench> bench(new NativeBench(condition, options));
  auto team = ThreadTeam::start(condition.placement.cpus);
  if (!team) return team.error();
  bench->team_ = std::move(*team);
  std::atomic<bool> gs_works{true};
  bench->team_->run([&](unsigned) {
    if (!set_gs_base(nullptr)) gs_works = false;
  });
  if (!gs_works)
    return Error{ErrorKind::kDenied, "the kernel does not let hitmark set the GS base, which its per-CPU areas need",
                 "run outside this sandbox"};
  auto pressure = make_pressure_buffers(condition.workload, options.arena);
  if (!pressure) return pressure.error();
  bench->pressure_ = std::move(*pressure);

  bench->slice_operations_ = condition.operations_per_slice;
  if (bench->slice_operations_ == 0) {
    const auto calibrated = bench->calibrate(plan);
    if (!calibrated) return calibrated.error();
    bench->slice_operations_ = *calibrated;
  }
  if (const auto limit = bench->check_limit(); !limit) return limit.error();
  for (const Arm& arm : plan.arms) {
    auto made = NativeArm::set_up(arm, condition.workload, options.arena, bench->pressure_);
    if (!made) return made.error();
    bench->arms_.push_back(std::move(*made));
  }
  if (const auto homes = bench->check_homes(); !homes) return homes.error();
  if (const auto opened = bench->open_counters(plan.counting); !opened) return opened.error();
  bench->warm_up();

  bench->notes_ = {{"driver", driver_name(condition.workload)},
                   {"operations of re-warming", std::to_string(bench->rewarm_operations())}};
  bool told = false;
  for (const auto& arm : bench->arms_) {
    if (!arm->arena()) continue;
    const auto verified = arm->arena()->verify();
    if (!verified && options.arena.must_bind) return verified.error();
    if (std::exchange(told, true)) continue;
    if (verified)
      bench->notes_.insert(bench->notes_.end(), verified->begin(), verified->end());
    else
      bench->notes_.emplace_back("home of shared objects, as the kernel says", "not said: " + verified.error().message);
  }
  return bench;
}

// A split workload keeps charged pages in flight; were the limit reached, charges would fail and uncharges
// take back pages that nobody has.
Result<void> NativeBench::check_limit() const {
  const Workload& workload = condition_.workload;
  if (!workload.split || workload.limit_pages == 0) return {};
  const std::uint64_t chargers = cpu_count() / 2;
  const std::uint64_t in_flight = chargers * (reserve_operations() + slice_operations_) * workload.pages;
  const std::uint64_t needed = in_flight + cpu_count() * kStockedPages;
  if (workload.limit_pages >= needed) return {};
  return Error{ErrorKind::kUsage,
               "limit-pages=" + std::to_string(workload.limit_pages) + " would be hit by the " +
                   std::to_string(needed) + " pages that " + condition_.record.name + " has in flight",
               "--set limit-pages=0, or at least " + std::to_string(2 * needed)};
}

// A home for an object that no arm has would be silently ignored.
Result<void> NativeBench::check_homes() const {
  std::set<std::string> known;
  for (const auto& arm : arms_)
    if (arm->arena())
      for (const ArenaObject& object : arm->arena()->objects())
        if (!object.percpu) known.insert({object.name, std::string(base_name(object.name))});
  for (const auto& [name, node] : condition_.workload.homes)
    if (!known.contains(name))
      return Error{ErrorKind::kUsage,
                   "home." + name + ": no arm has a shared object of that name" +
                       did_you_mean(name, std::vector<std::string>(known.begin(), known.end())),
                   "hitmark list parameters"};
  return {};
}

// Uncharges run ahead of their charges by a slice at the most.
std::uint64_t NativeBench::reserve_operations() const { return slice_operations_ + rewarm_operations(); }

// On a copy of the baseline that is thrown away, so that all arms begin at operation 0.
Result<std::uint64_t> NativeBench::calibrate(const Plan& plan) {
  constexpr std::uint64_t kMaxOperations = 10'000'000;
  constexpr int kRepeats = 5;
  Workload workload = condition_.workload;
  workload.limit_pages = 0;  // its reserve is not known yet
  const auto arm = NativeArm::set_up(plan.arms.front(), workload, options_.arena, pressure_);
  if (!arm) return arm.error();
  const double wanted_ticks = plan.slice_seconds * options_.ticks_per_second;

  // The slowest CPU's ticks for `operations`, undisturbed: the least of some repeats.
  const auto measure = [&](std::uint64_t operations) {
    std::uint64_t least = ~std::uint64_t{0};
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
      std::vector<std::uint64_t> ticks(cpu_count(), 0);
      team_->run([&](unsigned cpu) {
        point_gs_at(**arm, cpu);
        if (workload.split && cpu % 2 == 0) advance((*arm)->on(cpu), operations, TscClock{});
        barrier_.start(cpu);
        ticks[cpu] = advance((*arm)->on(cpu), operations, TscClock{}).ticks;
        barrier_.wait(cpu, [&] { poll((*arm)->on(cpu)); });
      });
      least = std::min(least, *std::max_element(ticks.begin(), ticks.end()));
    }
    return static_cast<double>(std::max<std::uint64_t>(least, 1));
  };
  std::uint64_t operations = 8;
  double ticks = measure(operations);
  while (ticks < wanted_ticks / 2 && operations < kMaxOperations) ticks = measure(operations *= 2);
  const double fitted = static_cast<double>(operations) * wanted_ticks / ticks;
  return static_cast<std::uint64_t>(std::clamp(fitted, 1.0, static_cast<double>(kMaxOperations)));
}

void NativeBench::warm_up() {
  team_->run([&](unsigned cpu) {
    for (const auto& arm : arms_) {
      point_gs_at(*arm, cpu);
      if (condition_.workload.split && cpu % 2 == 0) advance(arm->on(cpu), reserve_operations(), TscClock{});
      barrier_.start(cpu);
      advance(arm->on(cpu), slice_operations_, TscClock{});
      barrier_.wait(cpu, [&] { poll(arm->on(cpu)); });
    }
  });
}

Elapsed NativeBench::timed_slice(unsigned thread, NativeArm& arm, PinEvidence& evidence) {
  ArmOnCpu& mine = arm.on(thread);
  const auto see_cpu = [&] {
    const int cpu = options_.probe.cpu();
    if (cpu != evidence.pinned_to) evidence.strayed_to = cpu;
  };
  point_gs_at(arm, thread);
  barrier_.wait(thread);  // nobody warms this arm while another still works on the one before
  advance(mine, rewarm_operations(), TscClock{});
  see_cpu();
  const std::uint64_t switches = options_.probe.involuntary_switches();
  barrier_.start(thread);
  const Elapsed elapsed = advance(mine, slice_operations_, TscClock{});
  evidence.involuntary_switches += options_.probe.involuntary_switches() - switches;
  see_cpu();
  barrier_.wait(thread, [&] { poll(mine); });  // a drain may wait for this CPU's answer
  return elapsed;
}

void NativeBench::run_block(unsigned thread, const Trial& trial, ThreadLog& log, std::vector<int>& phases) {
  log.evidence.pinned_to = condition_.placement.cpus[thread];
  const auto migrations = options_.probe.migrations();
  for (std::size_t position = 0; position < trial.order.size(); ++position) {
    const int index = trial.order[position];
    NativeArm& arm = this->arm(index);
    SliceRecord slice{.arm = index, .position = static_cast<int>(position), .cpu = log.evidence.pinned_to};
    const Elapsed elapsed = timed_slice(thread, arm, log.evidence);
    slice.operations = slice_operations_;
    slice.event_clock = arm.on(thread).operations - slice_operations_;
    slice.ticks = elapsed.ticks;
    slice.nanoseconds = elapsed.nanoseconds;
    log.slices.push_back(slice);
    // The others wait at the next slice's barrier for thread 0, so the arm rests.
    if (thread == 0) phases[position] = static_cast<int>(arm.phase());
  }
  const auto after = options_.probe.migrations();
  if (migrations && after) log.evidence.migrations = *after - *migrations;
}

Result<BlockRecord> NativeBench::run(const Trial& trial) {
  for (const int arm : trial.order)
    HITMARK_CHECK(arm >= 0 && static_cast<std::size_t>(arm) < arms_.size(), "a block's order names arms of the plan");
  std::vector<ThreadLog> logs(cpu_count());
  for (ThreadLog& log : logs) log.slices.reserve(trial.order.size());  // no allocation between slices
  std::vector<int> phases(trial.order.size(), 0);
  team_->run([&](unsigned thread) { run_block(thread, trial, logs[thread], phases); });

  BlockRecord block;
  block.invocation = trial.invocation;
  block.block = trial.block;
  for (std::size_t position = 0; position < trial.order.size(); ++position)
    for (const ThreadLog& log : logs) {
      block.slices.push_back(log.slices[position]);
      block.slices.back().phase = phases[position];
    }
  for (const ThreadLog& log : logs) {
    const std::string violation = log.evidence.violation();
    if (!violation.empty()) block.discarded += (block.discarded.empty() ? "" : "; ") + violation;
  }
  return block;
}

Result<void> NativeBench::check() {
  // Mail that was sent in the last slices is answered first, by the CPUs that it is for.
  team_->run([&](unsigned cpu) {
    for (const auto& arm : arms_) {
      point_gs_at(*arm, cpu);
      poll(arm->on(cpu));
    }
  });
  for (const auto& arm : arms_) {
    const std::string violated = arm->violated_invariant();
    if (!violated.empty())
      return Error{ErrorKind::kInvalid,
                   "after " + condition_.record.name + " arm " + arm->name() +
                       " is in a state that it must never be in: " + violated,
                   "this is a defect of the variant or of hitmark; its times mean nothing"};
  }
  return {};
}

}  // namespace hitmark::native
