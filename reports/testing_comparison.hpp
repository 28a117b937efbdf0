// Comparisons that the approved outputs are made from: fixed figures, every branch of the formats.
#pragma once

#include <cmath>
#include <string>

#include "analysis/comparison.hpp"

namespace hitmark::testing_comparison {

inline Estimate around(double value, double half) { return {value, value - half, value + half}; }

inline Contrast contrast(std::string arm, double ratio, double half, Verdict verdict, std::string why) {
  Contrast made;
  made.arm = std::move(arm);
  made.baseline = "percall7";
  made.differing_aspects = {"slots", "statistics"};
  made.ratio = around(ratio, half);
  made.raw_ratio = around(1 + (ratio - 1) * 0.8, half);
  made.baseline_cost = around(36.9, 0.2);
  made.arm_cost = around(36.9 * ratio, 0.2);
  made.raw_baseline_cost = around(41.0, 0.2);
  made.raw_arm_cost = around(4.1 + 36.9 * ratio, 0.2);
  made.p_value = verdict == Verdict::kUndecided ? 0.12 : 1e-6;
  made.verdict = verdict;
  made.why = std::move(why);
  made.invocations = 8;
  return made;
}

inline Reading reading(std::string event, std::optional<double> value, int cpu, int arm) {
  Reading made{std::move(event), "papi", "count", cpu, arm, "", "", value, Quality::kExact, "", ""};
  if (!value) {
    made.quality = Quality::kUnavailable;
    made.reason = "the kernel offers no hardware counters here (a guest without a PMU)";
    made.hint = "run on the host, or give the guest a PMU";
  }
  return made;
}

inline RunRecord run(const std::string& machine) {
  RunRecord made;
  made.run_id = "20260102-030405-0001";
  made.started = "2026-01-02T03:04:05Z";
  made.family = "sock-charge";
  made.machine = machine;
  made.seed = 18446744073709551615u;
  made.status = "complete";
  made.ticks_per_second = 2.25e9;
  made.invocations = 8;
  made.blocks = 40;
  made.wall_seconds = 61.4;
  made.arms = {{"percall7", ArmRole::kBaseline, "percall7", {{"slots", "7"}, {"statistics", "per call"}}},
               {"packed6", ArmRole::kVariant, "packed6", {{"slots", "6"}, {"statistics", "batched"}}},
               {"separate-line", ArmRole::kVariant, "separate-line", {{"slots", "7"}, {"statistics", "batched"}}},
               {"null:same", ArmRole::kNullSame, "percall7", {}},
               {"null:copy", ArmRole::kNullCopy, "percall7", {}},
               {"empty", ArmRole::kEmpty, "", {}}};
  made.environment = {{"cpu", "AMD EPYC 7B12"},
                      {"microcode", "0x830107a"},
                      {"kernel", "6.18.1"},
                      {"governor", "performance"},
                      {"boost", "on"}};
  made.warnings = {"frequency boost is on: costs in ticks change with the temperature"};
  made.readings = {reading("fills.rmt_cache", std::nullopt, -1, -1), reading("fills.lcl_cache", std::nullopt, -1, -1)};
  made.conditions = {{"same-ccx@home:local paired refill=drain",
                      "same-ccx@home:local",
                      "same-ccx",
                      "node 0 (local)",
                      {2, 3},
                      {{"memcgs", "1"}, {"depth", "2"}, {"refill", "drain"}},
                      {{"pinning", "verified"}}},
                     {"cross-socket@home:remote split refill=watermark:32 memcgs=8 pressure=256",
                      "cross-socket@home:remote",
                      "cross-socket",
                      "node 1 (remote)",
                      {0, 64},
                      {{"memcgs", "8"}, {"refill", "watermark:32"}},
                      {}},
                     {"single", "single", "single", "node 0 (local)", {0}, {}, {}}};
  return made;
}

// What a simulated machine tells of two arms, in all and by field.
inline void add_contention(ConditionComparison& condition) {
  const auto add = [&](int arm, std::string object, std::string field, std::string event, double value) {
    condition.readings.push_back({std::move(event), "simulator", "count", -1, arm, std::move(object), std::move(field),
                                  value, Quality::kModelled, "", ""});
  };
  for (const int arm : {0, 1, 3}) {
    add(arm, "", "", "operations", 200'000);
    add(arm, "", "", "loads", 4e6);
  }
  for (const int arm : {0, 3}) {
    for (const char* place : {"", "vmstats[g0.m0]"}) {
      const std::string field = *place ? "stats_updates" : "";
      add(arm, place, field, "stall", *place ? 900'000 : 1'000'000);
      add(arm, place, field, "transfers.cross_quadrant", 1500.5);
      add(arm, place, field, "transfers.ccx.dirty", 500);
      add(arm, place, field, "invalidations", 1900);
      add(arm, place, field, "hitm.true", 1200);
      add(arm, place, field, "hitm.ibs", 300);
      add(arm, place, field, "sharing.true", 2000);
    }
    // By CPU: the same once more.
    condition.readings.push_back({"stall", "simulator", "cycles", 3, arm, "", "", 600'000, Quality::kModelled, "", ""});
    add(arm, "globals", "", "stall", 50'000);
    add(arm, "memcg_stock", "nr_pages[0]", "transfers.ccx.dirty", 0.5);
  }
}

inline RunComparison comparison(const std::string& machine = "native") {
  RunComparison made{run(machine), "packed6", CostBasis::kNet, {}};
  ConditionComparison first;
  first.condition = made.run.conditions[0];
  first.noise_floor = std::log(1.008);
  first.null_same = around(1.001, 0.003), first.null_copy = around(1.004, 0.004);
  first.empty_cost = around(4.1, 0.01);
  first.contrasts = {contrast("packed6", 0.658, 0.011, Verdict::kBetter, ""),
                     contrast("separate-line", 1.072, 0.009, Verdict::kWorse, "")};
  first.shares = {{"slots 7 -> 6", "percall7", "percall6", around(0.99, 0.004), 0.024},
                  {"statistics batched in the stock line", "percall6", "packed6-outline", around(0.70, 0.006), 0.852},
                  {"inlining", "packed6-outline", "packed6", around(0.949, 0.004), 0.124}};
  first.blocks_used = 318, first.blocks_discarded = 2, first.invocations = 8;
  first.discard_reasons = {"cpu 3: 2 migrations (2 blocks)"};
  first.phases = {"percall7, null:same: saturated 97 %, accumulating 3 % of slices"};
  first.readings = {reading("page-faults", 0, -1, -1), reading("context-switches", 12, 2, -1),
                    reading("context-switches", 1234567, 3, -1), reading("fills.rmt_cache", std::nullopt, 2, 0)};
  first.cpu_costs = {{"percall7", 2, 36.1}, {"percall7", 3, 46.3}, {"packed6", 2, 28.1}, {"packed6", 3, 28.3}};
  ConditionComparison second;
  second.condition = made.run.conditions[1];
  second.noise_floor = std::log(1.021);
  second.null_same = around(0.998, 0.01), second.null_copy = around(1.009, 0.012);
  second.contrasts = {
      contrast(
          "packed6", 0.986, 0.02, Verdict::kUndecided,
          "the interval -3.4 % to +0.6 % is neither beyond the noise floor (2.1 %) nor within 2.1 %; about 11 more "
          "invocations would decide (--invocations)"),
      contrast("separate-line", 1.001, 0.005, Verdict::kEquivalent,
               "the interval -0.4 % to +0.6 % lies within 2.1 % either way, this run's noise floor")};
  second.shares_note = "no shares: the total of percall7 to packed6 is not beyond the noise floor";
  second.blocks_used = 320, second.invocations = 8;
  ConditionComparison third;
  third.condition = made.run.conditions[2];
  for (const char* arm : {"packed6", "separate-line"}) {
    Contrast none;
    none.arm = arm, none.baseline = "percall7";
    none.why = "no usable block has both arms";
    third.contrasts.push_back(none);
  }
  third.blocks_discarded = 320;
  third.discard_reasons = {"cpu 0 is offline (320 blocks)"};
  made.conditions = {first, second, third};
  if (machine != "native") {
    for (auto& condition : made.conditions)
      for (Reading& modelled : condition.readings)
        if (modelled.value) modelled.quality = Quality::kModelled, modelled.source = "simulator";
    add_contention(made.conditions[0]);
  }
  return made;
}

// An interrupted run in which nothing was measured yet, on a clock of unknown rate.
inline RunComparison nothing() {
  RunComparison made{run("native"), "", CostBasis::kRaw, {}};
  made.run.status = "interrupted";
  made.run.ticks_per_second = 0;
  made.run.arms.resize(1);
  made.run.conditions.clear();
  made.run.environment.clear();
  made.run.readings.clear();
  return made;
}

}  // namespace hitmark::testing_comparison
