// The rules of acceptance and their wording.
#include "harness/counters/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>

namespace hitmark {
namespace {

std::string count_text(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.0f", value);
  return text;
}

Probe rejected(std::string_view source, std::string_view event, const Refusal& refusal) {
  Probe probe;
  probe.reading = empty_reading(source, event);
  probe.reading.reason = refusal.reason;
  probe.reading.hint = refusal.hint;
  return probe;
}

Reading* find(std::vector<Reading>& readings, std::string_view event) {
  const auto at = std::ranges::find(readings, event, &Reading::event);
  return at == readings.end() || !at->value ? nullptr : &*at;
}

std::string plain(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return text;
}

// The part up to the next tab, taken off `line`; empty optional when nothing is left.
std::optional<std::string> take_field(std::optional<std::string_view>& line) {
  if (!line) return {};
  const std::size_t tab = line->find('\t');
  std::string part(line->substr(0, tab));
  if (tab == std::string_view::npos)
    line.reset();
  else
    line->remove_prefix(tab + 1);
  return part;
}

std::optional<double> to_number(const std::optional<std::string>& text) {
  if (!text || text->empty()) return {};
  char* end = nullptr;
  const double value = std::strtod(text->c_str(), &end);
  if (*end != '\0' || !std::isfinite(value)) return {};
  return value;
}

}  // namespace

Reading empty_reading(std::string_view source, std::string_view event) {
  Reading reading;
  reading.event = event;
  reading.source = source;
  const EventName* known = find_event(event);
  reading.unit = known ? known->unit : "count";
  return reading;
}

Probe unavailable_probe(std::string_view source, std::string_view event, const Refusal& refusal) {
  Probe probe = rejected(source, event, refusal);
  const EventName* known = find_event(event);
  if (known && known->work == KnownWork::kSharedLine) probe.reading.reason += "; needs " + std::string(known->needs);
  return probe;
}

Refusal not_always_running(std::string_view event, double share) {
  return {std::string(event) + " ran " + count_text(std::floor(share * 100)) +
              " % of the time; result discarded, since hitmark does not scale",
          "free a counter: sudo sysctl kernel.nmi_watchdog=0, stop other users of perf, or ask for fewer events"};
}

Probe judge(std::string_view source, std::string_view event, std::span<const Counted> counted) {
  const std::string name(event);
  if (counted.empty()) return rejected(source, event, {name + " was not counted during the probe", ""});
  for (const Counted& one : counted) {
    if (!one.work.possible)
      return rejected(source, event, {name + " opens, but cannot be proved: " + one.work.obstacle, ""});
    if (one.share < 1) return rejected(source, event, not_always_running(event, one.share));
    const std::string about = one.work.expected > 0 ? " (expected ≈ " + count_text(one.work.expected) + ")" : "";
    if (one.value == 0 && one.work.low > 0)
      return rejected(source, event,
                      {name + " opened but counted 0 during work that must raise it" + about + "; value discarded",
                       "measure on bare metal, or with another backend: hitmark doctor"});
    if (!(one.value >= one.work.low && one.value <= one.work.high))
      return rejected(source, event,
                      {name + " = " + count_text(one.value) + " is outside [" + count_text(one.work.low) + ", " +
                           count_text(one.work.high) + "] for known work; tried up to " +
                           std::to_string(counted.size()) + " times; discarded",
                       "measure with another backend: hitmark doctor"});
  }
  Probe probe;
  probe.reading = empty_reading(source, event);
  probe.reading.value = counted.back().value;
  probe.reading.quality = Quality::kExact;
  probe.expected = counted.back().work.expected;
  if (std::isinf(counted.back().work.high))
    probe.reading.reason = "it counts, but no work of a known amount has checked how truly";
  return probe;
}

std::string to_line(const Probe& probe) {
  const std::string texts = plain(probe.reading.reason) + '\t' + plain(probe.reading.hint);
  if (!probe.reading.value) return "unavailable\t" + texts;
  char numbers[96];
  std::snprintf(numbers, sizeof numbers, "counted\t%.17g\t%.17g\t", *probe.reading.value, probe.expected);
  return numbers + texts;
}

Result<Probe> probe_from_line(std::string_view source, std::string_view event, std::string_view line) {
  std::optional<std::string_view> left = line;
  const auto kind = take_field(left);
  Probe probe;
  probe.reading = empty_reading(source, event);
  bool good = kind == "counted" || kind == "unavailable";
  if (kind == "counted") {
    probe.reading.value = to_number(take_field(left));
    const auto expected = to_number(take_field(left));
    good = probe.reading.value && expected;
    probe.expected = expected.value_or(0);
    probe.reading.quality = Quality::kExact;
  }
  const auto reason = take_field(left), hint = take_field(left);
  if (!good || !reason || !hint || left)
    return Error{ErrorKind::kInvalid,
                 "answered something that is no answer: '" + plain(std::string(line.substr(0, 60))) + "'", ""};
  probe.reading.reason = *reason;
  probe.reading.hint = *hint;
  return probe;
}

void discard_implausible(std::vector<Reading>& readings) {
  Reading* instructions = find(readings, "instructions");
  Reading* cycles = find(readings, "cycles");
  if (!instructions || !cycles || *instructions->value <= 8 * *cycles->value) return;
  const std::string reason = count_text(*instructions->value) + " instructions in " + count_text(*cycles->value) +
                             " cycles are more than 8 per cycle; both discarded";
  for (Reading* reading : {instructions, cycles}) {
    reading->value.reset();
    reading->quality = Quality::kUnavailable;
    reading->reason = reason;
    reading->hint = "repeat the run; Zen 2 counters were reported to be wrong at random (papi#160)";
  }
}

}  // namespace hitmark
