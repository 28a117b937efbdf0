#include "harness/simulator/validation/calibrate.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/simulator/validation/calibrate_report.hpp"
#include "kernels/memcg/simulation.hpp"

namespace hitmark::simulator {
namespace {

TEST(Calibrate, ARatioIsInsideWithin15Percent) {
  EXPECT_TRUE((RatioCheck{"charge", 0.314, 0.36}.inside()));
  EXPECT_FALSE((RatioCheck{"charge", 0.314, 0.362}.inside()));
  EXPECT_TRUE((RatioCheck{"charge", 0.314, 0.268}.inside()));
  EXPECT_FALSE((RatioCheck{"charge", 0.314, 0.266}.inside()));
  EXPECT_TRUE((RatioCheck{"css_rstat_updated", 0, 0}.inside()));
  EXPECT_FALSE((RatioCheck{"css_rstat_updated", 0, 0.001}.inside()));
}

TEST(Calibrate, TargetsAreTheReferences) {
  Comparison costs;
  costs.before = {.charge = kMeasuredCharge, .uncharge = kMeasuredUncharge, .rstat = kMeasuredRstat / 2};
  costs.after = {.charge = kMeasuredChargeAfter, .uncharge = kMeasuredUnchargeAfter, .rstat = 0};
  const double expected[] = {0.314, 0.399, 0, 0.322};
  const auto ratios = costs.ratios();
  ASSERT_EQ(ratios.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(ratios[i].target, expected[i], 0.0006) << ratios[i].name;
    EXPECT_NEAR(ratios[i].got, ratios[i].target, 1e-12) << ratios[i].name;
  }
}

// Two CCXs of two cores; what it costs means nothing, but all that is printed of it must hang together.
const Calibration& small_calibration() {
  static const Calibration made = [] {
    MachineModel machine;
    machine.name = "tiny";
    machine.sockets = machine.quadrants = machine.threads_per_core = 1;
    machine.ccxs_per_quadrant = machine.cores_per_ccx = 2;
    CalibrationOptions options;
    options.before = &memcg::variant_named("percall7");
    options.after = &memcg::variant_named("packed6");
    options.most_lines = 128;
    auto result = calibrate(machine, options);
    EXPECT_TRUE(result) << result.error().message;
    return *result;
  }();
  return made;
}

TEST(Calibrate, OnlyThePressureIsFittedAndOnlyOnTheBaselinesCharge) {
  const Calibration& c = small_calibration();
  EXPECT_EQ(c.base.target, kMeasuredCharge);
  EXPECT_NEAR(c.base.fit.cycles, c.base.costs.before.charge, 0.05 * c.base.fit.cycles);
  ASSERT_EQ(c.sensitivity.size(), 10u);
  EXPECT_EQ(c.sensitivity[8].target, 2 * kMeasuredCharge);  // half as many charges per RPC
  EXPECT_EQ(c.sensitivity[9].target, kMeasuredCharge / 2);
  ASSERT_EQ(c.switches.size(), 4u);
  for (const CalibrationRow& row : c.switches) EXPECT_EQ(row.fit.lines, c.base.fit.lines) << row.name;
  EXPECT_EQ(c.phases_after.steady.saturated, false);
  EXPECT_EQ(c.base.costs.after.rstat, 0);
}

TEST(Calibrate, ATargetOutOfReachIsRefusedInEveryForm) {
  const Calibration& c = small_calibration();
  ASSERT_FALSE(c.base.fit.reached) << "128 lines fit into the L1";
  EXPECT_FALSE(calibration_holds(c));
  EXPECT_NE(calibration_text(c).find("NOT FITTED: " + c.base.fit.reason), std::string::npos);
  const auto json = nlohmann::json::parse(calibration_json(c));
  EXPECT_EQ(json["scenario_a"]["fit"]["reached"], false);
  EXPECT_EQ(json["holds"], false);
}

TEST(Calibrate, TheReportSaysThatAllIsModelledAndWhatCyclesDoNotExplain) {
  const std::string text = calibration_text(small_calibration());
  EXPECT_NE(text.find("All values are modelled"), std::string::npos);
  EXPECT_NE(text.find("+29 % throughput is not explained"), std::string::npos);
  EXPECT_NE(text.find("125 to 184"), std::string::npos);
  EXPECT_NE(text.find("B: 1000 readers/s"), std::string::npos);
  const auto json = nlohmann::json::parse(calibration_json(small_calibration()));
  EXPECT_EQ(json["quality"], "modelled");
  EXPECT_EQ(json["scenario_b"].size(), 5u);
  EXPECT_EQ(json["sensitivity"].size(), 10u);
}

TEST(Calibrate, RangesCoverTheBaseAndAllSwitches) {
  const Calibration& c = small_calibration();
  const auto ranges = ratio_ranges(c);
  std::vector<const CalibrationRow*> rows = {&c.base};
  for (const CalibrationRow& row : c.switches) rows.push_back(&row);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    double low = 1e9, high = 0;
    for (const CalibrationRow* row : rows) {
      low = std::min(low, row->costs.ratios()[i].got);
      high = std::max(high, row->costs.ratios()[i].got);
    }
    EXPECT_EQ(ranges[i].low, low);
    EXPECT_EQ(ranges[i].high, high);
  }
}

// More readers flush more often, and what they disturb costs more.
TEST(Calibrate, ReadersRaiseTheBaselinesCostOnly) {
  const Calibration& c = small_calibration();
  for (std::size_t i = 1; i < c.readers.size(); ++i) {
    EXPECT_LE(c.readers[i].interval, c.readers[i - 1].interval);
    EXPECT_GE(c.readers[i].share, c.readers[i - 1].share);
    EXPECT_EQ(c.readers[i].costs.after.charge, c.readers[0].costs.after.charge);
  }
  EXPECT_GE(c.readers.back().share, c.phases.share_of_flushes(kFlushInterval));
}

}  // namespace
}  // namespace hitmark::simulator
