// The data of a run as it is stored and analysed: plain structs, no behaviour, no third-party type.
//
//   run > condition (placement x workload) > invocation (process) > block (= one trial) > slice
//
// A block runs every arm in random order and then in the mirrored order (A B C C B A), one slice each; a
// slice is some 250 us of one arm. All times of one block are comparable with each other, and with nothing
// else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hitmark {

using NameValues = std::vector<std::pair<std::string, std::string>>;

// How a value came about; shown with it everywhere.
enum class Quality : std::uint8_t { kExact, kScaled, kSampled, kModelled, kUnavailable };

struct Reading {
  std::string event;            // logical name, "page-faults", "fills.rmt_cache"
  std::string source;           // "papi", "likwid", "perf", "simulator", "kernel"
  std::string unit;             // "count" unless said otherwise
  int cpu = -1;                 // OS number; -1: all CPUs of the trial together
  int arm = -1;                 // index into RunRecord::arms; -1: the whole block
  std::string object = {};      // arena object that it is about, "vmstats[g0.m0]"; empty: not told by object
  std::string field = {};       // of the object, "stats_updates"; empty: not told by field
  std::optional<double> value;  // empty exactly when quality is kUnavailable
  Quality quality = Quality::kUnavailable;
  std::string reason;  // why it is unavailable, or what limits it
  std::string hint;    // what to type to change that
};

enum class ArmRole : std::uint8_t {
  kBaseline,
  kVariant,
  kNullSame,  // the baseline's very function again
  kNullCopy,  // the baseline's code at another address
  kEmpty,     // the driver with an operation that does nothing
};

struct ArmRecord {
  std::string name;  // "percall7", "null:same", "null:copy", "empty"
  ArmRole role = ArmRole::kVariant;
  std::string variant;  // "percall7"; empty for the empty arm
  NameValues traits;
};

struct ConditionRecord {
  std::string name;       // unique within the run: "same-ccx@home:local split refill=watermark:32"
  std::string placement;  // as asked for: "same-ccx@home:local"
  std::string relation;   // resolved: "same-ccx"
  std::string home;       // resolved: "node 0 (local)"
  std::vector<int> cpus;  // OS numbers in the order of the arena's CPUs
  NameValues workload;    // every parameter, by name
  NameValues notes;       // warnings and proofs that hold for the whole condition
};

inline constexpr std::string_view kNative = "native";  // the machine that is this host

struct RunRecord {
  std::string run_id;
  std::string started;  // ISO 8601, UTC
  std::string family;
  std::string machine;  // kNative, or a simulated machine's name
  std::uint64_t seed = 0;
  std::string status;           // "running", "complete", "interrupted"
  double ticks_per_second = 0;  // of the clock that slices are timed with
  int invocations = 0;          // planned
  int blocks = 0;               // planned, per condition and invocation
  double wall_seconds = 0;
  std::vector<ArmRecord> arms;  // arms[0] is the baseline
  std::vector<ConditionRecord> conditions;
  NameValues environment;  // the manifest, in display order
  std::vector<std::string> warnings;
  std::vector<Reading> readings;  // that belong to the run as a whole, unavailable ones included
};

inline bool is_simulated(const RunRecord& run) { return run.machine != kNative; }

struct SliceRecord {
  int arm = 0;       // index into RunRecord::arms
  int position = 0;  // in the block, 0-based
  int cpu = 0;       // OS number
  std::uint64_t operations = 0;
  std::uint64_t ticks = 0;        // TSC ticks (simulated: cycles) of the operations alone, events excluded
  std::uint64_t nanoseconds = 0;  // the same by the wall clock
  std::uint64_t event_clock = 0;  // operations that this arm had done on this CPU before the slice
  int phase = 0;                  // kernels' Phase at the end of the slice
};

struct BlockRecord {
  int condition = 0;   // index into RunRecord::conditions
  int invocation = 0;  // 0-based process number
  int block = 0;       // 0-based within condition and invocation
  std::uint64_t seed = 0;
  std::string discarded;  // empty, or why the block must not be used ("cpu 3: 2 migrations")
  std::vector<SliceRecord> slices;
  std::vector<Reading> readings;
};

}  // namespace hitmark
