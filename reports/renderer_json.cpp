// The JSON format; reports/run.schema.json describes every field. What may differ between two runs of a
// deterministic machine sits in run_id, started, environment, wall_seconds and store, and nowhere else.
#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/results/sample_text.hpp"
#include "reports/report.hpp"
#include "reports/wording.hpp"

namespace hitmark {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }
Json number(const std::optional<double>& value) { return value ? number(*value) : Json(); }

Json json_of(const Estimate& estimate, double factor = 1) {
  const auto scaled = [&](const std::optional<double>& value) { return value ? number(*value * factor) : Json(); };
  return {{"value", scaled(estimate.value)}, {"low", scaled(estimate.low)}, {"high", scaled(estimate.high)}};
}

Json json_of(const NameValues& values) {
  Json object = Json::object();
  for (const auto& [name, value] : values) object[name] = value;
  return object;
}

Json json_of(const Reading& reading, const std::vector<ArmRecord>& arms) {
  const bool has_arm = reading.arm >= 0 && static_cast<std::size_t>(reading.arm) < arms.size();
  return {{"event", reading.event},
          {"source", reading.source},
          {"unit", reading.unit},
          {"cpu", reading.cpu < 0 ? Json() : Json(reading.cpu)},
          {"arm", has_arm ? Json(arms[static_cast<std::size_t>(reading.arm)].name) : Json()},
          {"object", reading.object.empty() ? Json() : Json(reading.object)},
          {"field", reading.field.empty() ? Json() : Json(reading.field)},
          {"value", number(reading.value)},
          {"quality", name_of(reading.value ? reading.quality : Quality::kUnavailable)},
          {"reason", reading.reason},
          {"hint", reading.hint}};
}

Json json_of(const std::vector<Reading>& readings, const std::vector<ArmRecord>& arms) {
  Json list = Json::array();
  for (const Reading& reading : readings) list.push_back(json_of(reading, arms));
  return list;
}

Json cost_json(const Estimate& ticks, const RunRecord& run) {
  const CostUnit unit = cost_unit(run);
  return {{"ticks", json_of(ticks)}, {"nanoseconds", json_of(unit.name == "ns" ? ticks : Estimate{}, unit.per_tick)}};
}

Json json_of(const Contrast& contrast, const RunComparison& comparison) {
  const RunRecord& run = comparison.run;
  return {{"arm", contrast.arm},
          {"baseline", contrast.baseline},
          {"primary", contrast.arm == comparison.headline},
          {"differing_aspects", contrast.differing_aspects},
          {"verdict", name_of(contrast.verdict)},
          {"why", contrast.why},
          {"ratio", json_of(contrast.ratio)},
          {"raw_ratio", json_of(contrast.raw_ratio)},
          {"p_value", number(contrast.p_value)},
          {"invocations", contrast.invocations},
          {"baseline_cost", cost_json(contrast.baseline_cost, run)},
          {"arm_cost", cost_json(contrast.arm_cost, run)},
          {"raw_baseline_cost", cost_json(contrast.raw_baseline_cost, run)},
          {"raw_arm_cost", cost_json(contrast.raw_arm_cost, run)}};
}

Json json_of(const ConditionComparison& condition, const RunComparison& comparison) {
  const ConditionRecord& record = condition.condition;
  Json contrasts = Json::array(), shares = Json::array(), cpus = Json::array();
  for (const Contrast& contrast : condition.contrasts) contrasts.push_back(json_of(contrast, comparison));
  for (const ChangeShare& share : condition.shares)
    shares.push_back({{"change", share.change},
                      {"from", share.from},
                      {"to", share.to},
                      {"ratio", json_of(share.ratio)},
                      {"share", number(share.share)}});
  for (const CpuCost& cost : condition.cpu_costs)
    cpus.push_back({{"arm", cost.arm}, {"cpu", cost.cpu}, {"ticks", number(cost.ticks)}});
  return {{"name", record.name},
          {"placement", record.placement},
          {"relation", record.relation},
          {"home", record.home},
          {"cpus", record.cpus},
          {"workload", json_of(record.workload)},
          {"notes", json_of(record.notes)},
          {"invocations", condition.invocations},
          {"blocks_used", condition.blocks_used},
          {"blocks_discarded", condition.blocks_discarded},
          {"discard_reasons", condition.discard_reasons},
          {"noise_floor", condition.noise_floor ? number(std::expm1(*condition.noise_floor)) : Json()},
          {"null_same", json_of(condition.null_same)},
          {"null_copy", json_of(condition.null_copy)},
          {"empty_cost", cost_json(condition.empty_cost, comparison.run)},
          {"contrasts", std::move(contrasts)},
          {"shares", std::move(shares)},
          {"shares_note", condition.shares_note},
          {"phases", condition.phases},
          {"readings", json_of(condition.readings, comparison.run.arms)},
          {"cpu_costs", std::move(cpus)}};
}

std::string render_json(const RunComparison& comparison, const RenderOptions& options) {
  const RunRecord& run = comparison.run;
  Json arms = Json::array(), conditions = Json::array();
  for (const ArmRecord& arm : run.arms)
    arms.push_back(
        {{"name", arm.name}, {"role", name_of(arm.role)}, {"variant", arm.variant}, {"traits", json_of(arm.traits)}});
  for (const ConditionComparison& condition : comparison.conditions)
    conditions.push_back(json_of(condition, comparison));
  const Json document = {{"schema_version", 2},
                         {"run_id", run.run_id},
                         {"started", run.started},
                         {"wall_seconds", number(run.wall_seconds)},
                         {"store", options.store},
                         {"environment", {{"manifest", json_of(run.environment)}, {"warnings", run.warnings}}},
                         {"family", run.family},
                         {"machine", run.machine},
                         {"simulated", is_simulated(run)},
                         {"status", run.status},
                         {"seed", run.seed},
                         {"ticks_per_second", cost_unit(run).name == "ns" ? number(run.ticks_per_second) : Json()},
                         {"invocations", run.invocations},
                         {"blocks", run.blocks},
                         {"baseline", run.arms.empty() ? Json() : Json(run.arms.front().name)},
                         {"headline", comparison.headline.empty() ? Json() : Json(comparison.headline)},
                         {"basis", comparison.basis == CostBasis::kRaw ? "raw" : "net"},
                         {"arms", std::move(arms)},
                         {"conditions", std::move(conditions)},
                         {"readings", json_of(run.readings, run.arms)}};
  // Text from files and other programs may hold any bytes; the output is UTF-8 all the same.
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

const Registered<Renderer> registered{{"json", "everything, as reports/run.schema.json describes it", render_json}};

}  // namespace
}  // namespace hitmark
