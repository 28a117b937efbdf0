// The table of sock-charge's variants in kernels/README.md: counted here, compared with the file. To renew it:
// HITMARK_VARIANT_TABLE=1 build/release/hitmark_kernels_test --gtest_filter='VariantTable.*', in kernels/.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "kernels/memcg/recorder.hpp"

namespace hitmark::memcg {
namespace {

constexpr unsigned kManyCpus = 1u << 20;  // so that nothing is to be flushed

// Lines that one charge touches, "own + shared"; without the one that holds this_cpu_off.
std::string lines_of_charge(const Variant& variant, bool hit) {
  Workload workload;
  workload.online_cpus = kManyCpus;
  Recorder recorder;
  Simulation simulation(variant, workload, 1, &recorder);
  // After a first charge the slot and the flusher's list know the memcg; 63 later ones leave no page.
  for (int i = 0; i < (hit ? 2 : 64); ++i) simulation.run("charge", 0);
  recorder.start(simulation);
  simulation.run("charge", 0);
  std::set<std::string> own, shared;
  for (const Touch& touch : recorder.touches) {
    if (touch.object == "area@0") continue;
    const bool percpu = touch.object.find('@') != std::string::npos;
    (percpu ? own : shared).insert(touch.object + " " + std::to_string(touch.offset / kLine));
  }
  return std::to_string(own.size()) + " + " + std::to_string(shared.size());
}

class LockCounter : public AccessObserver {
 public:
  void on_access(unsigned, const Access& access) override {
    locked += access.kind == AccessKind::kLockedReadModifyWrite;
  }
  std::uint64_t locked = 0;
};

// Per 64 charges and their uncharges, on the same CPU or on another.
std::string locks(const Variant& variant, bool split) {
  constexpr unsigned kPairs = 64 * 65 * 4;
  LockCounter counter;
  Workload workload;
  workload.split = split;
  workload.online_cpus = kManyCpus;
  Simulation simulation(variant, workload, 2, &counter);
  for (unsigned i = 0; i < 2 * kPairs; ++i) {
    if (i == kPairs) counter.locked = 0;
    simulation.run("charge", 0);
    simulation.run("uncharge", split ? 1 : 0);
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", 64.0 * static_cast<double>(counter.locked) / kPairs);
  return text;
}

std::string table() {
  std::ostringstream out;
  out << "| variant | stands for | stock, bytes | lines | hit: own + shared lines | miss | LOCK, paired | split |\n"
      << "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (const Variant* variant : sock_charge_variants()) {
    Simulation simulation(*variant, Workload{}, 1);
    const std::size_t size = simulation.globals()->setup->stock.size;
    out << "| `" << variant->name << "` | " << variant->source << " | " << size << " | " << (size + kLine - 1) / kLine
        << " | " << lines_of_charge(*variant, true) << " | " << lines_of_charge(*variant, false) << " | "
        << locks(*variant, false) << " | " << locks(*variant, true) << " |\n";
  }
  return out.str();
}

TEST(VariantTable, IsTheReadmes) {
  const std::string now = table();
  if (std::getenv("HITMARK_VARIANT_TABLE")) std::fputs(now.c_str(), stdout);
  std::ifstream file("README.md");
  const std::string readme((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  ASSERT_FALSE(readme.empty()) << "run this in kernels/";
  EXPECT_NE(readme.find(now), std::string::npos) << "kernels/README.md has another table than\n" << now;
}

}  // namespace
}  // namespace hitmark::memcg
