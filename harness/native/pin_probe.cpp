#include "harness/native/pin_probe.hpp"

#include <sched.h>
#include <sys/resource.h>

#include <cstdlib>

#include "support/file.hpp"

namespace hitmark::native {
namespace {

std::uint64_t involuntary_switches() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return static_cast<std::uint64_t>(usage.ru_nivcsw);
}

std::optional<std::uint64_t> migrations() {
  const auto sched = read_file("/proc/thread-self/sched", 1 << 16);
  if (!sched) return std::nullopt;
  const auto key = sched->find("se.nr_migrations");
  if (key == std::string::npos) return std::nullopt;
  const auto colon = sched->find(':', key);
  if (colon == std::string::npos) return std::nullopt;
  return std::strtoull(sched->c_str() + colon + 1, nullptr, 10);
}

std::string plural(std::uint64_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : thing.ends_with("h") ? "es" : "s");
}

}  // namespace

const PinProbe& host_pin_probe() {
  static constexpr PinProbe probe{::sched_getcpu, involuntary_switches, migrations};
  return probe;
}

std::string PinEvidence::violation() const {
  std::string what;
  const auto add = [&](const std::string& text) { what += (what.empty() ? "" : ", ") + text; };
  if (strayed_to >= 0) add("found on cpu " + std::to_string(strayed_to));
  if (migrations > 0) add(plural(migrations, "migration"));
  if (involuntary_switches > 0) add(plural(involuntary_switches, "involuntary context switch"));
  return what.empty() ? what : "cpu " + std::to_string(pinned_to) + ": " + what;
}

}  // namespace hitmark::native
