// Records that tests fill stores and comparisons with: every field set, every value different.
#pragma once

#include <string>

#include "harness/results/sample.hpp"

namespace hitmark::testing_records {

inline Reading reading(std::string event, std::optional<double> value) {
  Reading made{std::move(event), "papi", "count", 3, 1, "", "", value, Quality::kExact, "", ""};
  if (!value) {
    made.quality = Quality::kUnavailable;
    made.reason = "perf_event_paranoid is 4";
    made.hint = "sysctl kernel.perf_event_paranoid=1";
  }
  return made;
}

// As a simulated machine tells it.
inline Reading reading_of_field(std::string object, std::string field) {
  return {"invalidations",    "simulator", "count", -1, 1, std::move(object), std::move(field), 12.5,
          Quality::kModelled, "",          ""};
}

inline RunRecord run(const std::string& run_id = "run-1") {
  RunRecord made;
  made.run_id = run_id;
  made.started = "2026-01-02T03:04:05Z";
  made.family = "sock-charge";
  made.machine = "native";
  made.seed = 0xfedcba9876543210u;  // above 2^63
  made.status = "running";
  made.ticks_per_second = 2.5e9;
  made.invocations = 8;
  made.blocks = 40;
  made.arms = {{"percall7", ArmRole::kBaseline, "percall7", {{"slots", "7"}, {"statistics", "per call"}}},
               {"packed6", ArmRole::kVariant, "packed6", {{"slots", "6"}, {"statistics", "batched"}}},
               {"null:same", ArmRole::kNullSame, "percall7", {{"slots", "7"}, {"statistics", "per call"}}},
               {"null:copy", ArmRole::kNullCopy, "percall7", {{"slots", "7"}, {"statistics", "per call"}}},
               {"empty", ArmRole::kEmpty, "", {}}};
  made.conditions = {
      {"single paired", "single", "single", "node 0 (local)", {3}, {{"memcgs", "1"}, {"depth", "2"}}, {{"pin", "ok"}}},
      {"same-ccx split", "same-ccx@home:0", "same-ccx", "node 0", {2, 3}, {{"memcgs", "4"}}, {}}};
  made.environment = {{"cpu", "AMD EPYC 7B12"}, {"kernel", "6.18.1"}};
  made.warnings = {"frequency boost is on"};
  made.readings = {reading("fills.rmt_cache", std::nullopt), reading("page-faults", 0.0)};
  return made;
}

inline BlockRecord block(int condition, int invocation, int number, int arms = 5) {
  BlockRecord made{condition, invocation, number, 77u + static_cast<unsigned>(number), "", {}, {}};
  for (int position = 0; position < 2 * arms; ++position) {
    const int arm = position < arms ? position : 2 * arms - 1 - position;
    const auto unique = static_cast<std::uint64_t>(1000 * number + position);
    made.slices.push_back({arm, position, 3, 10'000 + unique, 400'000 + unique, 160'000 + unique, 5 * unique, 2});
  }
  made.readings = {reading("page-faults", 0.0), reading("context-switches", std::nullopt)};
  return made;
}

}  // namespace hitmark::testing_records
