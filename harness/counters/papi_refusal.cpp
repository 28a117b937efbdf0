// Codes are those of papi.h, written out because this file is compiled without PAPI too.
#include "harness/counters/papi_refusal.hpp"

#include <cerrno>

#include "harness/counters/event_names.hpp"

namespace hitmark {
namespace {

constexpr int kNoEvent = -7, kConflict = -8, kPermission = -15, kNotSupported = -18, kTooMany = -23;

// What to do when this PAPI cannot count it: for an event of the kernel's there is always another way.
std::string other_way(std::string_view event, const Access& access) {
  if (is_software_event(event)) return "--counters perf, which asks the kernel directly";
  if (!access.cpu_pmu) return no_cpu_pmu(access).hint;
  return "--counters perf, or a PAPI that knows this CPU (Zen 4: 7.1, Zen 5: 7.2)";
}

bool is_of_zen2(std::string_view spelling) { return spelling.find("zen2::") != std::string_view::npos; }

}  // namespace

Refusal papi_refusal(PapiStage stage, int code, std::string_view text, std::string_view event,
                     std::string_view spelling, const std::string& version, const Access& access) {
  const std::string said = "PAPI " + std::to_string(code) + ", " + std::string(text);
  const std::string what(spelling);
  const EventName* known = find_event(event);
  if (code == kPermission) return perf_refusal(EACCES, event, known && known->in_kernel, access);
  switch (stage) {
    case PapiStage::kInitialise:
      return {"PAPI " + version + " does not start (" + said + ")", "papi_component_avail"};
    case PapiStage::kComponent: {
      if (access.paranoid >= 3 && !access.cap_perfmon)
        return perf_refusal(EACCES, event, known && known->in_kernel, access);
      const bool unknown_cpu = text.find("no default PMU") != std::string_view::npos;
      return {
          "PAPI " + version + " has switched its perf_event component off: " +
              (unknown_cpu ? "its libpfm4 does not know this CPU (" + access.cpu + ")" : "'" + std::string(text) + "'"),
          other_way(event, access)};
    }
    case PapiStage::kLookUp:
      if (is_of_zen2(spelling) && (code == kNoEvent || code == kNotSupported))
        return {what + " is an event of Zen 2 (family 23), and this CPU is " + access.cpu,
                access.cpu_pmu ? "run on a Zen 2 host" : no_cpu_pmu(access).hint};
      return {"PAPI " + version + " has no event '" + what + "' on this CPU (" + said + ")", "papi_native_avail"};
    case PapiStage::kAdd:
      if (code == kNoEvent && !access.cpu_pmu)
        return {"PAPI lists " + what + " but the kernel cannot count it here (" + said +
                    "); PAPI's list comes from CPUID, not from the hardware; " + no_cpu_pmu(access).reason,
                other_way(event, access)};
      if (code == kConflict || code == kTooMany)
        return {what + " does not fit the counters beside the others (" + said + ")",
                "ask for fewer events at once, or: sudo sysctl kernel.nmi_watchdog=0"};
      return {"PAPI lists " + what + " but the kernel cannot count it here (" + said +
                  "); PAPI's list comes from CPUID, not from the hardware",
              other_way(event, access)};
    case PapiStage::kStart:
    case PapiStage::kStop:
      return {what + " was added, but " + (stage == PapiStage::kStart ? "does not start" : "gives no count") + " (" +
                  said + (code == kConflict ? "): it does not fit the counters beside the others" : ")"),
              "ask for fewer events at once, or: sudo sysctl kernel.nmi_watchdog=0"};
  }
  return {said, ""};
}

}  // namespace hitmark
