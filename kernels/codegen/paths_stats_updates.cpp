// The paths of stats-updates: updates that stay, make a batch, saturate, or are no longer counted; flushes and
// readings.
#include "kernels/codegen/paths.hpp"

namespace hitmark::codegen {
namespace {

constexpr unsigned kThreshold = 64;  // with one online CPU

std::vector<Path> paths(const Variant&) {
  std::vector<Path> all;
  Workload workload;
  workload.memcgs = 2;
  workload.batch = 8;
  workload.online_cpus = 1;
  const auto add = adding_to(all, workload);
  const auto few = [](Simulation& s) {
    for (unsigned cpu = 0; cpu < kCpus; ++cpu) s.run("add", cpu, 0, 3);
  };
  const auto nearly_a_batch = [](Simulation& s) { s.run("add", 0, 0, 7); };
  const auto nearly_saturated = [](Simulation& s) {
    s.run("add", 1, 0, kThreshold);
    s.run("add", 0, 0, 7);
  };
  const auto saturated = [](Simulation& s) {
    s.run("add", 0, 0, 7);
    s.run("add", 1, 0, kThreshold + 1);
  };
  const auto locked = [](Simulation& s) {
    // A flush is running: only the push looks, and gives up.
    s.run("add", 1, 0, kThreshold);
    s.run("add", 0, 0, 7);
    for (const ArenaObject& object : s.arena().objects())
      if (object.name == "stats[0]") *reinterpret_cast<unsigned*>(object.address + object.size - kLine) = 1;
  };
  add("hit: add", "add", 1, few);
  add("hit: sub", "sub", 1, few);
  add("hit: add to the second", "add", 1, [](Simulation& s) { s.run("add", 0, 1, 1); }).index = 1;
  add("add nothing", "add", 0, few);
  add("sub nothing", "sub", 0, few);
  add("add minus one", "add", ~0u, few);
  for (const auto operation : {"add", "sub"}) {
    const std::string name(operation);
    add(name + " that makes a batch", operation, 1, nearly_a_batch);
    add(name + " that makes a flush worth it", operation, 1, nearly_saturated);
    add(name + ", a flush is worth it", operation, 1, saturated);
    add(name + " a batch, a flush is worth it", operation, 8, saturated);
    add(name + " that makes a flush worth it while one runs", operation, 1, locked);
  }
  add("add in two groups", "add", 1, few).workload.groups = 2;
  for (const auto event : {"work", "flush", "read"}) {
    add(std::string(event) + ", nothing was updated", event, 0, [](Simulation&) {});
    add(std::string(event) + ", few updates", event, 0, few).workload.groups = 2;
    add(std::string(event) + ", a flush is worth it", event, 0, saturated);
    add(std::string(event) + ", a flush is worth it in the second group", event, 0, [](Simulation& s) {
      s.run("add", kCpus - 1, 0, kThreshold + 1);
    }).workload.groups = 2;
    add(std::string(event) + ", nothing was updated on balance", event, 0, [](Simulation& s) {
      s.run("add", 0, 0, kThreshold + 1);
      s.run("sub", 0, 0, kThreshold + 1);
    });
    add(std::string(event) + ", the count is below the threshold", event, 0,
        [](Simulation& s) { s.run("add", 0, 0, 9); });
  }
  return all;
}

const Registered<TestedFamily> registered(TestedFamily{
    .name = "stats-updates",
    .references = "stats_updates/",
    .paths_of = paths,
    .simulate = simulate<>,
    .is_hit = [](const Path& path) { return path.name.starts_with("hit"); },
    .more_than_plain_c = 1,
    .least_compared = 3,
    .hot = {{"add"}, {"sub"}},
    // Where the test comes first, gcc puts the early return at the end and g++ after the test.
    .other_text = {"check-then-add/add", "check-then-add/sub", "check-own-line/add", "check-own-line/sub",
                   "check-beside-read-mostly/add", "check-beside-read-mostly/sub", "group-count/add", "group-count/sub",
                   "pushed-flag/add", "pushed-flag/sub"},
    .unreachable = {{"run_flush", 10, "on one CPU nobody else holds the lock"}, {"run_read", 10, "the same"}},
    .is_cmpxchg =
        [](std::string_view text) {  // the flusher's lock, the last line of every layout
          return text.starts_with("X stats[") && text.ends_with(" 4");
        },
    .may_touch_nothing = {"work"},
});

}  // namespace
}  // namespace hitmark::codegen
