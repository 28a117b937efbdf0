#include "harness/simulator/instructions/measured_paths.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "kernels/codegen/paths.hpp"
#include "kernels/codegen/without_rseq.hpp"
#include "kernels/memory/gs_base.hpp"
#include "kernels/simulation.hpp"
#include "support/instruction_counter.hpp"

namespace hitmark::simulator {
namespace {

constexpr std::size_t kMostPaths = 160;      // of an operation
constexpr std::size_t kMostEventPaths = 12;  // each other flush is another path
constexpr std::size_t kWithFunctions = 24;   // the most taken paths, for which functions are told apart
constexpr unsigned kRounds = 700;

// A workload, and how the CPUs' operations and the events follow each other.
struct Script {
  Workload workload;
  unsigned cpus = 4;
  unsigned rounds = kRounds;
  bool one_by_one = false;                     // charge and uncharge as operations of their own, not as a pair
  unsigned charges_ahead = 0;                  // charges before the first uncharge
  unsigned flush = 150, read = 40, drain = 0;  // rounds between two; 0: never
};

// Of the families of counters: batches and amounts, in both directions, and hierarchies where there are any.
std::vector<Script> scripts_of_counters() {
  std::vector<Script> all;
  for (const unsigned depth : {1u, 2u, 3u, 4u})
    for (const bool split : {false, true})
      for (const unsigned batch : {0u, 1u, 32u, 128u})
        for (const unsigned pages : {1u, 8u, 64u, 65u})
          for (const std::uint64_t protected_pages : {0u, 100u}) {
            Script script;
            script.workload.depth = depth;
            script.workload.split = split;
            script.workload.batch = batch;
            script.workload.pages = pages;
            script.workload.memcgs = pages == 1 ? 1 : 3;
            script.workload.groups = batch == 32 ? 2 : 1;
            script.workload.protected_pages = protected_pages;
            script.rounds = pages == 1 ? kRounds : 300;
            script.drain = batch == 1 ? 0 : 97;
            all.push_back(script);
            if (split || pages > 8) continue;
            script.one_by_one = true;
            for (const unsigned ahead : {0u, 30u, 100u}) {
              script.charges_ahead = ahead;
              all.push_back(script);
            }
            script.workload.online_cpus = 1;  // the threshold is near
            script.flush = 23;
            all.push_back(script);
          }
  Script limited;
  limited.workload.limit_pages = 150;
  limited.workload.pages = 8;
  limited.one_by_one = true;
  limited.charges_ahead = 40;
  all.push_back(limited);
  for (const unsigned cpus : {1u, 2u, 8u}) {  // the events' accesses grow with the CPUs
    Script events;
    events.cpus = cpus;
    events.rounds = 80;
    events.flush = 37;
    events.drain = 50;
    all.push_back(events);
  }
  return all;
}

std::vector<Script> scripts_of_sock_charge() {
  std::vector<Script> all;
  const auto add = [&](Script script) {
    script.workload.groups = std::min(script.workload.groups, script.cpus);
    all.push_back(script);
  };
  const RefillRule rules[] = {{},
                              {.kind = RefillRule::Kind::kWatermark, .low = 0},
                              {.kind = RefillRule::Kind::kWatermark, .low = 32},
                              {.kind = RefillRule::Kind::kWatermark, .low = 64}};
  for (unsigned depth = 1; depth <= 4; ++depth)
    for (const bool split : {false, true})
      for (const RefillRule& rule : rules)
        for (const unsigned memcgs : {1u, 3u, 6u, 7u, 8u}) {
          if (memcgs > 3 && depth != 2 && memcgs != 7) continue;
          Script script;
          script.workload.depth = depth;
          script.workload.split = split;
          script.workload.refill = rule;
          script.workload.memcgs = memcgs;
          add(script);
          if (memcgs > 3) continue;
          script.workload.groups = 2;
          script.drain = 97;
          add(script);
          script.workload.groups = 1;
          script.workload.online_cpus = 1;  // the threshold is near: partly saturated hierarchies
          script.flush = 23;
          add(script);
          if (split) continue;
          script.one_by_one = true;
          script.workload.online_cpus = 0;
          script.flush = 150;
          for (const unsigned ahead : {0u, 30u, 100u}) {
            script.charges_ahead = ahead;
            add(script);
          }
        }
  for (const unsigned pages : {2u, 8u, 64u, 65u})
    for (const bool one_by_one : {false, true}) {
      Script script;
      script.workload.pages = pages;
      script.one_by_one = one_by_one;
      script.rounds = 300;
      add(script);
    }
  Script limited;  // charges are refused, and the stocks are drained for them
  limited.workload.limit_pages = 150;
  limited.workload.pages = 8;
  limited.workload.memcgs = 3;
  limited.one_by_one = true;
  limited.charges_ahead = 40;
  add(limited);
  for (const unsigned cpus : {1u, 2u, 8u})  // the events' accesses grow with the CPUs
    for (const unsigned depth : {1u, 2u, 4u}) {
      Script events;
      events.cpus = cpus;
      events.workload.depth = depth;
      events.rounds = 80;
      events.flush = 37;
      events.drain = 50;
      add(events);
    }
  return all;
}

std::vector<Script> scripts_of(const Variant& variant) {
  std::vector<Script> all = variant.family == "sock-charge" ? scripts_of_sock_charge() : scripts_of_counters();
  const Family* family = Registry<Family>::instance().find(std::string(variant.family));
  const auto refused = [&](std::string_view parameter) {
    return family && std::ranges::find(family->refused, parameter) != family->refused.end();
  };
  std::erase_if(all, [&](const Script& script) {
    return (refused("depth") && script.workload.depth != Workload{}.depth) ||
           (refused("batch") && script.workload.batch > 0) ||
           (refused("limit-pages") && script.workload.limit_pages > 0) ||
           (refused("online-cpus") && script.workload.online_cpus > 0) ||
           (refused("protected-pages") && script.workload.protected_pages > 0);
  });
  return all;
}

class SignatureObserver : public AccessObserver {
 public:
  void on_access(unsigned, const Access& access) override {
    signature = access_signature(signature, static_cast<unsigned>(access.kind), access.size);
    ++accesses;
  }
  std::uint64_t signature = kSignatureStart;
  std::uint32_t accesses = 0;
};

// One operation about to be run.
struct Step {
  const Operation& operation;
  unsigned cpu;
  void* object;
  unsigned amount;
};

// Runs the script traced. `before` sees the state before each operation, `after` its accesses.
void play(const Variant& variant, const Script& script, const std::function<void(Simulation&, const Step&)>& before,
          const std::function<void(const Step&, const SignatureObserver&)>& after) {
  SignatureObserver observer;
  Simulation simulation(variant, script.workload, script.cpus, &observer);
  const auto run = [&](std::string_view name, unsigned cpu, unsigned index) {
    const Operation* operation = find_operation(variant, name);
    if (!operation) return;  // an event that the family has not
    const Step step{*operation, cpu, variant.object(simulation.state(), cpu, index), script.workload.pages};
    if (before) before(simulation, step);
    observer.signature = kSignatureStart;
    observer.accesses = 0;
    simulation.run(step.operation, cpu, step.object, step.amount);
    if (after) after(step, observer);
  };
  const bool is_charge = find_operation(variant, "charge") != nullptr;
  const std::string_view up = is_charge ? "charge" : "add", down = is_charge ? "uncharge" : "sub";
  const std::string_view steady = variant.operations.front().name;
  const auto due = [](unsigned round, unsigned period) { return period > 0 && round % period == period - 1; };
  for (unsigned round = 0; round < script.rounds; ++round) {
    for (unsigned cpu = 0; cpu < script.cpus; ++cpu) {
      if (script.workload.split) {
        run(cpu % 2 == 0 ? up : down, cpu, round);
      } else if (script.one_by_one) {
        run(up, cpu, round);
        if (round >= script.charges_ahead) run(down, cpu, round - script.charges_ahead);
      } else {
        run(steady, cpu, round);
      }
      if (script.drain > 0) run("work", cpu, 0);
    }
    const unsigned cpu = round % script.cpus;
    if (due(round, script.flush)) run("flush", cpu, 0);
    if (due(round, script.read)) run("read", cpu, 0);
    if (due(round, script.drain)) run("drain", cpu, 0);
  }
}

[[gnu::noipa]] void nothing(void*, void*, unsigned) {}

using Native = void (*)(void*, void*, unsigned);

Result<std::uint64_t> single_step(Simulation& simulation, const Step& step, Native function,
                                  const std::function<void(std::uintptr_t)>& on_instruction = nullptr) {
  set_gs_base(simulation.arena().percpu_address(step.cpu, 0));
  const bool restartable = codegen::is_restartable(simulation.variant());
  return count_instructions(
      [&] {
        if (restartable) codegen::leave_rseq(step.cpu);
        function(simulation.state(), step.object, step.amount);
      },
      on_instruction);
}

struct Found {
  MeasuredPath path;
  std::uint64_t first = 0, last = 0;  // numbers of the steps that took it, over all scripts
};
using FoundByPath = std::map<std::pair<std::uint64_t, std::uint32_t>, Found>;

// The most taken paths; of an event, those of the fewest and most accesses, too, between which one interpolates.
std::vector<Found*> chosen(FoundByPath& found, bool event) {
  std::vector<Found*> all;
  for (auto& [key, path] : found) all.push_back(&path);
  std::sort(all.begin(), all.end(), [](const Found* a, const Found* b) {
    return a->path.taken != b->path.taken ? a->path.taken > b->path.taken : a->first < b->first;
  });
  if (!event) {
    if (all.size() > kMostPaths) all.resize(kMostPaths);
    return all;
  }
  std::vector<Found*> by_accesses = all;
  std::stable_sort(by_accesses.begin(), by_accesses.end(),
                   [](const Found* a, const Found* b) { return a->path.accesses < b->path.accesses; });
  std::vector<Found*> kept;
  for (std::size_t i = 0; i < std::min(kMostEventPaths / 2, all.size()); ++i) kept.push_back(all[i]);
  for (std::size_t i = 0; i < kMostEventPaths / 2; ++i) {
    Found* spread = by_accesses[i * (by_accesses.size() - 1) / (kMostEventPaths / 2 - 1)];
    if (std::find(kept.begin(), kept.end(), spread) == kept.end()) kept.push_back(spread);
  }
  return kept;
}

class Measurement {
 public:
  Measurement(const Variant& variant, const FunctionMap& functions, bool twice)
      : variant_(variant), functions_(functions), twice_(twice) {}

  Result<std::vector<MeasuredOperation>> run() {
    const std::vector<Script> all = scripts_of(variant_);
    find(all);
    for (auto& [operation, found] : found_) {
      const bool event = std::ranges::find(variant_.events, operation, &Operation::name) != variant_.events.end();
      std::size_t rank = 0;
      for (Found* path : chosen(found, event)) {
        if (!event && rank++ < kWithFunctions) path->path.self.resize(functions_.names.size());
        at_step_[path->first] = path;
        if (twice_ && !event) at_step_[path->last] = path;
        kept_[operation].push_back(path);
      }
    }
    measure(all);
    if (error_) return *error_;
    return collect();
  }

 private:
  void find(const std::vector<Script>& all) {
    std::uint64_t number = 0;
    for (const Script& script : all)
      play(variant_, script, nullptr, [&](const Step& step, const SignatureObserver& seen) {
        Found& found = found_[std::string(step.operation.name)][{seen.signature, seen.accesses}];
        if (found.path.taken++ == 0) found.first = number;
        found.last = number++;
        found.path.signature = seen.signature;
        found.path.accesses = seen.accesses;
      });
  }

  void measure(const std::vector<Script>& all) {
    std::uint64_t number = 0;
    for (const Script& script : all)
      play(
          variant_, script,
          [&](Simulation& simulation, const Step& step) {
            const auto wanted = at_step_.find(number);
            if (wanted != at_step_.end() && !error_) count(simulation, step, *wanted->second, number);
            ++number;
          },
          nullptr);
  }

  void count(Simulation& simulation, const Step& step, Found& found, std::uint64_t number) {
    const bool first = number == found.first;
    std::vector<std::uint32_t>& self = found.path.self;
    const auto by_function = [&](std::uintptr_t at) {
      if (const std::size_t function = functions_.at(at); function < self.size()) ++self[function];
    };
    if (!overhead_) overhead_ = single_step(simulation, step, nothing);  // of the call, the same for every function
    const auto& overhead = *overhead_;
    const auto counted = first && !self.empty() ? single_step(simulation, step, step.operation.native, by_function)
                                                : single_step(simulation, step, step.operation.native);
    if (!overhead || !counted) {
      error_ = overhead ? counted.error() : overhead.error();
      return;
    }
    const double instructions = static_cast<double>(*counted - (*overhead - 1));  // 1: the `ret` of nothing()
    if (first) found.path.instructions = instructions;
    found.path.instructions_of_another = instructions;  // the later step overwrites the first
  }

  std::vector<MeasuredOperation> collect() {
    std::vector<MeasuredOperation> measured;
    for (const auto& list : {variant_.operations, variant_.events})
      for (const Operation& operation : list) {
        MeasuredOperation& out = measured.emplace_back();
        out.name = operation.name;
        for (const auto& [key, found] : found_[out.name]) out.taken += found.path.taken;
        for (const Found* found : kept_[out.name]) out.paths.push_back(found->path);
      }
    return measured;
  }

  const Variant& variant_;
  const FunctionMap& functions_;
  bool twice_;
  std::map<std::string, FoundByPath> found_;
  std::map<std::string, std::vector<Found*>> kept_;
  std::map<std::uint64_t, Found*> at_step_;
  std::optional<Result<std::uint64_t>> overhead_;
  std::optional<Error> error_;
};

}  // namespace

Result<std::vector<MeasuredOperation>> measure_paths(const Variant& variant, const FunctionMap& functions, bool twice) {
  return Measurement(variant, functions, twice).run();
}

}  // namespace hitmark::simulator
