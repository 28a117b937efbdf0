// What happens between the operations of an arm, at fixed readings of a CPU's clock of operations: the same events
// at the same readings as natively (harness/native/event_clock.hpp), in the same order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/simulator/instructions/instruction_table.hpp"
#include "kernels/variant.hpp"
#include "kernels/workload.hpp"
#include "support/result.hpp"

namespace hitmark::simulator {

inline constexpr std::uint64_t kOperationsPerPoll = 256;

struct SimEvent {
  std::string name;  // "drain", "flush", "read", "work"
  const Operation* operation = nullptr;
  const OperationCounts* counts = nullptr;
  std::uint64_t period = 0;  // operations, > 0
  bool by_the_clock = true;  // false: only as Stretch::event_first
};

struct SimEvents {
  std::vector<SimEvent> events;  // of CPU 0 alone; several at one reading run in this order
  std::vector<SimEvent> mail;    // none or one, of every CPU: looks into its mailbox
  // Operations until `cpu`, which has done `operations`, does something else, at most `wanted`.
  std::uint64_t until_pause(unsigned cpu, std::uint64_t operations, std::uint64_t wanted) const;
};

Result<const Operation*> find_operation(const Variant& variant, std::span<const Operation> among,
                                        std::string_view name);
// Every CPU does the first operation, or even ones charge and odd ones uncharge.
Result<const Operation*> operation_on(const Variant& variant, const Workload& workload, unsigned cpu);
Result<SimEvents> events_of(const Variant& variant, const Workload& workload, const InstructionTable& instructions);

// Instructions of the native trial loop for each operation (harness/native/trial_loop.cpp), the call included and the
// operation's own left out.
double loop_instructions(const Workload& workload);

}  // namespace hitmark::simulator
