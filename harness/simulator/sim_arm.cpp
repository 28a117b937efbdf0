#include "harness/simulator/sim_arm.hpp"

#include <new>

#include "support/check.hpp"
#include "support/seeds.hpp"

namespace hitmark::simulator {
namespace {

constexpr Picoseconds kMostJitter = 500'000;  // of a CPU's start: a few transfers, as a start barrier leaves
constexpr unsigned kMostSurprises = 16;       // then lockstep, which knows none
constexpr std::size_t kWordsPerLine = kLine / sizeof(std::uint64_t);

std::uint64_t nothing;  // what the empty arm's loop points at

}  // namespace

SimArm::SimArm(const MachineModel& machine, const Arm& arm, const Workload& workload, const SimArmOptions& options)
    : machine_(machine), name_(arm.record.name), variant_(arm.variant), workload_(workload), options_(options) {
  options_.arena.pressure_bytes = std::size_t{workload.pressure_kib} << 10;
}

Result<std::unique_ptr<SimArm>> SimArm::set_up(const MachineModel& machine, const Arm& arm, const Workload& workload,
                                               const SimArmOptions& options) {
  std::unique_ptr<SimArm> made(new SimArm(machine, arm, workload, options));
  if (arm.variant) {
    auto events = events_of(*arm.variant, workload, made->options_.instructions);
    if (!events) return events.error();
    made->events_ = std::move(*events);
  }
  if (const auto done = made->make(made->options_.shared_lines); !done) return done.error();
  return made;
}

SimArm::~SimArm() { unmake(); }

void SimArm::unmake() {
  if (made_ && made_->state) variant_->tear_down(made_->state);
  made_.reset();
}

// Twice the first time: a first arena tells how much room there must be, so that the lines are few.
Result<void> SimArm::make(std::vector<bool> shared_lines) {
  for (bool sized = sizes_.has_value(); !made_ || !made_->engine; sized = true) {
    unmake();
    auto arena = SimArena::create(machine_, options_.arena, sizes_);
    if (!arena) return arena.error();
    made_ = std::make_unique<Made>();
    made_->arena = std::move(*arena);
    try {
      if (variant_) made_->state = variant_->set_up(*made_->arena, workload_);
    } catch (const std::bad_alloc&) {
      return Error{ErrorKind::kUnavailable, "there is not enough simulated memory to set up " + name_,
                   "use fewer memcgs, levels or CPUs"};
    }
    sizes_ = made_->arena->used();
    if (!sized) continue;
    EngineOptions engine;
    engine.run_ahead = options_.run_ahead && surprises_ < kMostSurprises;
    engine.shared_lines = shared_lines;
    made_->engine = std::make_unique<Engine>(machine_, made_->arena->base(), made_->arena->homes(),
                                             made_->arena->huge(), options_.arena.os_cpus, engine);
  }
  made_->cpus.resize(made_->arena->cpu_count());
  for (unsigned cpu = 0; cpu < made_->cpus.size(); ++cpu)
    if (const auto connected = connect(cpu); !connected) return connected.error();
  return {};
}

Result<void> SimArm::connect(unsigned cpu) {
  OnCpu& on = made_->cpus[cpu];
  const auto area = reinterpret_cast<std::uintptr_t>(made_->arena->percpu_address(cpu, 0));
  on.traced = std::make_unique<TracedCpu>(cpu, area, made_->engine.get());
  on.unseen = std::make_unique<TracedCpu>(cpu, area);
  on.objects.assign(workload_.memcgs, &nothing);
  if (!variant_) return {};
  const auto operation = operation_on(*variant_, workload_, cpu);
  if (!operation) return operation.error();
  const auto counts = options_.instructions.of(variant_->family, variant_->name, (*operation)->name);
  if (!counts) return counts.error();
  on.operation = *operation;
  on.counts = *counts;
  for (unsigned i = 0; i < workload_.memcgs; ++i) on.objects[i] = variant_->object(made_->state, cpu, i);
  return {};
}

Phase SimArm::phase() const { return variant_ && variant_->phase ? variant_->phase(made_->state) : Phase::kNone; }

std::string SimArm::violated_invariant() const {
  return variant_ && variant_->violated_invariant ? variant_->violated_invariant(made_->state) : std::string();
}

std::uint64_t SimArm::digest() const { return variant_ && variant_->digest ? variant_->digest(made_->state) : 0; }

void SimArm::account(unsigned cpu, const OperationCounts& counts, double more) {
  const auto path = made_->engine->take_path(cpu);
  const InstructionCount count = counts.look_up(path.accesses, path.signature);
  ++made_->all;
  made_->exact += count.exact;
  made_->engine->spend_instructions(cpu, count.instructions + more);
}

// As the native loops: the pressure first, then the operation.
void SimArm::operate(unsigned cpu) {
  OnCpu& on = made_->cpus[cpu];
  if (std::uint64_t* word = made_->arena->pressure(cpu)) {
    const std::size_t lines = options_.arena.pressure_bytes / kLine;
    for (std::size_t line = 0; line < lines; ++line, word += kWordsPerLine) {
      const auto address = reinterpret_cast<std::uintptr_t>(word);
      made_->engine->on_access(cpu, {address, sizeof *word, AccessKind::kLoad});
      made_->engine->on_access(cpu, {address, sizeof *word, AccessKind::kStore});
    }
    made_->engine->take_path(cpu);  // the operation's begins here
  }
  const double loop = loop_instructions(workload_);
  if (on.operation) {
    on.operation->traced(made_->state, on.objects[on.next_object], workload_.pages, *on.traced);
    account(cpu, *on.counts, loop);
  } else {
    made_->engine->spend_instructions(cpu, loop);
  }
  if (++on.next_object == on.objects.size()) on.next_object = 0;
  ++on.operations;
}

void SimArm::run_event(unsigned cpu, const SimEvent& event) {
  event.operation->traced(made_->state, nullptr, 0, *made_->cpus[cpu].traced);
  account(cpu, *event.counts, 0);
}

void SimArm::run_on(unsigned cpu, const Stretch& stretch, StretchLog* log) {
  Engine& engine = *made_->engine;
  const std::uint64_t seed = mixed_seed({stretch.jitter_seed, cpu});
  engine.spend(cpu, SplitMix64(seed).below(kMostJitter));
  if (stretch.even_only && cpu % 2 != 0) return;
  if (cpu == 0 && stretch.event_first >= 0) {
    const Picoseconds begin = engine.now(cpu);
    run_event(cpu, events_.events[static_cast<std::size_t>(stretch.event_first)]);
    if (log) log->event_time = engine.now(cpu) - begin;
  }
  std::uint64_t& clock = made_->cpus[cpu].operations;
  const std::uint64_t begins = clock + stretch.untold, end = clock + stretch.operations;
  const std::uint64_t per_chunk = stretch.chunk > 0 ? stretch.chunk : stretch.operations;
  while (clock < end) {
    if (clock == begins && stretch.untold > 0 && log) engine.clear_traffic(cpu);
    Picoseconds time = 0;
    const std::uint64_t chunk_end = std::min(end, clock + per_chunk);
    while (clock < chunk_end) {
      const std::uint64_t pause = clock + events_.until_pause(cpu, clock, chunk_end - clock);
      const Picoseconds begin = engine.now(cpu);
      while (clock < pause) {
        operate(cpu);
        if (engine.surprised()) return;  // this life of the arm is over
      }
      time += engine.now(cpu) - begin;
      if (cpu == 0)
        for (const SimEvent& event : events_.events)
          if (event.by_the_clock && clock % event.period == 0) run_event(cpu, event);
      for (const SimEvent& mail : events_.mail)
        if (clock % mail.period == 0) run_event(cpu, mail);
    }
    if (log && stretch.chunk > 0 && clock > begins) log->chunks[cpu].push_back(time);
  }
}

bool SimArm::try_run(const Stretch& stretch, StretchLog* log) {
  if (log) {
    *log = {};
    log->chunks.resize(made_->cpus.size());
    made_->engine->clear_traffic();
  }
  if (!made_->engine->run([&](unsigned cpu) { run_on(cpu, stretch, log); })) return false;
  if (log) log->traffic = made_->engine->traffic();
  return true;
}

bool SimArm::try_step(const Step& step, StretchLog* log) {
  if (step.mail)
    return made_->engine->run([&](unsigned cpu) {
      for (const SimEvent& mail : events_.mail) run_event(cpu, mail);
    });
  if (step.fast_forward == 0) return try_run(step.stretch, log);
  for (std::uint64_t i = 0; i < step.fast_forward; ++i)
    for (unsigned cpu = 0; cpu < made_->cpus.size(); ++cpu) {
      OnCpu& on = made_->cpus[cpu];
      if (on.operation) on.operation->traced(made_->state, on.objects[on.next_object], workload_.pages, *on.unseen);
      if (++on.next_object == on.objects.size()) on.next_object = 0;
      ++on.operations;
      for (const SimEvent& mail : events_.mail)
        if (on.operations % mail.period == 0) mail.operation->traced(made_->state, nullptr, 0, *on.unseen);
    }
  return true;
}

// From nothing to where the history ends, again from nothing at each surprise on the way.
void SimArm::make_again() {
  for (bool there = false; !there;) {
    std::vector<bool> shared = made_->engine->shared_lines();
    ++surprises_;
    unmake();
    const auto made = make(std::move(shared));
    HITMARK_CHECK(made, "what was set up before can be set up again");
    there = true;
    for (const Step& step : history_)
      if (there) there = try_step(step, nullptr);
  }
}

void SimArm::do_step(const Step& step, StretchLog* log) {
  while (!try_step(step, log)) make_again();
  history_.push_back(step);
}

void SimArm::take_off_the_clock(std::uint64_t longest_period) {
  HITMARK_CHECK(history_.empty(), "an arm's clock is set before it runs");
  for (SimEvent& event : events_.events) event.by_the_clock = event.period <= longest_period;
}

StretchLog SimArm::run(const Stretch& stretch) {
  StretchLog log;
  do_step({.stretch = stretch}, &log);
  return log;
}

std::uint64_t SimArm::fast_forward(std::uint64_t operations) {
  constexpr std::uint64_t kStep = 64;  // a multiple of what a stock takes at once
  std::uint64_t done = 0;
  while (done < operations && phase() != Phase::kSaturated) {
    const std::uint64_t now = std::min(kStep, operations - done);
    do_step({.fast_forward = now}, nullptr);
    done += now;
  }
  return done;
}

void SimArm::answer_mail() {
  if (!events_.mail.empty()) do_step({.mail = true}, nullptr);
}

}  // namespace hitmark::simulator
