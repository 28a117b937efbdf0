// One table row per parameter: its name, its meaning, how it is read and how it is written.
#include "harness/workload_text.hpp"

#include <charconv>
#include <limits>

#include "support/nearest.hpp"

namespace hitmark {
namespace {

constexpr std::string_view kHomePrefix = "home.";
constexpr std::string_view kGroups = "groups";  // comes from the placement: stored, but not offered to --set
constexpr int kMaxNode = 1023;                  // MAX_NUMNODES - 1 of a large x86-64 kernel

Error bad_value(std::string_view name, std::string_view value, const std::string& allowed) {
  return {ErrorKind::kUsage,
          "'" + std::string(value) + "' is no value of " + std::string(name) + ": it takes " + allowed,
          "hitmark list parameters"};
}

Result<std::uint64_t> number(std::string_view name, std::string_view text, std::uint64_t low, std::uint64_t high) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < low || value > high)
    return bad_value(name, text, "a whole number from " + std::to_string(low) + " to " + std::to_string(high));
  return value;
}

struct Entry {
  std::string_view name, meaning;
  Result<void> (*set)(Workload&, std::string_view name, std::string_view value);
  std::string (*text)(const Workload&);
};

// A whole number in a member of any unsigned type.
template <auto member, std::uint64_t low, std::uint64_t high>
Entry whole(std::string_view name, std::string_view meaning) {
  return {name, meaning,
          [](Workload& workload, std::string_view parameter, std::string_view value) -> Result<void> {
            const auto read = number(parameter, value, low, high);
            if (!read) return read.error();
            auto& target = workload.*member;
            target = static_cast<std::remove_reference_t<decltype(target)>>(*read);
            return {};
          },
          [](const Workload& workload) { return std::to_string(workload.*member); }};
}

Result<void> set_mode(Workload& workload, std::string_view name, std::string_view value) {
  if (value != "paired" && value != "split") return bad_value(name, value, "paired or split");
  workload.split = value == "split";
  return {};
}

Result<void> set_refill(Workload& workload, std::string_view name, std::string_view value) {
  constexpr std::string_view kWatermark = "watermark:";
  if (value == "drain") {
    workload.refill = RefillRule{};
    return {};
  }
  const std::string allowed = "drain or watermark:LOW, LOW from 0 to " + std::to_string(RefillRule{}.high) + " pages";
  if (!value.starts_with(kWatermark)) return bad_value(name, value, allowed);
  const auto low = number(name, value.substr(kWatermark.size()), 0, RefillRule{}.high);
  if (!low) return bad_value(name, value, allowed);
  workload.refill.kind = RefillRule::Kind::kWatermark;
  workload.refill.low = static_cast<unsigned>(*low);
  return {};
}

std::string refill_text(const Workload& workload) {
  if (workload.refill.kind == RefillRule::Kind::kDrain) return "drain";
  return "watermark:" + std::to_string(workload.refill.low);
}

constexpr std::uint64_t kMaxPeriod = 1'000'000'000'000;

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
      whole<&Workload::groups, 1, 8192>(kGroups, "groups of CPUs with memcgs of their own; from the placement"),
      whole<&Workload::memcgs, 1, 1024>("memcgs", "memcgs that a CPU uses in turn, one per operation"),
      whole<&Workload::depth, 1, 16>("depth", "levels of the cgroup hierarchy below the root"),
      whole<&Workload::pages, 1, 1024>("pages", "pages per charge and per uncharge"),
      {"mode", "paired: each CPU charges and uncharges; split: even CPUs charge, odd CPUs uncharge", set_mode,
       [](const Workload& w) { return std::string(w.split ? "split" : "paired"); }},
      {"refill", "what a refill beyond 64 pages does: drain, or watermark:LOW (pages that stay)", set_refill,
       refill_text},
      whole<&Workload::batch, 0, std::uint64_t{1} << 20>(
          "batch", "updates or pages that a CPU keeps to itself; 0: the family's own; sock-charge: always 64"),
      whole<&Workload::protected_pages, 0, std::uint64_t{1} << 51>(
          "protected-pages", "memory.min and memory.low of every memcg below the root, pages; 0: none"),
      whole<&Workload::online_cpus, 0, 8192>("online-cpus",
                                             "CPUs of the flush threshold (64 x CPUs); 0: those of the placement"),
      whole<&Workload::limit_pages, 0, std::uint64_t{1} << 51>("limit-pages",
                                                               "memory.max of every memcg, pages; 0: none"),
      whole<&Workload::flush_period, 0, kMaxPeriod>("flush-period",
                                                    "operations of one CPU between two flushes; 0: never"),
      whole<&Workload::drain_period, 0, kMaxPeriod>("drain-period",
                                                    "operations of one CPU between two drains of all CPUs; 0: never"),
      whole<&Workload::read_period, 0, kMaxPeriod>(
          "read-period", "statistics readers: operations of one CPU between two reads of memory.stat; 0: never"),
      whole<&Workload::pressure_kib, 0, std::uint64_t{1} << 20>(
          "pressure", "cache pressure: KiB of private data touched between two operations"),
  };
  return all;
}

Result<void> set_home(Workload& workload, std::string_view name, std::string_view value) {
  const std::string_view object = name.substr(kHomePrefix.size());
  if (object.empty())
    return Error{ErrorKind::kUsage, "home. wants the name of a shared object", "--set home.vmstats=1"};
  const auto node = number(name, value, 0, kMaxNode);
  if (!node) return node.error();
  workload.homes[std::string(object)] = static_cast<int>(*node);
  return {};
}

}  // namespace

const std::vector<WorkloadParameter>& workload_parameters() {
  static const std::vector<WorkloadParameter> parameters = [] {
    std::vector<WorkloadParameter> all;
    for (const Entry& entry : entries())
      if (entry.name != kGroups) all.push_back({std::string(entry.name), std::string(entry.meaning)});
    all.push_back({"home.NAME",
                   "NUMA node of the shared objects NAME (vmstats, or one of them: vmstats[g0.l1]), instead of the "
                   "placement's home"});
    return all;
  }();
  return parameters;
}

Result<void> set_parameter(Workload& workload, std::string_view name, std::string_view value) {
  if (name.starts_with(kHomePrefix)) return set_home(workload, name, value);
  for (const Entry& entry : entries())
    if (entry.name == name) return entry.set(workload, name, value);
  std::vector<std::string> known;
  for (const WorkloadParameter& parameter : workload_parameters()) known.push_back(parameter.name);
  return Error{ErrorKind::kUsage,
               "there is no workload parameter '" + std::string(name) + "'" + did_you_mean(name, known),
               "hitmark list parameters"};
}

NameValues to_name_values(const Workload& workload) {
  NameValues values;
  for (const Entry& entry : entries()) values.emplace_back(std::string(entry.name), entry.text(workload));
  for (const auto& [object, node] : workload.homes)
    values.emplace_back(std::string(kHomePrefix) + object, std::to_string(node));
  return values;
}

}  // namespace hitmark
