// From what a counter showed during known work to a Probe: countable, or unavailable with the reason.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/counters/access.hpp"
#include "harness/counters/counter_source.hpp"
#include "harness/counters/known_work.hpp"

namespace hitmark {

// How often each event is tried: Rome's instruction counter was seen to be wrong at random (papi#160).
inline constexpr int kRepetitions = 3;

struct Counted {
  double value = 0;
  double share = 1;  // of the time that the counter was enabled, it ran
  WorkDone work;
};

// A reading with the event's unit and nothing counted yet.
Reading empty_reading(std::string_view source, std::string_view event);
// For an event that only certain hardware has, the reason ends with what that is.
Probe unavailable_probe(std::string_view source, std::string_view event, const Refusal& refusal);

Probe judge(std::string_view source, std::string_view event, std::span<const Counted> counted);

// A probe as one line between processes: fields separated by tabs. A line that is none gives an Error.
std::string to_line(const Probe& probe);
Result<Probe> probe_from_line(std::string_view source, std::string_view event, std::string_view line);

// An event that ran for less than its time was multiplexed: its count must not be used.
Refusal not_always_running(std::string_view event, double share);

// Makes "instructions" and "cycles" of one session unavailable when they say more than 8 instructions per cycle.
void discard_implausible(std::vector<Reading>& readings);

}  // namespace hitmark
