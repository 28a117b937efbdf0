// What all counter sources together can count here: for `hitmark doctor` and for the record of a run.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/counters/counter_source.hpp"

namespace hitmark {

// likwid needs seconds to find out that it cannot work.
inline constexpr double kProbeDeadlineSeconds = 15;

// Every event of every registered source, by source, then the events that no source of this build can read.
// Takes at most `deadline_seconds` per source.
std::vector<Probe> probe_all(double deadline_seconds = kProbeDeadlineSeconds);

// Those that cannot be counted here, as readings of a run as a whole. What a probe counted during known work
// is no reading of the run, so countable events are left out.
std::vector<Reading> unavailable_readings(std::span<const Probe> probes);

// One probe per event of `source`, in order, each made once per process: open() of a source asks here first, so
// that an event that opens but does not count stays unavailable in every session.
std::vector<Probe> cached_probes(const CounterSource& source, std::span<const std::string> events,
                                 double deadline_seconds = kProbeDeadlineSeconds);
void forget_probes();  // for tests

}  // namespace hitmark
