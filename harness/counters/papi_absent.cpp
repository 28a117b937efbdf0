// Stands in for papi_source.cpp in a build without PAPI: the same events, each unavailable for that reason.
#include "harness/counters/event_names.hpp"
#include "harness/counters/unavailable_session.hpp"
#include "harness/counters/verdict.hpp"

namespace hitmark {
namespace {

std::vector<Probe> probe(std::span<const std::string> asked, double) {
  std::vector<std::string> events(asked.begin(), asked.end());
  if (events.empty()) events = events_of("papi");
  std::vector<Probe> probes;
  for (const std::string& event : events)
    probes.push_back(
        unavailable_probe("papi", event,
                          {"this build has no PAPI: configure with -DHITMARK_WITH_PAPI=ON",
                           "sudo apt install libpapi-dev && cmake --preset release -DHITMARK_WITH_PAPI=ON"}));
  return probes;
}

Result<std::unique_ptr<CounterSession>> open(std::span<const std::string> events) {
  if (events.empty()) return unavailable_session({});
  return unavailable_session(probe(events, 0));
}

std::string version() { return "not built in"; }

const Registered<CounterSource> registered({"papi", "software and hardware events through PAPI", probe, open, version});

}  // namespace
}  // namespace hitmark
