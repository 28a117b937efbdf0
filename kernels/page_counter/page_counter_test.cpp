// The layouts against the reference's table (section 2.2), and what sets the variants of page-counter apart: lines and
// LOCK operations per walk, the protections' atomics, limits, and the stock.
#include <gtest/gtest.h>

#include <random>

#include "kernels/family_state.hpp"
#include "kernels/memory/native_cpu.hpp"
#include "kernels/page_counter/layouts.hpp"
#include "kernels/recorder.hpp"

namespace hitmark::page_counter {
namespace {

constexpr unsigned kCpus = 4;
constexpr NativeCpu kCpu;  // its loads and stores need no GS base

TEST(PageCounterLayout, EqualsTheReference) {
#define HITMARK_AT(type, field, offset) EXPECT_EQ(offsetof(type, field), offset##u) << #type " " #field
  HITMARK_AT(PageCounterL0, min, 8);
  HITMARK_AT(PageCounterL0, max, 32);
  HITMARK_AT(PageCounterL0, parent, 40);
  HITMARK_AT(PageCounterL0, watermark, 96);
  EXPECT_EQ(sizeof(PageCounterL0), 112u);
  HITMARK_AT(PageCounterL1, min, 8);
  HITMARK_AT(PageCounterL1, max, 32);
  HITMARK_AT(PageCounterL1, watermark, 88);
  HITMARK_AT(PageCounterL1, parent, 104);
  EXPECT_EQ(sizeof(PageCounterL1), 112u);
  HITMARK_AT(PageCounterL2, emin, 64);
  HITMARK_AT(PageCounterL2, watermark, 112);
  HITMARK_AT(PageCounterL2, failcnt, 120);
  HITMARK_AT(PageCounterL2, min, 128);
  HITMARK_AT(PageCounterL2, max, 152);
  HITMARK_AT(PageCounterL2, parent, 160);
  EXPECT_EQ(sizeof(PageCounterL2), 192u);
  HITMARK_AT(PageCounterL3, watermark, 112);
  HITMARK_AT(PageCounterL3, local_watermark, 120);
  HITMARK_AT(PageCounterL3, failcnt, 128);
  HITMARK_AT(PageCounterL3, min, 200);
  HITMARK_AT(PageCounterL3, max, 224);
  HITMARK_AT(PageCounterL3, parent, 232);
  EXPECT_EQ(sizeof(PageCounterL3), 256u);
  // L4 is checked with the memcg's structs; here that the stock does not move its fields.
#define HITMARK_AS_L4(field) EXPECT_EQ(offsetof(StockedPageCounter, field), offsetof(PageCounterL4, field)) << #field
  HITMARK_AS_L4(failcnt);
  HITMARK_AS_L4(emin);
  HITMARK_AS_L4(local_watermark);
  HITMARK_AS_L4(protection_support);
  HITMARK_AS_L4(max);
  HITMARK_AS_L4(parent);
  EXPECT_EQ(sizeof(StockedPageCounter), sizeof(PageCounterL4));
#undef HITMARK_AT
#undef HITMARK_AS_L4
}

const Variant& variant(std::string_view name) {
  const Variant* found = Registry<Variant>::instance().find("page-counter/" + std::string(name));
  HITMARK_CHECK(found, "no such variant");
  return *found;
}

bool is_stocked(const Variant& v) { return v.name.starts_with("stock"); }

std::size_t locked(const Recorder& recorder) {
  std::size_t count = 0;
  for (const Touch& touch : recorder.touches) count += touch.kind == AccessKind::kLockedReadModifyWrite;
  return count;
}

// Of one level's counter, those that a charge and its uncharge touch.
std::set<std::size_t> lines_of_a_pair(std::string_view name) {
  Recorder recorder;
  Simulation s(variant(name), Workload{}, kCpus, &recorder);
  s.run("charge", 0, 0, 1000);
  recorder.start(s);
  s.run("pair", 0);
  std::set<std::size_t> lines;
  for (const Touch& touch : recorder.touches)
    if (touch.object == "page_counter[g0.l1]") lines.insert(touch.offset / kLine);
  return lines;
}

TEST(PageCounter, LinesPerLevel) {
  using Lines = std::set<std::size_t>;
  EXPECT_EQ(lines_of_a_pair("l0"), (Lines{0, 1}));
  EXPECT_EQ(lines_of_a_pair("l1"), (Lines{0, 1}));
  EXPECT_EQ(lines_of_a_pair("l2"), (Lines{0, 1, 2}));
  EXPECT_EQ(lines_of_a_pair("l3"), (Lines{0, 1, 3}));
  EXPECT_EQ(lines_of_a_pair("l4"), (Lines{0, 1, 2}));
  EXPECT_EQ(lines_of_a_pair("l4-unprotected"), (Lines{0, 1, 2}));
}

// With usage above min and low the share in use never changes; the rule up to 6.0 exchanges it all the same.
TEST(PageCounter, LocksPerPair) {
  const auto in_a_pair = [](std::string_view name, std::uint64_t protected_pages, unsigned held) {
    Workload workload;
    workload.protected_pages = protected_pages;
    Recorder recorder;
    Simulation s(variant(name), workload, kCpus, &recorder);
    s.run("charge", 0, 0, held);
    recorder.start(s);
    s.run("pair", 0);
    return locked(recorder);
  };
  constexpr std::size_t kLevels = 3, kProtected = kLevels - 1;  // not the root
  for (const char* name : {"l0", "l1", "l1-on-change", "l2", "l3", "l4", "l4-unprotected"})
    EXPECT_EQ(in_a_pair(name, 0, 50), 2 * kLevels) << name;
  for (const char* name : {"l0", "l1"}) EXPECT_EQ(in_a_pair(name, 10, 50), 2 * (kLevels + 2 * kProtected)) << name;
  for (const char* name : {"l1-on-change", "l2", "l3", "l4", "l4-unprotected"})
    EXPECT_EQ(in_a_pair(name, 10, 50), 2 * kLevels) << name;
  // Below them it changes with every page: an exchange and an addition to the parent's sum, for min and for low.
  for (const char* name : {"l0", "l1", "l1-on-change", "l2", "l3", "l4"})
    EXPECT_EQ(in_a_pair(name, 100, 50), 2 * (kLevels + 4 * kProtected)) << name;
  EXPECT_EQ(in_a_pair("l4-unprotected", 100, 50), 2 * kLevels);
}

class EveryPageCounter : public testing::TestWithParam<const Variant*> {};

TEST_P(EveryPageCounter, ARefusedChargeLeavesNothing) {
  Workload workload;
  workload.limit_pages = 100;
  workload.memcgs = 2;
  workload.protected_pages = 30;
  Simulation s(*GetParam(), workload, kCpus);
  auto* state = static_cast<FamilyState*>(s.state());
  const auto net = [&](unsigned index) { return s.variant().net(s.state(), s.variant().object(s.state(), 0, index)); };
  s.run("charge", 0, 0, 60);
  s.run("charge", 1, 1, 50);  // the common parent refuses
  EXPECT_EQ(failed_charges(state, 1), 1u);
  EXPECT_EQ(net(0), 60);
  EXPECT_EQ(net(1), 0);
  s.run("pair", 1, 1, 41);
  EXPECT_EQ(failed_charges(state, 1), 2u);
  s.run("charge", 1, 1, 40);
  EXPECT_EQ(failed_charges(state, 1), 2u);
  EXPECT_EQ(net(1), 40);
  EXPECT_EQ(s.variant().violated_invariant(s.state()), "");
}

TEST_P(EveryPageCounter, InvariantsHoldAtTheLimit) {
  Workload workload;
  workload.limit_pages = 400;
  workload.groups = 2;
  workload.memcgs = 3;
  workload.depth = 3;
  workload.protected_pages = 60;
  Simulation s(*GetParam(), workload, kCpus);
  auto* state = static_cast<FamilyState*>(s.state());
  std::mt19937 random(11);
  std::map<void*, long> live;
  for (int i = 0; i < 100'000; ++i) {
    const unsigned cpu = random() % kCpus, index = random() % 3, amount = random() % 4 ? 1 : 1 + random() % 90;
    void* const object = s.variant().object(s.state(), cpu, index);
    if (random() % 64 == 0) s.run("drain", cpu);
    const unsigned long before = failed_charges(state, cpu);
    if (random() % 2) {
      s.run("charge", cpu, index, amount);
      if (failed_charges(state, cpu) == before) live[object] += amount;
    } else if (live[object] >= static_cast<long>(amount)) {
      s.run("uncharge", cpu, index, amount);
      live[object] -= amount;
    }
    if (i % 500) continue;
    ASSERT_EQ(s.variant().violated_invariant(s.state()), "") << i;
    for (const auto& [counter, pages] : live) ASSERT_EQ(s.variant().net(s.state(), counter), pages) << i;
  }
  unsigned long refused = 0;
  for (unsigned cpu = 0; cpu < kCpus; ++cpu) refused += failed_charges(state, cpu);
  EXPECT_GT(refused, 100u);
}

TEST_P(EveryPageCounter, FaultsAreSeen) {
  const auto after = [&](const char* name, std::size_t offset, long value) {
    Workload workload;
    workload.protected_pages = 10;
    Simulation s(*GetParam(), workload, kCpus);
    s.run("charge", 0, 0, 5);
    EXPECT_EQ(s.variant().violated_invariant(s.state()), "");
    for (const ArenaObject& object : s.arena().objects())
      if (object.name == name) kCpu.write(*reinterpret_cast<Cell<long>*>(object.address + offset), value);
    return s.variant().violated_invariant(s.state());
  };
  EXPECT_NE(after("page_counter[root]", 0, 1000).find("sum of the children's"), std::string::npos);
  const std::string type(GetParam()->layout_type);
  const std::size_t children = type.ends_with("L0") ? 64 : type.ends_with("L1") ? 56 : 80;
  EXPECT_NE(after("page_counter[root]", children, 77).find("children_min_usage"), std::string::npos);
  EXPECT_NE(after("page_counter[root]", children + 24, 77).find("children_low_usage"), std::string::npos);
  if (is_stocked(*GetParam())) {
    EXPECT_NE(after("page_counter[g0.m0]", 0, -1).find("page_counter"), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(Every, EveryPageCounter, testing::ValuesIn(variants_of("page-counter")),
                         [](const auto& tested) { return as_identifier(std::string(tested.param->name)); });

class Stock : public testing::TestWithParam<const char*> {};

TEST_P(Stock, OneWalkPerBatch) {
  for (const unsigned batch : {32u, 64u, 128u}) {
    Workload workload;
    workload.batch = batch;
    Recorder recorder;
    Simulation s(variant(GetParam()), workload, kCpus, &recorder);
    recorder.start(s);
    for (unsigned i = 0; i < 4 * batch; ++i) s.run("charge", 0);
    EXPECT_EQ(recorder.count("page_counter[root]", 0, writes), 4u) << batch;
    recorder.start(s);
    for (unsigned i = 0; i < 4 * batch; ++i) s.run("uncharge", 0);
    EXPECT_EQ(recorder.count("page_counter[root]", 0, writes), 3u) << batch;  // a batch and one page at a time
  }
}

TEST_P(Stock, AnyCpuDrainsTheStocksOfAll) {
  Workload workload;
  workload.memcgs = 3;
  Simulation s(variant(GetParam()), workload, kCpus);
  for (unsigned cpu = 0; cpu < kCpus; ++cpu)
    for (unsigned i = 0; i < 3; ++i) s.run("charge", cpu, i);
  s.run("read", 2);  // the usage of leaf, middle and root
  EXPECT_EQ(last_reading(static_cast<FamilyState*>(s.state()), 2), 64 * 4 + 2 * 64 * 12);
  s.run("drain", 3);
  s.run("read", 2);
  EXPECT_EQ(last_reading(static_cast<FamilyState*>(s.state()), 2), 4 + 2 * 12);
  EXPECT_EQ(s.variant().violated_invariant(s.state()), "");
}

TEST_P(Stock, IsSixteenToALineOrOne) {
  Workload workload;
  workload.memcgs = 16;
  Simulation s(variant(GetParam()), workload, kCpus);
  std::set<std::uintptr_t> lines;
  for (const ArenaObject& object : s.arena().objects())
    if (object.name.starts_with("stock[g0.m")) lines.insert(object.address / kLine);
  if (std::string_view(GetParam()) == "stock-packed")
    EXPECT_LE(lines.size(), 2u);
  else
    EXPECT_EQ(lines.size(), 16u);
}

INSTANTIATE_TEST_SUITE_P(Both, Stock, testing::Values("stock-packed", "stock-padded"),
                         [](const auto& tested) { return as_identifier(tested.param); });

}  // namespace
}  // namespace hitmark::page_counter
