// Every registered variant: complete, registered with its copy at other addresses, equal natively and traced.
// And the families: their names exist, and each step of a chain is one named change.
#include "kernels/variant.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "kernels/memcg/random_operations.hpp"
#include "kernels/memcg/simulation.hpp"
#include "kernels/memory/gs_base.hpp"

namespace hitmark {
namespace {

std::span<const Variant> variants() { return Registry<Variant>::instance().all(); }

TEST(Variants, EveryFileIsRegistered) {
  std::set<std::string> files, registered;
  for (const Family& family : Registry<Family>::instance().all()) {
    const std::string prefix = as_identifier(std::string(family.name)) + "_";
    for (const auto& entry : std::filesystem::recursive_directory_iterator(".")) {
      const std::string name = entry.path().filename();
      if (name.starts_with(prefix) && name.ends_with(".cpp") && !name.ends_with("_family.cpp") &&
          !name.ends_with("_test.cpp"))
        files.insert(entry.path().stem());
    }
  }
  for (const Variant& v : variants()) registered.insert(as_identifier(registry_key(v)));
  EXPECT_EQ(registered, files);
  EXPECT_GE(variants_of("sock-charge").size(), 8u);
  EXPECT_GE(variants_of("percpu-counter").size(), 7u);
  EXPECT_GE(variants_of("stats-updates").size(), 5u);
  EXPECT_GE(variants_of("page-counter").size(), 6u);
}

TEST(Variants, AreComplete) {
  for (const Variant& v : variants()) {
    const std::string key = registry_key(v);
    EXPECT_FALSE(v.summary.empty() || v.source.empty() || v.layout_type.empty() || v.traits.empty()) << key;
    EXPECT_TRUE(v.set_up && v.tear_down && v.object && v.phase && v.violated_invariant && v.digest && v.net) << key;
    ASSERT_FALSE(v.operations.empty()) << key;
    EXPECT_EQ(v.events.front().name, "work") << key;
    // A workload that asks for nothing has a flush period, and its readers come with a parameter.
    for (const char* event : {"flush", "read"}) EXPECT_TRUE(find_operation(v, event)) << key << " has no " << event;
    std::set<std::string_view> names;
    for (const auto& list : {v.operations, v.events})
      for (const Operation& operation : list) {
        EXPECT_TRUE(operation.native && operation.traced && !operation.summary.empty()) << key << " " << operation.name;
        EXPECT_TRUE(names.insert(operation.name).second) << key << " has two of " << operation.name;
      }
    // Both halves of a split, or none.
    EXPECT_EQ(names.count("charge"), names.count("uncharge")) << key;
  }
}

TEST(Variants, OfAFamilyHaveTheSameOperationsAndAspects) {
  for (const Variant& v : variants()) {
    const Variant& first = *variants_of(v.family).front();
    const auto names = [](const auto& list) {
      std::vector<std::string> all;
      for (const auto& one : list) all.emplace_back(one.name);
      return all;
    };
    EXPECT_EQ(names(v.operations), names(first.operations)) << registry_key(v);
    EXPECT_EQ(names(v.events), names(first.events)) << registry_key(v);
    ASSERT_EQ(v.traits.size(), first.traits.size()) << registry_key(v);
    for (std::size_t i = 0; i < v.traits.size(); ++i)
      EXPECT_EQ(v.traits[i].aspect, first.traits[i].aspect) << registry_key(v);
  }
}

TEST(Variants, CopiesHaveCodeOfTheirOwn) {
  const auto copies = Registry<VariantCopy>::instance().all();
  ASSERT_EQ(copies.size(), variants().size());
  std::set<void (*)(void*, void*, unsigned)> addresses;
  std::size_t expected = 0;
  for (const Variant& v : variants()) {
    const VariantCopy* copy = Registry<VariantCopy>::instance().find(registry_key(v));
    ASSERT_TRUE(copy) << v.name;
    for (const Variant* one : {&v, &copy->variant})
      for (const auto& list : {one->operations, one->events})
        for (const Operation& operation : list) {
          addresses.insert(operation.native);
          ++expected;
        }
  }
  EXPECT_EQ(addresses.size(), expected);
}

std::vector<std::string> differing_aspects(const Variant& a, const Variant& b) {
  std::vector<std::string> differing;
  for (const Trait& of_a : a.traits)
    for (const Trait& of_b : b.traits)
      if (of_a.aspect == of_b.aspect && of_a.value != of_b.value) differing.emplace_back(of_a.aspect);
  return differing;
}

const Variant& sock_charge(std::string_view name) { return memcg::variant_named(name); }

TEST(Families, EachStepIsOneNamedChange) {
  for (const Family& family : Registry<Family>::instance().all()) {
    const auto of_family = [&](std::string_view name) -> const Variant& {
      const Variant* found = Registry<Variant>::instance().find(std::string(family.name) + "/" + std::string(name));
      HITMARK_CHECK(found, "a family names a variant that it has not");
      return *found;
    };
    EXPECT_FALSE(family.title.empty() || family.steps.empty()) << family.name;
    of_family(family.baseline);
    bool has_headline = false;
    for (const std::string_view arm : family.default_arms) has_headline |= of_family(arm).name == family.headline;
    EXPECT_TRUE(has_headline) << family.name;
    std::string_view at = family.baseline;
    for (const Family::Step& step : family.steps) {
      EXPECT_EQ(step.from, at);
      EXPECT_EQ(differing_aspects(of_family(step.from), of_family(step.to)),
                std::vector<std::string>{std::string(step.change)});
      at = step.to;
    }
    EXPECT_EQ(at, family.headline) << family.name;
  }
}

TEST(Families, CounterExamplesDifferFromThePatchInOneAspect) {
  const auto from_packed6 = [](std::string_view name) {
    return differing_aspects(sock_charge("packed6"), sock_charge(name));
  };
  EXPECT_EQ(from_packed6("packed7-spill"), std::vector<std::string>{"slots"});
  EXPECT_EQ(from_packed6("separate-line"), std::vector<std::string>{"count-place"});
  EXPECT_EQ(from_packed6("packed6-s8arith"), std::vector<std::string>{"arithmetic"});
  EXPECT_EQ(differing_aspects(sock_charge("percall7"), sock_charge("percall7-inline")),
            std::vector<std::string>{"inlining"});
}

TEST(Families, EachQuestionIsAboutOneAspect) {
  for (const Family& family : Registry<Family>::instance().all())
    for (const Family::Question& question : family.questions)
      EXPECT_EQ(differing_aspects(sock_charge(question.baseline), sock_charge(question.arm)).size(), 1u)
          << question.asks;
  EXPECT_EQ(differing_aspects(sock_charge("g5-v4b"), sock_charge("g5-v5")), std::vector<std::string>{"update-rule"});
}

// No two variants are the same by their traits.
TEST(Variants, DifferInATrait) {
  for (const Variant& a : variants())
    for (const Variant& b : variants())
      if (a.family == b.family && a.name < b.name) {
        EXPECT_FALSE(differing_aspects(a, b).empty()) << a.name << b.name;
      }
}

class NativeAndTraced : public testing::TestWithParam<const Variant*> {};

// The same operations natively (one thread that moves its GS base from CPU to CPU), in the copy and traced.
TEST_P(NativeAndTraced, LeaveTheSameState) {
  constexpr unsigned kCpus = 4;
  Workload workload;
  workload.memcgs = 9;
  workload.limit_pages = 3000;
  workload.refill = {.kind = RefillRule::Kind::kWatermark, .low = 32};
  const Variant& copy = Registry<VariantCopy>::instance().find(registry_key(*GetParam()))->variant;

  std::vector<std::uint64_t> digests;
  for (const bool traced : {false, true})
    for (const Variant* variant : {GetParam(), &copy}) {
      memcg::Simulation simulation(*variant, workload, kCpus);
      memcg::RandomOperations operations(workload, kCpus, 7);
      unsigned at = kCpus;
      const auto run = [&](std::string_view name, unsigned cpu, unsigned index, unsigned pages) {
        const Operation& operation = memcg::operation_named(*variant, name);
        void* object = variant->object(simulation.state(), cpu, index);
        const unsigned long before = memcg::failed_charges(simulation.globals(), cpu);
        if (traced) {
          simulation.run(operation, cpu, object, pages);
        } else {
          if (at != cpu) set_gs_base(simulation.arena().percpu_address(cpu, 0));
          at = cpu;
          operation.native(simulation.state(), object, pages);
        }
        return memcg::failed_charges(simulation.globals(), cpu) == before;
      };
      const std::uint64_t fresh = variant->digest(simulation.state());
      for (int i = 0; i < 100'000; ++i) operations.step(run);
      digests.push_back(variant->digest(simulation.state()));
      EXPECT_NE(digests.back(), fresh);
      for (unsigned cpu = 0; cpu < kCpus; ++cpu) simulation.run("work", cpu);
      EXPECT_EQ(variant->violated_invariant(simulation.state()), "");
    }
  EXPECT_EQ(digests, std::vector<std::uint64_t>(4, digests.front()));
}

INSTANTIATE_TEST_SUITE_P(Every, NativeAndTraced, testing::ValuesIn(memcg::sock_charge_variants()),
                         [](const auto& tested) {
                           std::string name(tested.param->name);
                           for (char& c : name)
                             if (c == '-') c = '_';
                           return name;
                         });

TEST(Digest, SeesOneByte) {
  memcg::Simulation a(sock_charge("packed6"), Workload{}, 2), b(sock_charge("packed6"), Workload{}, 2);
  EXPECT_EQ(a.variant().digest(a.state()), b.variant().digest(b.state()));
  *static_cast<unsigned char*>(b.arena().percpu_address(1, kStaticPercpu + 3)) = 1;
  EXPECT_NE(a.variant().digest(a.state()), b.variant().digest(b.state()));
}

TEST(Workloads, ObjectsFollowGroupsAndPartners) {
  Workload workload;
  workload.groups = 2;
  workload.memcgs = 2;
  workload.depth = 4;
  memcg::Simulation together(sock_charge("percall7"), workload, 8);
  EXPECT_EQ(together.memcg(0), together.memcg(3));
  EXPECT_NE(together.memcg(0), together.memcg(4));
  EXPECT_NE(together.memcg(0, 0), together.memcg(0, 1));
  EXPECT_EQ(together.memcg(0, 0), together.memcg(0, 2));
  EXPECT_EQ(together.globals()->setup->memcgs.size(), 1u + 2 * (3 + 2));

  workload.groups = 4;
  workload.split = true;
  memcg::Simulation split(sock_charge("percall7"), workload, 4);
  EXPECT_EQ(split.memcg(0), split.memcg(1));
  EXPECT_NE(split.memcg(0), split.memcg(2));
}

TEST(Phases, SaturateAboveTheThresholdUntilAFlush) {
  memcg::Simulation simulation(sock_charge("percall7"), Workload{}, 2);
  const auto phase = [&] { return simulation.variant().phase(simulation.state()); };
  for (int i = 0; i < 64; ++i) simulation.run("pair", 0);
  EXPECT_EQ(phase(), Phase::kAccumulating);  // 128 updates: not more than 64 x 2
  for (int i = 0; i < 32; ++i) simulation.run("pair", 0);
  EXPECT_EQ(phase(), Phase::kSaturated);
  simulation.run("read", 1);
  EXPECT_EQ(phase(), Phase::kAccumulating);
}

}  // namespace
}  // namespace hitmark
