// The cache is process-wide and locked: sessions open on many threads.
#include "harness/counters/probe_all.hpp"

#include <map>
#include <mutex>
#include <utility>

#include "harness/counters/access.hpp"
#include "harness/counters/event_names.hpp"
#include "harness/counters/verdict.hpp"

namespace hitmark {
namespace {

using Key = std::pair<std::string, std::string>;  // source, event

std::mutex cache_mutex;
std::map<Key, Probe>& cache() {
  static std::map<Key, Probe> probes;
  return probes;
}

// IBS has no source yet; say so, and say first what the host lacks.
Probe without_source(const EventName& event) {
  const Access access = read_access();
  if (!access.ibs_pmu)
    return unavailable_probe(
        "ibs", event.name,
        {std::string("no IBS: the kernel lists no 'ibs_op' event source (virtual machine: ") +
             (access.virtual_machine ? "yes" : "no") + ")",
         access.virtual_machine ? std::string(kNothingInGuest) : "enable IBS in the firmware set-up, on an AMD host"});
  return unavailable_probe(
      "ibs", event.name,
      {"this version of hitmark does not read IBS", "perf c2c record -a, on Linux >= 6.1, shows the same samples"});
}

}  // namespace

std::vector<Probe> cached_probes(const CounterSource& source, std::span<const std::string> events,
                                 double deadline_seconds) {
  const std::lock_guard lock(cache_mutex);
  const std::string name(source.name);
  std::vector<std::string> missing;
  for (const std::string& event : events)
    if (!cache().contains({name, event})) missing.push_back(event);
  if (!missing.empty()) {
    const std::vector<Probe> fresh = source.probe(missing, deadline_seconds);
    HITMARK_CHECK(fresh.size() == missing.size(), "a counter source must answer for every event");
    for (std::size_t i = 0; i < missing.size(); ++i) cache()[{name, missing[i]}] = fresh[i];
  }
  std::vector<Probe> probes;
  for (const std::string& event : events) probes.push_back(cache().at({name, event}));
  return probes;
}

void forget_probes() {
  const std::lock_guard lock(cache_mutex);
  cache().clear();
}

std::vector<Probe> probe_all(double deadline_seconds) {
  std::vector<Probe> probes;
  for (const CounterSource& source : Registry<CounterSource>::instance().all()) {
    const std::vector<std::string> events = events_of(source.name);
    const std::vector<Probe> answers = cached_probes(source, events, deadline_seconds);
    probes.insert(probes.end(), answers.begin(), answers.end());
  }
  for (const EventName& event : event_names())
    if (!spelling_of("ibs", event.name).empty() && !Registry<CounterSource>::instance().find("ibs"))
      probes.push_back(without_source(event));
  return probes;
}

std::vector<Reading> unavailable_readings(std::span<const Probe> probes) {
  std::vector<Reading> readings;
  for (const Probe& probe : probes)
    if (!probe.reading.value) readings.push_back(probe.reading);
  return readings;
}

}  // namespace hitmark
