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
  kRdBlkL,
  kRdBlkX,
  kChangeToX,
  kL2FillWait,
  kL3Miss,
  kL3FillLatency,
  kDtlbL2Hits,
  kDtlbWalks,
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
  kRecalls,
  kTakeovers,
  kTrueSharing,
  kFalseSharing,
  kNoConflict,
  kHitmTrue,
  kHitmIbs,
  kHitmCcx,
  kHitmHomeLocal,
  kHitmHomeRemote,
  kHitmCrossSocket,
  kL1Hits,
  kStall,
};

const int kAllCpus = Reading{}.cpu;

constexpr std::array<SimEventName, kSimEvents> kNames = {{
    {"loads", "count"},
    {"stores", "count"},
    {"locks", "count"},
    {"fills.lcl_l2", "count"},
    {"fills.lcl_cache", "count"},
    {"fills.lcl_dram", "count"},
    {"fills.rmt_cache", "count"},
    {"fills.rmt_dram", "count"},
    {"l2.rd_blk_l", "count"},
    {"l2.rd_blk_x", "count"},
    {"l2.change_to_x", "count"},
    {"l2.fill_wait", "cycles"},
    {"l3.miss", "count"},
    {"l3.fill_latency", "cycles"},
    {"dtlb.l2_hits", "count"},
    {"dtlb.walks", "count"},
    {"transfers.smt", "count"},
    {"transfers.ccx.clean", "count"},
    {"transfers.ccx.dirty", "count"},
    {"transfers.same_quadrant", "count"},
    {"transfers.cross_quadrant", "count"},
    {"transfers.cross_socket", "count"},
    {"transfers.from_modified", "count"},
    {"transfers.from_owned", "count"},
    {"transfers.from_clean", "count"},
    {"invalidations", "count"},
    {"recalls", "count"},
    {"takeovers", "count"},
    {"sharing.true", "count"},
    {"sharing.false", "count"},
    {"sharing.none", "count"},
    {"hitm.true", "count"},
    {"hitm.ibs", "count"},
    {"hitm.ccx", "count"},
    {"hitm.home_local", "count"},
    {"hitm.home_remote", "count"},
    {"hitm.cross_socket", "count"},
    {"l1.hits", "count"},
    {"stall", "cycles"},
}};

// What passed between CPUs.
double contention(const EventCounts& counts) {
  return std::accumulate(counts.begin() + kSmt, counts.begin() + kCrossSocket + 1, 0.0) + counts[kInvalidations] +
         counts[kChangeToX];
}

void add_to(EventCounts& counts, const EventCounts& more, double weight) {
  for (std::size_t i = 0; i < kSimEvents; ++i) counts[i] += weight * more[i];
}

EventCounts sum_of(const std::vector<EventCounts>& by_cpu) {
  EventCounts sum{};
  for (const EventCounts& counts : by_cpu) add_to(sum, counts, 1);
  return sum;
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
  const auto cycles = [ghz](Picoseconds time) { return static_cast<double>(time) * ghz / 1000; };
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
  counts[kRdBlkL] = count(t.rd_blk_l);
  counts[kRdBlkX] = count(t.rd_blk_x);
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
  counts[kStall] = cycles(t.stall);
  counts[kL2FillWait] = cycles(t.l2_miss_time);
  counts[kL3FillLatency] = cycles(t.l3_miss_time);
  counts[kDtlbL2Hits] = count(t.dtlb_l2_hits);
  counts[kDtlbWalks] = count(t.dtlb_walks);
  counts[kRecalls] = count(t.recalls_suffered);
  counts[kHitmCcx] = count(t.hitm_ccx);
  counts[kHitmHomeLocal] = count(t.hitm_home_local);
  counts[kHitmHomeRemote] = count(t.hitm_home_remote);
  counts[kHitmCrossSocket] = count(t.hitm_cross_socket);
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
      display_(display_names(arena.objects())),
      cpus_(arena.os_cpus()) {}

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

std::vector<EventCounts>& TrafficTally::counts(const Key& key) {
  std::vector<EventCounts>& counts = counts_[key];
  counts.resize(cpus_.size() <= kMostCpusTold ? cpus_.size() : 1);
  return counts;
}

void TrafficTally::add(const std::vector<Engine::Row>& rows, double weight) {
  for (const Engine::Row& row : rows) {
    const EventCounts more = counts_of(row.traffic, ghz_);
    std::vector<EventCounts>& by_cpu = counts(key_of(row.offset, row.size));
    add_to(by_cpu[by_cpu.size() > 1 ? row.cpu : 0], more, weight);
  }
}

void TrafficTally::add(const TrafficTally& other, double weight) {
  for (const auto& [key, more] : other.counts_) {
    std::vector<EventCounts>& by_cpu = counts(key);
    for (std::size_t cpu = 0; cpu < more.size(); ++cpu) add_to(by_cpu[cpu], more[cpu], weight);
  }
}

void TrafficTally::clear() { counts_.clear(); }

std::vector<Reading> TrafficTally::readings(int arm) const {
  constexpr double kWorthTelling = 0.01;  // of the arm's stall cycles, or of what passed between its CPUs
  std::vector<Reading> readings;
  const auto add_readings = [&](const Key& key, const EventCounts& counts, int cpu, bool zeros) {
    for (std::size_t event = 0; event < kSimEvents; ++event) {
      if (counts[event] == 0 && !zeros) continue;
      Reading reading;
      reading.event = kNames[event].name;
      reading.source = "simulator";
      reading.unit = kNames[event].unit;
      reading.cpu = cpu;
      reading.arm = arm;
      reading.object = key.first;
      reading.field = key.second;
      reading.value = counts[event];
      reading.quality = Quality::kModelled;
      readings.push_back(std::move(reading));
    }
  };
  const auto add_all = [&](const Key& key, const std::vector<EventCounts>& by_cpu) {
    add_readings(key, sum_of(by_cpu), kAllCpus, key.first.empty());
    for (std::size_t cpu = 0; by_cpu.size() > 1 && cpu < by_cpu.size(); ++cpu)
      add_readings(key, by_cpu[cpu], static_cast<int>(cpus_[cpu]), false);
  };
  std::vector<EventCounts> total(1);
  for (const auto& [key, by_cpu] : counts_) {
    total.resize(by_cpu.size());
    for (std::size_t cpu = 0; cpu < by_cpu.size(); ++cpu) add_to(total[cpu], by_cpu[cpu], 1);
  }
  add_all({}, total);
  const EventCounts all = sum_of(total);
  for (const auto& [key, by_cpu] : counts_) {
    if (key.first.empty()) continue;
    const EventCounts sum = sum_of(by_cpu);
    if (contention(sum) <= kWorthTelling * contention(all) && sum[kStall] <= kWorthTelling * all[kStall]) continue;
    add_all(key, by_cpu);
  }
  return readings;
}

}  // namespace hitmark::simulator
