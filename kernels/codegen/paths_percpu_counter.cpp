// The paths of percpu-counter: additions that stay, spill, or find their sequence's CPU changed; sums and readings.
#include "kernels/codegen/paths.hpp"

namespace hitmark::codegen {
namespace {

std::vector<Path> paths(const Variant&) {
  std::vector<Path> all;
  Workload workload;
  workload.memcgs = 2;
  workload.batch = 8;
  const auto add = adding_to(all, workload);
  const auto added = [](Simulation& s) {
    for (unsigned cpu = 0; cpu < kCpus; ++cpu) s.run("add", cpu, 0, 3);
  };
  const auto nearly_a_batch = [](Simulation& s) { s.run("add", 0, 0, 7); };
  const auto nearly_minus_a_batch = [](Simulation& s) { s.run("sub", 0, 0, 7); };
  add("hit: add", "add", 1, added);
  add("hit: sub", "sub", 1, added);
  add("hit: add to the second counter", "add", 2, [](Simulation& s) { s.run("add", 0, 1, 1); }).index = 1;
  add("add, the first", "add", 1, [](Simulation&) {});
  add("sub, the first", "sub", 1, [](Simulation&) {});
  add("add that reaches the batch", "add", 1, nearly_a_batch);
  add("sub that reaches the batch", "sub", 1, nearly_minus_a_batch);
  add("add from below zero", "add", 1, nearly_minus_a_batch);
  add("add nothing", "add", 0, added);
  add("add in two groups", "add", 1, added).workload.groups = 2;
  for (const auto event : {"work", "flush", "read"}) {
    add(std::string(event) + ", nothing added", event, 0, [](Simulation&) {});
    add(std::string(event) + ", all CPUs have added", event, 0, added).workload.groups = 2;
  }
  return all;
}

const Registered<TestedFamily> registered(TestedFamily{
    .name = "percpu-counter",
    .references = "percpu_counter/",
    .paths_of = paths,
    .simulate = simulate<>,
    .is_hit = [](const Path& path) { return path.name.starts_with("hit"); },
    .more_than_plain_c = 1,
    .least_compared = 5,
    .hot = {{"add"}, {"sub"}},
    .unreachable = {{"spill", 10, "on one CPU nobody else holds the lock"},
                    {"run_flush", 10, "the same; and no counter is without a slot"},
                    {"run_read", 3, "no counter is without a slot"}},
    .is_cmpxchg =
        [](std::string_view text) {  // the spinlock of batched and of batched-apart
          return text == "X counter[0]+0 4" || text == "X counter[1]+0 4" || text == "X counter[0]+64 4" ||
                 text == "X counter[1]+64 4";
        },
    .may_touch_nothing = {"work"},
});

}  // namespace
}  // namespace hitmark::codegen
