// The table of logical events and spellings. PAPI and likwid spellings are those of libpfm4 4.13 and likwid
// 5.2.2 for Zen 2 (family 17h, model 31h); none of the Zen 2 ones has run on hardware yet.
#include "harness/counters/event_names.hpp"

#include <algorithm>

#include "support/nearest.hpp"

namespace hitmark {
namespace {

constexpr std::string_view kNoPmuNeeded = "any Linux host";
constexpr std::string_view kCorePmu = "a core PMU: bare metal or a guest with a virtual one, perf_event_paranoid <= 2";
constexpr std::string_view kZen2Core = "bare-metal Rome (Zen 2): a core counter, perf_event_paranoid <= 2";

constexpr EventName kEvents[] = {
    {"page-faults", "count", "Page faults of the thread, minor and major.", kNoPmuNeeded, KnownWork::kTouchPages,
     false},
    {"context-switches", "count", "Times the thread was taken off its CPU, whether it blocked or was preempted.",
     kNoPmuNeeded, KnownWork::kBlock, true},
    {"cpu-migrations", "count", "Times the thread was resumed on another CPU.", kNoPmuNeeded, KnownWork::kMigrate,
     true},
    {"task-clock", "ns", "Time the thread was on a CPU.", kNoPmuNeeded, KnownWork::kCpuTime, false},
    {"instructions", "count", "Instructions retired in user mode.", kCorePmu, KnownWork::kLoopInstructions, false},
    {"cycles", "count", "Core cycles, not halted, in user mode.", kCorePmu, KnownWork::kLoopCycles, false},
    {"fills.lcl_cache", "count",
     "L1D demand fills from the L3 or a sibling's L2 of the own CCX, or from another CCX when the line is homed on "
     "this node; does not tell the two apart, nor dirty from clean.",
     kZen2Core, KnownWork::kSharedLine, false},
    {"fills.rmt_cache", "count",
     "L1D demand fills from a cache of another CCX when the line is homed on another node; does not tell which socket "
     "held it, nor dirty from clean.",
     kZen2Core, KnownWork::kSharedLine, false},
    {"l2.change_to_x", "count",
     "L2 requests to make a line writable that is already held: the upgrade half of sharing.", kZen2Core,
     KnownWork::kSharedLine, false},
    {"l3.miss", "count", "Requests that leave the CCX; counted per CCX, not per thread.",
     "bare-metal Rome: the L3 unit of the CCX, /dev/cpu/*/msr and root", KnownWork::kSharedLine, false},
    {"hitm.ibs", "samples",
     "Sampled loads that were served by a modified line of another cache; on Zen 2 from the local node only.",
     "bare-metal Rome: the ibs_op unit, Linux >= 6.1, perf_event_paranoid <= 0", KnownWork::kSharedLine, false},
};

struct Spelling {
  std::string_view event, source, text;
};

// PAPI counts user mode alone unless the name says otherwise, and then context-switches reads 0 without notice.
constexpr Spelling kSpellings[] = {
    {"page-faults", "perf", "PERF_COUNT_SW_PAGE_FAULTS"},
    {"page-faults", "papi", "perf::PAGE-FAULTS"},
    {"context-switches", "perf", "PERF_COUNT_SW_CONTEXT_SWITCHES"},
    {"context-switches", "papi", "perf::CONTEXT-SWITCHES:u=1:k=1"},
    {"cpu-migrations", "perf", "PERF_COUNT_SW_CPU_MIGRATIONS"},
    {"cpu-migrations", "papi", "perf::CPU-MIGRATIONS:u=1:k=1"},
    {"task-clock", "perf", "PERF_COUNT_SW_TASK_CLOCK"},
    {"task-clock", "papi", "perf::TASK-CLOCK"},
    {"instructions", "perf", "PERF_COUNT_HW_INSTRUCTIONS"},
    {"instructions", "papi", "PAPI_TOT_INS"},
    {"instructions", "likwid", "RETIRED_INSTRUCTIONS:PMC0"},
    {"cycles", "perf", "PERF_COUNT_HW_CPU_CYCLES"},
    {"cycles", "papi", "PAPI_TOT_CYC"},
    {"cycles", "likwid", "CPU_CLOCKS_UNHALTED:PMC1"},
    {"fills.lcl_cache", "papi", "amd64_fam17h_zen2::DATA_CACHE_REFILLS_FROM_SYSTEM:LS_MABRESP_LCL_CACHE"},
    {"fills.lcl_cache", "likwid", "DATA_CACHE_REFILLS_LOCAL_CACHE:PMC2"},
    {"fills.rmt_cache", "papi", "amd64_fam17h_zen2::DATA_CACHE_REFILLS_FROM_SYSTEM:LS_MABRESP_RMT_CACHE"},
    {"fills.rmt_cache", "likwid", "DATA_CACHE_REFILLS_REMOTE_CACHE:PMC3"},
    {"l2.change_to_x", "papi", "amd64_fam17h_zen2::REQUESTS_TO_L2_GROUP1:CHANGE_TO_X"},
    {"l2.change_to_x", "likwid", "REQUESTS_TO_L2_GRP1_CHANGE_TO_X:PMC4"},
    {"l3.miss", "likwid", "L3_MISS:CPMC1"},
    {"hitm.ibs", "ibs", "ibs_op"},
};

}  // namespace

std::span<const EventName> event_names() { return kEvents; }

const EventName* find_event(std::string_view name) {
  const auto* at = std::ranges::find(kEvents, name, &EventName::name);
  return at == std::end(kEvents) ? nullptr : at;
}

bool is_software_event(std::string_view name) {
  const EventName* event = find_event(name);
  return event && event->needs == kNoPmuNeeded;
}

bool is_hardware_event(std::string_view name) { return find_event(name) && !is_software_event(name); }

std::string_view spelling_of(std::string_view source, std::string_view event) {
  for (const Spelling& spelling : kSpellings)
    if (spelling.source == source && spelling.event == event) return spelling.text;
  return {};
}

std::vector<std::string> events_of(std::string_view source) {
  std::vector<std::string> names;
  for (const EventName& event : kEvents)
    if (!spelling_of(source, event.name).empty()) names.emplace_back(event.name);
  return names;
}

bool is_native_spelling(std::string_view source, std::string_view event) {
  if (source == "papi") return event.starts_with("PAPI_") || event.find("::") != std::string_view::npos;
  if (source == "likwid") return event.find(':') != std::string_view::npos;
  return false;
}

Result<std::vector<std::string>> parse_events(std::string_view source, std::string_view text) {
  const std::vector<std::string> known = events_of(source);
  std::vector<std::string> events;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(',', from), text.size());
    const std::string name(text.substr(from, to - from));
    from = to + 1;
    if (name.empty())
      return Error{ErrorKind::kUsage,
                   text.empty() ? "the list of events is empty"
                                : "the list of events '" + std::string(text) + "' has an empty name",
                   "--events " + (known.empty() ? std::string("NAME,...") : known.front()) +
                       ", or leave --events out to count nothing"};
    if (std::ranges::find(known, name) == known.end() && !is_native_spelling(source, name)) {
      const EventName* elsewhere = find_event(name);
      return Error{ErrorKind::kUsage,
                   elsewhere ? std::string(source) + " cannot count '" + name + "'; " + name + " needs " +
                                   std::string(elsewhere->needs)
                             : std::string(source) + " has no event '" + name + "'" + did_you_mean(name, known),
                   "hitmark doctor"};
    }
    if (std::ranges::find(events, name) == events.end()) events.push_back(name);
  }
  return events;
}

}  // namespace hitmark
