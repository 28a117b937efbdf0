// The tables of the counters' families in kernels/README.md: counted here, compared with the file. To renew them:
// HITMARK_VARIANT_TABLE=1 build/release/hitmark_kernels_test --gtest_filter='*CounterTable*', in kernels/.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "kernels/recorder.hpp"

namespace hitmark {
namespace {

constexpr unsigned kManyCpus = 1u << 20;  // so that nothing is to be flushed
constexpr unsigned kOperations = 64 * 64;

struct Lines {
  std::size_t own, shared;
  auto operator<=>(const Lines&) const = default;
  std::string text() const { return std::to_string(own) + " + " + std::to_string(shared); }
};

// Without the one that holds this_cpu_off. Outside the arena lies only the thread's own struct rseq.
Lines lines_of(const std::vector<Touch>& touches) {
  std::set<std::string> own, shared;
  for (const Touch& touch : touches) {
    if (touch.object == "area@0") continue;
    const bool is_own = touch.object == "elsewhere" || touch.object.find('@') != std::string::npos;
    (is_own ? own : shared).insert(touch.object + " " + std::to_string(touch.offset / kLine));
  }
  return {own.size(), shared.size()};
}

std::string row(const Variant& variant) {
  Workload workload;
  workload.online_cpus = kManyCpus;
  Recorder recorder;
  Simulation simulation(variant, workload, 2, &recorder);
  std::size_t bytes = 0;
  for (const ArenaObject& object : simulation.arena().objects())
    if (object.type == variant.layout_type) bytes = object.size;
  EXPECT_GT(bytes, 0u) << registry_key(variant);

  std::map<Lines, unsigned> seen;
  Lines longest{};
  std::uint64_t locked = 0;
  for (unsigned i = 0; i < 2 * kOperations; ++i) {
    recorder.start(simulation);
    simulation.run(variant.operations.front().name, 0);
    const Lines lines = lines_of(recorder.touches);
    if (longest.own + longest.shared < lines.own + lines.shared) longest = lines;
    if (i < kOperations) continue;  // so much for what only a first operation misses
    ++seen[lines];
    for (const Touch& touch : recorder.touches) locked += touch.kind == AccessKind::kLockedReadModifyWrite;
  }
  const Lines usual =
      std::ranges::max_element(seen, [](const auto& a, const auto& b) { return a.second < b.second; })->first;
  char locks[32];
  std::snprintf(locks, sizeof locks, "%.1f", 64.0 * static_cast<double>(locked) / kOperations);
  std::ostringstream out;
  out << "| `" << variant.name << "` | " << variant.source << " | " << bytes << " | " << (bytes + kLine - 1) / kLine
      << " | " << usual.text() << " | " << longest.text() << " | " << locks << " |\n";
  return out.str();
}

class CounterTable : public testing::TestWithParam<const char*> {};

TEST_P(CounterTable, IsTheReadmes) {
  std::string now = "| " + std::string(GetParam()) +
                    " | stands for | struct, bytes | lines | usual: own + shared lines | longest | LOCK |\n"
                    "| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const Variant* variant : variants_of(GetParam())) now += row(*variant);
  if (std::getenv("HITMARK_VARIANT_TABLE")) std::printf("%s\n", now.c_str());
  std::ifstream file("README.md");
  const std::string readme((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  ASSERT_FALSE(readme.empty()) << "run this in kernels/";
  EXPECT_NE(readme.find(now), std::string::npos) << "kernels/README.md has another table than\n" << now;
}

INSTANTIATE_TEST_SUITE_P(Of, CounterTable, testing::Values("page-counter", "percpu-counter", "stats-updates"));

// No family is without a table; that of sock-charge is in memcg/variant_table_test.cpp.
TEST(CounterTables, AreOfEveryFamily) {
  const std::set<std::string_view> known = {"sock-charge", "page-counter", "percpu-counter", "stats-updates"};
  for (const Family& family : Registry<Family>::instance().all())
    EXPECT_TRUE(known.contains(family.name)) << family.name << " needs a table in kernels/README.md";
}

}  // namespace
}  // namespace hitmark
