// One backend that reads events: PAPI, likwid, perf. A source is probed by opening it and by counting known
// work, never by asking what it lists. What it cannot read comes back as a Reading of quality
// kUnavailable with the reason and what to type next.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/results/sample.hpp"
#include "support/registry.hpp"
#include "support/result.hpp"

namespace hitmark {

// Is one logical event countable here? `reading.value` holds what known work gave, when it was countable.
struct Probe {
  Reading reading;
  double expected = 0;  // known work, in the event's unit; 0 when there is only a lower bound
};

class CounterSession {
 public:
  virtual ~CounterSession() = default;
  // On the measured thread, before the first operation.
  virtual Result<void> attach(int os_cpu) = 0;
  virtual void start() noexcept = 0;
  virtual void stop() noexcept = 0;
  // On the same thread, after stop(): one Reading per event asked for, in the order asked.
  virtual std::vector<Reading> collect() = 0;
};

struct CounterSource {
  std::string_view name;  // "papi"
  std::string_view summary;
  // Every event of `events` (all that the source knows when empty), in order. Never fails, never hangs:
  // takes at most `deadline_seconds`.
  std::vector<Probe> (*probe)(std::span<const std::string> events, double deadline_seconds);
  // One session per thread. An event that cannot be counted becomes an unavailable Reading at collect().
  Result<std::unique_ptr<CounterSession>> (*open)(std::span<const std::string> events);
  std::string (*version)();  // of the library, "7.0.0"
};

}  // namespace hitmark
