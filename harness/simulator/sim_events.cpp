#include "harness/simulator/sim_events.hpp"

#include <algorithm>

namespace hitmark::simulator {
namespace {

// `hitmark doctor --overhead` counts them; overhead_test.cpp compares.
constexpr double kBare = 6, kCyclic = 9, kPressure = 13, kPressureLine = 6;

Result<SimEvent> make_event(const Variant& variant, const InstructionTable& instructions, std::string_view name,
                            std::uint64_t period) {
  const auto operation = find_operation(variant, variant.events, name);
  if (!operation) return operation.error();
  const auto counts = instructions.of(variant.family, variant.name, name);
  if (!counts) return counts.error();
  return SimEvent{std::string(name), *operation, *counts, period, true};
}

}  // namespace

std::uint64_t SimEvents::until_pause(unsigned cpu, std::uint64_t operations, std::uint64_t wanted) const {
  if (cpu == 0)
    for (const SimEvent& event : events)
      if (event.by_the_clock) wanted = std::min(wanted, event.period - operations % event.period);
  for (const SimEvent& event : mail) wanted = std::min(wanted, event.period - operations % event.period);
  return wanted;
}

Result<const Operation*> find_operation(const Variant& variant, std::span<const Operation> among,
                                        std::string_view name) {
  for (const Operation& operation : among)
    if (operation.name == name && operation.traced) return &operation;
  return Error{ErrorKind::kUnsupported,
               "variant " + std::string(variant.name) + " has no '" + std::string(name) + "', which the workload needs",
               "hitmark list variants"};
}

Result<const Operation*> operation_on(const Variant& variant, const Workload& workload, unsigned cpu) {
  if (workload.split) return find_operation(variant, variant.operations, cpu % 2 == 0 ? "charge" : "uncharge");
  if (!variant.operations.empty() && variant.operations.front().traced) return &variant.operations.front();
  return Error{ErrorKind::kUnsupported,
               "variant " + std::string(variant.name) + " has no operation that can be simulated", ""};
}

Result<SimEvents> events_of(const Variant& variant, const Workload& workload, const InstructionTable& instructions) {
  const std::pair<const char*, std::uint64_t> periods[] = {
      {"drain", workload.drain_period}, {"flush", workload.flush_period}, {"read", workload.read_period}};
  SimEvents all;
  for (const auto& [name, period] : periods) {
    if (period == 0) continue;
    auto event = make_event(variant, instructions, name, period);
    if (!event) return event.error();
    all.events.push_back(std::move(*event));
  }
  if (workload.drain_period > 0 || workload.limit_pages > 0) {  // a limit that is hit drains too
    auto mail = make_event(variant, instructions, "work", kOperationsPerPoll);
    if (!mail) return mail.error();
    all.mail.push_back(std::move(*mail));
  }
  return all;
}

double loop_instructions(const Workload& workload) {
  if (workload.pressure_kib > 0)
    return kPressure + kPressureLine * static_cast<double>((std::size_t{workload.pressure_kib} << 10) / kLine);
  return workload.memcgs > 1 ? kCyclic : kBare;
}

}  // namespace hitmark::simulator
