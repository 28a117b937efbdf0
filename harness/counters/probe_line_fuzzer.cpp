// Lines that a broken helper may send, and lists that a user may type.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "harness/counters/event_names.hpp"
#include "harness/counters/verdict.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hitmark;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto probe = probe_from_line("likwid", "cycles", text);
  if (probe) {
    if (probe->reading.value && !std::isfinite(*probe->reading.value)) std::abort();
    if (probe->reading.value.has_value() == (probe->reading.quality == Quality::kUnavailable)) std::abort();
    if (!probe_from_line("likwid", "cycles", to_line(*probe))) std::abort();
  }
  const auto events = parse_events("papi", text);
  if (events && events->empty()) std::abort();
  return 0;
}
