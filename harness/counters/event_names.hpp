// The logical events that hitmark knows, what each means, and how each backend spells it. A name stands for
// the same question on every machine; the catalogue of CPU generations will fill the spellings from files.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"

namespace hitmark {

// Work of a known amount that must raise an event; see known_work.hpp.
enum class KnownWork : std::uint8_t {
  kTouchPages,
  kLoopInstructions,
  kLoopCycles,
  kBlock,
  kMigrate,
  kCpuTime,
  kSharedLine
};

struct EventName {
  std::string_view name;     // "fills.rmt_cache"
  std::string_view unit;     // "count", "ns"
  std::string_view meaning;  // one sentence: what is counted, and what it cannot tell
  std::string_view needs;    // what a host must have for it
  KnownWork work;
  bool in_kernel;  // happens inside the kernel: a counter of user mode alone reads 0
};

std::span<const EventName> event_names();
const EventName* find_event(std::string_view name);

// Counted by the kernel itself, or by a performance monitoring unit. A name of the user's own is neither.
bool is_software_event(std::string_view name);
bool is_hardware_event(std::string_view name);

// How `source` ("papi", "likwid", "perf", "ibs") spells the event; empty when it cannot count it.
std::string_view spelling_of(std::string_view source, std::string_view event);

// The logical events that `source` has a spelling for, in the order of event_names().
std::vector<std::string> events_of(std::string_view source);

// "perf::MINOR-FAULTS", "PAPI_BR_MSP" for papi; "EVENT:PMC0" for likwid: a spelling that the user typed himself.
bool is_native_spelling(std::string_view source, std::string_view event);

// What a user asked for with --events: `text` split at commas, each a logical event of `source` or one of its
// native spellings. An empty list, an empty name or an unknown one: kUsage, with the nearest names.
Result<std::vector<std::string>> parse_events(std::string_view source, std::string_view text);

}  // namespace hitmark
