#include "harness/simulator/sim_readings.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>

#include "kernels/workload.hpp"

namespace hitmark::simulator {
namespace {

enum Event : std::size_t {
  kLoads,
  kStores,
  kLocks,
  kLclL2,
  kLclCache,
  kLclDram,
  kRmtCache,
  kRmtDram,
  kChangeToX,
  kL3Miss,
  kSmt,
  kCcxClean,
  kCcxDirty,
  kSameQuadrant,
  kCrossQuadrant,
  kCrossSocket,
  kFromModified,
  kFromOwned,
  kFromClean,
  kInvalidations,
  kTakeovers,
  kTrueSharing,
  kFalseSharing,
  kNoConflict,
  kHitmTrue,
  kHitmIbs,
  kL1Hits,
  kStall,
};

constexpr std::array<SimEventName, kSimEvents> kNames = {{
    {"loads", "count", true},
    {"stores", "count", true},
    {"locks", "count", true},
    {"fills.lcl_l2", "count", false},
    {"fills.lcl_cache", "count", false},
    {"fills.lcl_dram", "count", false},
    {"fills.rmt_cache", "count", false},
    {"fills.rmt_dram", "count", false},
    {"l2.change_to_x", "count", true},
    {"l3.miss", "count", false},
    {"transfers.smt", "count", true},
    {"transfers.ccx.clean", "count", true},
    {"transfers.ccx.dirty", "count", true},
    {"transfers.same_quadrant", "count", true},
    {"transfers.cross_quadrant", "count", true},
    {"transfers.cross_socket", "count", true},
    {"transfers.from_modified", "count", true},
    {"transfers.from_owned", "count", true},
    {"transfers.from_clean", "count", true},
    {"invalidations", "count", true},
    {"takeovers", "count", true},
    {"sharing.true", "count", true},
    {"sharing.false", "count", true},
    {"sharing.none", "count", true},
    {"hitm.true", "count", true},
    {"hitm.ibs", "count", true},
    {"l1.hits", "count", false},
    {"stall", "cycles", true},
}};

// What passed between CPUs.
double contention(const EventCounts& counts) {
  return std::accumulate(counts.begin() + kSmt, counts.begin() + kCrossSocket + 1, 0.0) + counts[kInvalidations] +
         counts[kChangeToX];
}

std::string starred(const std::string& name) {
  const auto bracket = name.find('[');
  std::string text = name.substr(0, bracket);
  if (bracket == std::string::npos) return text;
  bool in_number = false;
  for (const char c : name.substr(bracket)) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (!digit) text += c;
    if (digit && !in_number) text += '*';
    in_number = digit;
  }
  return text;
}

}  // namespace

const std::array<SimEventName, kSimEvents>& sim_event_names() { return kNames; }

EventCounts counts_of(const Traffic& t, double ghz) {
  const auto count = [](std::uint64_t value) { return static_cast<double>(value); };
  const double through_home = count(t.quadrant + t.cross_quadrant + t.cross_socket);
  EventCounts counts{};
  counts[kLoads] = count(t.loads);
  counts[kStores] = count(t.stores);
  counts[kLocks] = count(t.locked);
  counts[kLclL2] = count(t.l2);
  counts[kLclCache] = count(t.fill_lcl_cache);
  counts[kLclDram] = count(t.dram_local);
  counts[kRmtCache] = count(t.fill_rmt_cache);
  counts[kRmtDram] = count(t.dram_remote);
  counts[kChangeToX] = count(t.upgrades);
  counts[kL3Miss] = through_home + count(t.dram_local + t.dram_remote);
  counts[kSmt] = count(t.smt);
  counts[kCcxClean] = count(t.ccx_clean);
  counts[kCcxDirty] = count(t.ccx_dirty);
  counts[kSameQuadrant] = count(t.quadrant);
  counts[kCrossQuadrant] = count(t.cross_quadrant);
  counts[kCrossSocket] = count(t.cross_socket);
  counts[kFromModified] = count(t.from_modified);
  counts[kFromOwned] = count(t.from_owned);
  counts[kFromClean] = count(t.from_clean);
  counts[kInvalidations] = count(t.invalidations_suffered);
  counts[kTrueSharing] = count(t.true_sharing);
  counts[kFalseSharing] = count(t.false_sharing);
  counts[kNoConflict] = count(t.no_conflict);
  counts[kTakeovers] = count(t.takeovers);
  counts[kHitmTrue] = count(t.hitm_true);
  counts[kHitmIbs] = count(t.hitm_ibs);
  counts[kL1Hits] = count(t.l1);
  counts[kStall] = count(t.stall) * ghz / 1000;
  return counts;
}

std::map<std::string, std::string> display_names(const std::vector<ArenaObject>& objects) {
  constexpr std::size_t kMost = 8;
  std::map<std::string_view, std::size_t> of_base;
  for (const ArenaObject& object : objects) ++of_base[base_name(object.name)];
  std::map<std::string, std::string> names;
  for (const ArenaObject& object : objects)
    names[object.name] = of_base[base_name(object.name)] > kMost ? starred(object.name) : object.name;
  return names;
}

TrafficTally::TrafficTally(const MachineModel& machine, const SimArena& arena, Find find, FieldNames fields)
    : ghz_(machine.core.ghz),
      find_(std::move(find)),
      fields_(std::move(fields)),
      display_(display_names(arena.objects())) {}

const TrafficTally::Key& TrafficTally::key_of(std::uint64_t offset, unsigned size) {
  const auto known = keys_.find({offset, size});
  if (known != keys_.end()) return known->second;
  const SimArena::Place place = find_(offset);
  Key key{place.object, ""};
  if (const auto shown = display_.find(place.object); shown != display_.end()) key.first = shown->second;
  if (!place.type.empty()) {
    if (fields_) key.second = fields_(place.type, place.in_object, size);
    if (key.second.empty()) key.second = "+" + std::to_string(place.in_object);
  }
  return keys_[{offset, size}] = std::move(key);
}

void TrafficTally::add(const std::vector<Engine::Row>& rows, double weight) {
  for (const Engine::Row& row : rows) {
    const EventCounts more = counts_of(row.traffic, ghz_);
    EventCounts& counts = counts_[key_of(row.offset, row.size)];
    for (std::size_t i = 0; i < kSimEvents; ++i) counts[i] += weight * more[i];
  }
}

void TrafficTally::add(const TrafficTally& other, double weight) {
  for (const auto& [key, more] : other.counts_) {
    EventCounts& counts = counts_[key];
    for (std::size_t i = 0; i < kSimEvents; ++i) counts[i] += weight * more[i];
  }
}

void TrafficTally::clear() { counts_.clear(); }

std::vector<Reading> TrafficTally::readings(int arm) const {
  constexpr double kWorthTelling = 0.01;  // of the arm's stall cycles, or of what passed between its CPUs
  EventCounts total{};
  for (const auto& [key, counts] : counts_)
    for (std::size_t i = 0; i < kSimEvents; ++i) total[i] += counts[i];
  std::vector<Reading> readings;
  const auto add_reading = [&](std::size_t event, const Key& key, double value) {
    Reading reading;
    reading.event = kNames[event].name;
    reading.source = "simulator";
    reading.unit = kNames[event].unit;
    reading.arm = arm;
    reading.object = key.first;
    reading.field = key.second;
    reading.value = value;
    reading.quality = Quality::kModelled;
    readings.push_back(std::move(reading));
  };
  for (std::size_t i = 0; i < kSimEvents; ++i) add_reading(i, {}, total[i]);
  for (const auto& [key, counts] : counts_) {
    if (key.first.empty()) continue;
    if (contention(counts) <= kWorthTelling * contention(total) && counts[kStall] <= kWorthTelling * total[kStall])
      continue;
    for (std::size_t i = 0; i < kSimEvents; ++i)
      if (kNames[i].by_field && counts[i] != 0) add_reading(i, key, counts[i]);
  }
  return readings;
}

}  // namespace hitmark::simulator
