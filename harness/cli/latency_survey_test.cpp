#include "harness/cli/latency_survey.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "topology/hwloc_reader.hpp"

namespace hitmark::cli {
namespace {

constexpr const char* kCaptures = "../../topology/testdata/";

Topology capture(const std::string& file) { return *read_topology_file(kCaptures + file); }

// ns that tell what was asked: the distance of the numbers, and the home.
Result<std::vector<double>> fake(int a, int b, int home) {
  return std::vector<double>{std::abs(a - b) + 1000.0 * home};
}
bool always() { return true; }

TEST(LatencySurvey, UnitsAreQuadrantsElseL3sElseSockets) {
  EXPECT_EQ(latency_units(capture("ours-rome2s-nps1-sysfs.xml")).size(), 8u);
  EXPECT_EQ(latency_units(capture("ours-rome2s-nps1-sysfs.xml"))[5].name, "s1q1");
  const auto l3s = latency_units(capture("ours-vm16-rome-2ccx.xml"));
  ASSERT_EQ(l3s.size(), 2u);
  EXPECT_EQ(l3s[1].name, "s0 L3 1");
  EXPECT_EQ(latency_units(capture("ours-vm16-nocache.xml")).size(), 1u);
}

TEST(LatencySurvey, SamplesEveryClassWithEveryHome) {
  const auto survey = survey_latency(capture("ours-rome2s-nps1-sysfs.xml"), 2, fake, always);
  // 8 units: SMT, CCX and quadrant inside, 28 between two, each with two homes and two pairs.
  EXPECT_EQ(survey.cells.size(), (8u * 3 + 28) * 2);
  EXPECT_EQ(survey.planned, (8u * 3 + 28) * 4);
  EXPECT_EQ(survey.measured, survey.planned);
  for (const LatencyCell& cell : survey.cells) {
    EXPECT_EQ(std::set(cell.pairs.begin(), cell.pairs.end()).size(), 2u) << "two different pairs";
    EXPECT_EQ(mean_of(cell) >= 1000, cell.home == 1);
  }
  const auto classes = classes_of(survey);
  std::vector<std::string> names;
  for (const LatencyClass& one : classes) names.push_back(one.relation + '/' + one.home_relation);
  EXPECT_THAT(names,
              testing::ElementsAre("smt-siblings/own node", "smt-siblings/other socket", "same-ccx/own node",
                                   "same-ccx/other socket", "same-quadrant/own node", "same-quadrant/other socket",
                                   "cross-quadrant/own node", "cross-quadrant/other socket", "cross-socket/own node"));
  EXPECT_EQ(classes[0].least, 128) << "the numbers of siblings";
  EXPECT_EQ(classes[0].pairs, 16u);
}

TEST(LatencySurvey, NodesInsideASocketAreToldApart) {
  std::set<std::string> homes;
  for (const LatencyCell& cell : survey_latency(capture("ours-rome2s-nps4-sysfs.xml"), 1, fake, always).cells)
    homes.insert(cell.home_relation);
  EXPECT_THAT(homes, testing::ElementsAre("other socket", "own node", "own socket"));
}

TEST(LatencySurvey, WhatWasNotMeasuredSaysWhy) {
  const auto broken = [](int a, int, int) -> Result<std::vector<double>> {
    if (a == 0) return Error{ErrorKind::kUnavailable, "disturbed", ""};
    return std::vector<double>{10};
  };
  const Topology two = capture("ours-vm2-one-ccx.xml");
  const auto survey = survey_latency(two, 3, broken, always);
  ASSERT_EQ(survey.cells.size(), 1u);
  EXPECT_TRUE(std::isnan(mean_of(survey.cells[0])));
  EXPECT_THAT(survey.cells[0].unavailable, testing::ElementsAre("disturbed"));
  EXPECT_EQ(classes_of(survey)[0].pairs, 0u);

  int left = 10;
  const auto late = survey_latency(capture("ours-rome2s-nps1-sysfs.xml"), 2, fake, [&] { return left-- > 0; });
  EXPECT_EQ(late.measured, 10u);
  EXPECT_THAT(late.cells.back().unavailable, testing::Each(std::string("the time was over")));
}

TEST(LatencySurvey, MiddleMeanIgnoresAQuarterAtEachEnd) {
  EXPECT_EQ(middle_mean({1000, 2, 4, 0}), 3);
  EXPECT_EQ(middle_mean({5}), 5);
  EXPECT_EQ(middle_mean({1, 2, 3}), 2);
  EXPECT_TRUE(std::isnan(middle_mean({})));
}

}  // namespace
}  // namespace hitmark::cli
