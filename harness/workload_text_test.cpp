#include "harness/workload_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hitmark {
namespace {

using ::testing::HasSubstr;

Workload set(std::initializer_list<std::pair<const char*, const char*>> settings) {
  Workload workload;
  for (const auto& [name, value] : settings) {
    const auto done = set_parameter(workload, name, value);
    EXPECT_TRUE(done) << name << "=" << value << ": " << (done ? "" : done.error().message);
  }
  return workload;
}

TEST(WorkloadText, SetsEveryParameter) {
  const Workload w = set({{"memcgs", "8"},
                          {"depth", "3"},
                          {"pages", "2"},
                          {"mode", "split"},
                          {"refill", "watermark:32"},
                          {"batch", "16"},
                          {"protected-pages", "33"},
                          {"online-cpus", "256"},
                          {"limit-pages", "4096"},
                          {"flush-period", "5000"},
                          {"drain-period", "700"},
                          {"read-period", "90"},
                          {"pressure", "512"},
                          {"home.vmstats[a]", "1"},
                          {"groups", "4"}});
  EXPECT_EQ(w.memcgs, 8u);
  EXPECT_EQ(w.depth, 3u);
  EXPECT_EQ(w.pages, 2u);
  EXPECT_TRUE(w.split);
  EXPECT_EQ(w.refill.kind, RefillRule::Kind::kWatermark);
  EXPECT_EQ(w.refill.low, 32u);
  EXPECT_EQ(w.batch, 16u);
  EXPECT_EQ(w.protected_pages, 33u);
  EXPECT_EQ(w.online_cpus, 256u);
  EXPECT_EQ(w.limit_pages, 4096u);
  EXPECT_EQ(w.flush_period, 5000u);
  EXPECT_EQ(w.drain_period, 700u);
  EXPECT_EQ(w.read_period, 90u);
  EXPECT_EQ(w.pressure_kib, 512u);
  EXPECT_EQ(w.homes.at("vmstats[a]"), 1);
  EXPECT_EQ(w.groups, 4u);
}

TEST(WorkloadText, WhatIsWrittenIsReadBack) {
  const Workload all = set({{"memcgs", "8"},
                            {"depth", "3"},
                            {"pages", "2"},
                            {"mode", "split"},
                            {"refill", "watermark:0"},
                            {"batch", "16"},
                            {"protected-pages", "33"},
                            {"online-cpus", "256"},
                            {"limit-pages", "4096"},
                            {"flush-period", "0"},
                            {"drain-period", "700"},
                            {"read-period", "90"},
                            {"pressure", "512"},
                            {"home.a", "1"},
                            {"home.b[c]", "0"},
                            {"groups", "4"}});
  for (const Workload& workload : {Workload{}, all}) {
    const NameValues written = to_name_values(workload);
    Workload again;
    for (const auto& [name, value] : written) ASSERT_TRUE(set_parameter(again, name, value)) << name;
    EXPECT_EQ(to_name_values(again), written);
  }
  // Each parameter that was set above shows in what is written.
  const NameValues plain = to_name_values(Workload{}), set_all = to_name_values(all);
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_NE(plain[i].second, set_all[i].second) << plain[i].first;
}

TEST(WorkloadText, RefillDrainTakesBackAWatermark) {
  EXPECT_EQ(to_name_values(set({{"refill", "watermark:32"}, {"refill", "drain"}})), to_name_values(Workload{}));
}

TEST(WorkloadText, NamesTheNearestParameter) {
  Workload workload;
  const auto wrong = set_parameter(workload, "memcg", "3");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(wrong.error().message, HasSubstr("did you mean memcgs"));
}

TEST(WorkloadText, SaysTheRangeOfAValue) {
  const std::pair<const char*, const char*> wrong[] = {{"memcgs", "0"},
                                                       {"memcgs", "1025"},
                                                       {"memcgs", "-1"},
                                                       {"memcgs", "1x"},
                                                       {"memcgs", ""},
                                                       {"memcgs", " 1"},
                                                       {"depth", "0"},
                                                       {"mode", "both"},
                                                       {"refill", "watermark:"},
                                                       {"refill", "watermark:65"},
                                                       {"refill", "x"},
                                                       {"home.", "1"},
                                                       {"home.a", "-1"},
                                                       {"home.a", "99999"},
                                                       {"flush-period", "18446744073709551616"}};
  for (const auto& [name, value] : wrong) {
    Workload workload;
    const auto result = set_parameter(workload, name, value);
    ASSERT_FALSE(result) << name << "=" << value;
    EXPECT_EQ(result.error().kind, ErrorKind::kUsage);
    EXPECT_EQ(to_name_values(workload), to_name_values(Workload{})) << "a refused value changed the workload";
  }
  Workload workload;
  EXPECT_THAT(set_parameter(workload, "memcgs", "0").error().message, HasSubstr("from 1 to 1024"));
}

TEST(WorkloadText, GroupsComeFromThePlacementAndAreNotOffered) {
  for (const auto& parameter : workload_parameters()) EXPECT_NE(parameter.name, "groups");
  EXPECT_EQ(workload_parameters().back().name, "home.NAME");
}

}  // namespace
}  // namespace hitmark
