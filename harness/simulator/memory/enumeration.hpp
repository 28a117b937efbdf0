// For tests: walks all states that a small machine's caches can reach, breadth first, from every state by every
// access of every CPU, and checks the invariants and the values after each.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "harness/simulator/memory/coherent_memory.hpp"
#include "harness/simulator/memory/coherent_memory_access.hpp"
#include "harness/simulator/memory/coherent_memory_check.hpp"
#include "harness/simulator/memory/coherent_memory_evict.hpp"
#include "harness/simulator/memory/versions.hpp"

namespace hitmark::simulator {

struct Enumeration {
  std::size_t states = 0, accesses = 0;
  std::string violation;       // the first; empty: none
  std::string accesses_to_it;  // one of the shortest ways, "load 0 by CPU 1, store ..."
};

enum class Check { kAll, kValuesOnly };

// 2 CCXs of 2 cores, every cache of one line, a directory of one entry or unlimited.
inline MachineModel tiny_machine() {
  MachineModel machine;
  machine.sockets = 1;
  machine.quadrants = 1;
  machine.ccxs_per_quadrant = 2;
  machine.cores_per_ccx = 2;
  machine.threads_per_core = 1;
  machine.channels_per_quadrant = 1;
  machine.l1 = machine.l2 = machine.l3 = CacheGeometry{1, 1, Replacement::kTreePlru};
  machine.protocol.directory_entries = 1;
  return machine;
}

template <typename Rules>
Enumeration enumerate(const MachineModel& machine, Line lines, Check check = Check::kAll,
                      std::size_t most_states = ~std::size_t{0}) {
  using Memory = BasicCoherentMemory<Rules, Versions>;
  Memory memory(machine, std::vector<Home>(lines)), other(memory);
  memory.data().begin(lines);
  other.data().begin(lines);
  const std::size_t values = memory.data().saved_size();
  const auto save = [](const Memory& from, std::string& bytes) {
    bytes.clear();
    const_cast<Memory&>(from).data().save(bytes);
    from.save(bytes);
  };
  const auto restore = [values](Memory& to, std::string_view bytes) {
    to.data().restore(bytes.substr(0, values));
    to.restore(bytes.substr(values));
  };
  struct Step {
    std::size_t from;
    unsigned cpu;
    Line line;
    bool write;
  };
  std::unordered_map<std::string, std::size_t> numbers;
  std::vector<const std::string*> states;
  std::vector<Step> steps;
  std::string bytes, same;
  save(memory, bytes);
  states.push_back(&numbers.emplace(bytes, 0).first->first);
  steps.push_back({});

  Enumeration result;
  for (std::size_t at = 0; at < states.size() && at < most_states; ++at) {
    for (unsigned cpu = 0; cpu < machine.cpus(); ++cpu) {
      for (Line line = 0; line < lines; ++line) {
        for (const bool write : {false, true}) {
          const unsigned core = machine.core_of(cpu);
          Outcome outcome;
          restore(memory, *states[at]);
          const bool near = memory.hit_l1(core, line, write);
          const bool hit = near || memory.hit_l2(core, line, write);
          if (!hit) memory.miss(core, line, write, outcome);
          ++result.accesses;
          save(memory, bytes);
          if (hit) {  // the short ways must do what the long one does
            restore(other, *states[at]);
            other.access(core, line, write, outcome);
            save(other, same);
            if (same != bytes || outcome.served != (near ? Served::kL1 : Served::kL2))
              result.violation = "hit path: differs from access()";
          }
          const std::size_t next = states.size();
          const auto [place, fresh] = numbers.emplace(bytes, next);
          if (fresh) {
            states.push_back(&place->first);
            steps.push_back({at, cpu, line, write});
            if (result.violation.empty() && check == Check::kAll) result.violation = memory.violated_invariant();
          }
          if (result.violation.empty()) result.violation = memory.data().violation();
          if (result.violation.empty()) continue;
          for (Step step{at, cpu, line, write};; step = steps[step.from]) {
            result.accesses_to_it = std::string(step.write ? "store " : "load ") + std::to_string(step.line) +
                                    " by CPU " + std::to_string(step.cpu) +
                                    (result.accesses_to_it.empty() ? "" : ", ") + result.accesses_to_it;
            if (step.from == 0) break;
          }
          result.states = states.size();
          return result;
        }
      }
    }
  }
  result.states = states.size();
  return result;
}

}  // namespace hitmark::simulator
