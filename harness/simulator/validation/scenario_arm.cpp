#include "harness/simulator/validation/scenario_arm.hpp"

#include <algorithm>
#include <array>
#include <new>

#include "support/check.hpp"

namespace hitmark::simulator {
namespace {

constexpr std::size_t kWordsPerLine = 8;
constexpr unsigned kPages = 1;
constexpr unsigned kMostFastForward = 4;  // times the pairs that saturate if every one updates the statistics

Result<const Operation*> find(const Variant& variant, std::string_view name) {
  for (const auto& list : {variant.operations, variant.events})
    for (const Operation& operation : list)
      if (operation.name == name && operation.traced) return &operation;
  return Error{ErrorKind::kUnsupported,
               "variant " + std::string(variant.name) + " has no '" + std::string(name) + "' that can be simulated",
               "hitmark list variants"};
}

// Instructions of a path by part: own, rstat, callees.
using Shares = std::array<double, 3>;
Shares shares_of(const Variant& variant, const OperationCounts& counts, const InstructionPath& path,
                 std::string_view operation) {
  Shares shares{};
  for (std::size_t i = 0; i < path.self.size(); ++i) {
    const Part part = part_of_function(counts.functions()[i], operation);
    shares[is_own(variant, part) ? 0 : part == Part::kRstat ? 1 : 2] += path.self[i];
  }
  return shares;
}

}  // namespace

CallTally& CallTally::operator+=(const CallTally& other) {
  calls += other.calls;
  exact += other.exact;
  own += other.own;
  rstat += other.rstat;
  callees += other.callees;
  own_stall += other.own_stall;
  rstat_stall += other.rstat_stall;
  callees_stall += other.callees_stall;
  return *this;
}

PairTally& PairTally::operator+=(const PairTally& other) {
  charge += other.charge;
  uncharge += other.uncharge;
  return *this;
}

// What one CPU's calls touch and cost.
class ScenarioArm::OnCpu final : public AccessObserver {
 public:
  OnCpu(ScenarioArm& arm, unsigned number)
      : cpu(number, reinterpret_cast<std::uintptr_t>(arm.arena_->percpu_address(number, 0)), this),
        unseen(number, reinterpret_cast<std::uintptr_t>(arm.arena_->percpu_address(number, 0))),
        object(arm.variant_.object(arm.state_, number, 0)),
        random(mixed_seed({arm.load_.seed, number})),
        arm_(arm),
        engine_(*arm.engine_) {}

  void on_access(unsigned number, const Access& access) override {
    signature_ = access_signature(signature_, static_cast<unsigned>(access.kind), access.size);
    ++accesses_;
    if (watching_) watch(access.address);
    engine_.on_access(number, access);
  }
  void on_relax(unsigned number) override { engine_.on_relax(number); }

  // Before a call: what the one before still waited for is known by now.
  void start(unsigned number, Call call) {
    settle(number);
    call_ = call;
    signature_ = kSignatureStart;
    accesses_ = next_ = 0;
    watching_ = true;
    count_open_ = true;
  }
  void finish(unsigned number, const OperationCounts& counts) {
    watching_ = false;
    const InstructionCount count = counts.look_up(accesses_, signature_);
    engine_.spend_instructions(number, count.instructions);
    CallTally& tally = call_ == kCharge ? pair.charge : pair.uncharge;
    ++tally.calls;
    tally.exact += count.exact;
    const InstructionPath* path = counts.find(accesses_, signature_);
    const char* const name = call_ == kCharge ? "charge" : "uncharge";
    // A path whose functions were not told apart has the shares of the most taken one.
    const InstructionPath& known = path && !path->self.empty() ? *path : counts.paths().front();
    const Shares shares = shares_of(arm_.variant_, counts, known, name);
    const double scale = count.instructions / known.instructions;
    tally.own += shares[0] * scale;
    tally.rstat += shares[1] * scale;
    tally.callees += shares[2] * scale;
  }
  // Of an event: its accesses are of no call.
  void begin_event() { signature_ = kSignatureStart, accesses_ = 0; }
  InstructionCount event(const OperationCounts& counts) const { return counts.look_up(accesses_, signature_); }

  // Takes the stalls of the latest call over into the tally.
  void settle(unsigned number) {
    if (!count_open_) return;
    count_open_ = false;
    CallTally& tally = call_ == kCharge ? pair.charge : pair.uncharge;
    for (Word& word : words_) {
      if (!word.touched) continue;
      word.touched = false;
      const Picoseconds stall = engine_.stall(number, word.address), more = stall - word.stall;
      word.stall = stall;
      if (is_own(arm_.variant_, word.part))
        tally.own_stall += more;
      else
        (word.part == Part::kRstat ? tally.rstat_stall : tally.callees_stall) += more;
    }
  }

  TracedCpu cpu, unseen;
  void* object;
  SplitMix64 random;
  Picoseconds next_pair = 0;  // when its turn comes
  PairTally pair;

 private:
  // The words of a call are touched in nearly the same order each time.
  void watch(std::uintptr_t address) {
    const std::size_t size = words_.size();
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t at = next_ + i < size ? next_ + i : next_ + i - size;
      if (words_[at].address != address) continue;
      words_[at].touched = true;
      next_ = at + 1 < size ? at + 1 : 0;
      resolve(words_[at].part);
      return;
    }
    const SimArena::Place place = arm_.arena_->find(address - arm_.arena_->base());
    words_.push_back({address, part_of(place.object, place.in_object), 0, true});
    resolve(words_.back().part);
  }
  // The per-CPU base belongs to whoever uses it next, here once and for all: the first that used it.
  void resolve(Part part) {
    if (part == Part::kNext) return;
    for (Word& word : words_)
      if (word.part == Part::kNext) word.part = part;
  }

  ScenarioArm& arm_;
  Engine& engine_;
  Call call_ = kCharge;
  bool watching_ = false, count_open_ = false;
  std::uint64_t signature_ = kSignatureStart;
  std::uint32_t accesses_ = 0;
  std::size_t next_ = 0;
  std::vector<Word> words_;
};

ScenarioArm::ScenarioArm(const MachineModel& machine, const Variant& variant, const ScenarioLoad& load)
    : machine_(machine), variant_(variant), load_(load) {}

Result<std::unique_ptr<ScenarioArm>> ScenarioArm::create(const MachineModel& machine, const Variant& variant,
                                                         const ScenarioLoad& load, const InstructionTable& instructions,
                                                         std::vector<bool> shared_lines) {
  std::unique_ptr<ScenarioArm> arm(new ScenarioArm(machine, variant, load));
  if (const auto done = arm->set_up(instructions, std::move(shared_lines)); !done) return done.error();
  return arm;
}

ScenarioArm::~ScenarioArm() {
  if (state_) variant_.tear_down(state_);
}

Result<void> ScenarioArm::set_up(const InstructionTable& instructions, std::vector<bool> shared_lines) {
  const char* const names[] = {"charge", "uncharge", "flush"};
  for (unsigned i = 0; i < 3; ++i) {
    const auto operation = find(variant_, names[i]);
    if (!operation) return operation.error();
    const auto counts = instructions.of(variant_.family, variant_.name, names[i]);
    if (!counts) return counts.error();
    (i < 2 ? operations_[i] : flush_) = *operation;
    (i < 2 ? counts_[i] : flush_counts_) = *counts;
  }
  Workload workload;
  workload.depth = load_.depth;
  workload.online_cpus = load_.online_cpus;
  SimArenaOptions options;
  options.os_cpus = load_.os_cpus;
  options.pressure_bytes = std::size_t{load_.pressure_lines} * 64;
  for (std::optional<SimArenaSizes> sizes; !arena_ || !sizes;) {  // a first arena tells how much room is needed
    if (arena_) sizes = arena_->used();
    auto arena = SimArena::create(machine_, options, sizes);
    if (!arena) return arena.error();
    if (state_) variant_.tear_down(state_);
    state_ = nullptr;
    arena_ = std::move(*arena);
    state_ = variant_.set_up(*arena_, workload);
  }
  EngineOptions engine;
  engine.run_ahead = load_.run_ahead;
  engine.shared_lines = std::move(shared_lines);
  engine_ = std::make_unique<Engine>(machine_, arena_->base(), arena_->homes(), arena_->huge(), load_.os_cpus, engine);
  const CoreModel& core = machine_.core;
  std::vector<bool> busy(machine_.cores());
  bool two_threads = false;
  for (const unsigned cpu : load_.os_cpus) {
    two_threads = two_threads || busy[machine_.core_of(cpu)];
    busy[machine_.core_of(cpu)] = true;
  }
  cycles_per_instruction_ = 1 / (core.instructions_per_cycle * (two_threads ? core.smt_share : 1));
  for (unsigned cpu = 0; cpu < load_.os_cpus.size(); ++cpu) cpus_.push_back(std::make_unique<OnCpu>(*this, cpu));
  return {};
}

bool ScenarioArm::saturated() const { return variant_.phase(state_) == Phase::kSaturated; }

bool ScenarioArm::fast_forward() {
  const std::uint64_t threshold = std::uint64_t{64} * (load_.online_cpus ? load_.online_cpus : cpus_.size());
  for (std::uint64_t pairs = 0; pairs < kMostFastForward * threshold && !saturated(); pairs += cpus_.size())
    for (const auto& on : cpus_)
      for (const Operation* operation : operations_) operation->traced(state_, on->object, kPages, on->unseen);
  return saturates_ = saturated();
}

void ScenarioArm::touch_pressure(unsigned cpu) {
  auto address = reinterpret_cast<std::uintptr_t>(arena_->pressure(cpu));
  for (unsigned line = 0; line < load_.pressure_lines; ++line, address += kWordsPerLine * 8)
    engine_->on_access(cpu, {address, 8, AccessKind::kLoad});
  engine_->spend_instructions(cpu, 0);
}

void ScenarioArm::call(unsigned cpu, Call call) {
  OnCpu& on = *cpus_[cpu];
  touch_pressure(cpu);
  on.start(cpu, call);
  operations_[call]->traced(state_, on.object, kPages, on.cpu);
  on.finish(cpu, *counts_[call]);
}

// Pairs begin at random, at the rate asked for on average: each CPU's clients are many and know nothing of each other.
void ScenarioArm::wait_for_turn(unsigned cpu) {
  if (load_.pairs_per_second <= 0) return;
  OnCpu& on = *cpus_[cpu];
  const auto period = static_cast<Picoseconds>(1e12 / load_.pairs_per_second);
  const Picoseconds now = engine_->now(cpu);
  if (on.next_pair == 0) on.next_pair = now + on.random.below(period);
  ++pairs_;
  if (on.next_pair > now)
    engine_->spend(cpu, on.next_pair - now);
  else
    ++late_;
  on.next_pair = std::max(on.next_pair, now) + period / 2 + on.random.below(period);
}

void ScenarioArm::pair(unsigned cpu) {
  wait_for_turn(cpu);
  call(cpu, kCharge);
  call(cpu, kUncharge);
}

std::unique_ptr<PairTally> ScenarioArm::collect() {
  auto all = std::make_unique<PairTally>();
  for (unsigned cpu = 0; cpu < cpus_.size(); ++cpu) {
    OnCpu& on = *cpus_[cpu];
    on.settle(cpu);
    if (cpu > 0 || cpus_.size() == 1) *all += on.pair;
    on.pair = {};
    on.next_pair = 0;
  }
  return all;
}

std::unique_ptr<PairTally> ScenarioArm::run(unsigned pairs) {
  const bool sound = engine_->run([&](unsigned cpu) {
    for (unsigned i = 0; i < pairs && !engine_->surprised(); ++i) pair(cpu);
  });
  return sound ? collect() : nullptr;
}

std::unique_ptr<ScenarioArm::Flush> ScenarioArm::run_flush(unsigned tail) {
  auto window = std::make_unique<Flush>();
  bool flushed = false, saturated_again = false;
  Picoseconds begin = 0, end = 0;
  const bool sound = engine_->run([&](unsigned cpu) {
    if (cpu == 0) {
      OnCpu& on = *cpus_[cpu];
      begin = engine_->now(cpu);
      on.settle(cpu);
      on.begin_event();
      flush_->traced(state_, nullptr, 0, on.cpu);
      engine_->spend_instructions(cpu, on.event(*flush_counts_).instructions);
      window->flush_seconds = static_cast<double>(engine_->now(cpu) - begin) * 1e-12;
      engine_->in_turn(cpu);
      flushed = true;
    }
    for (unsigned after = 0; after < tail && !engine_->surprised();) {
      pair(cpu);
      window->calls += 2;
      engine_->in_turn(cpu);  // what is asked now is of now
      if (flushed && !saturated_again && (!saturates_ || saturated())) {
        saturated_again = true;
        end = engine_->now(cpu);
      }
      if (saturated_again)
        ++after;
      else
        window->accumulating += 2;
    }
  });
  if (!sound) return nullptr;
  window->seconds = static_cast<double>(end > begin ? end - begin : 0) * 1e-12;
  window->tally = *collect();
  return window;
}

}  // namespace hitmark::simulator
