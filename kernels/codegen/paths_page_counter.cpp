// The paths of page-counter: walks with limits, roll-back, protection and watermarks; the stock's hits, misses,
// overflows and drains.
#include "kernels/codegen/paths.hpp"
#include "kernels/memory/native_cpu.hpp"
#include "kernels/page_counter/layouts.hpp"

namespace hitmark::codegen {
namespace {

constexpr NativeCpu kCpu;  // its loads and stores need no GS base

// Every counter of the arena, by the type that its variant gave it.
template <typename Change>
void for_each_counter(Simulation& s, Change change) {
  const std::string type(s.variant().layout_type);
  for (const ArenaObject& object : s.arena().objects()) {
    if (!object.name.starts_with("page_counter[")) continue;
    if (type.ends_with("L0")) change(*reinterpret_cast<page_counter::PageCounterL0*>(object.address));
    if (type.ends_with("L1")) change(*reinterpret_cast<page_counter::PageCounterL1*>(object.address));
    if (type.ends_with("L2")) change(*reinterpret_cast<page_counter::PageCounterL2*>(object.address));
    if (type.ends_with("L3")) change(*reinterpret_cast<page_counter::PageCounterL3*>(object.address));
    if (type == "hitmark::memcg::PageCounter") change(*reinterpret_cast<page_counter::PageCounterL4*>(object.address));
    if (type.ends_with("StockedPageCounter"))
      change(*reinterpret_cast<page_counter::StockedPageCounter*>(object.address));
  }
}

void clear_protection(Simulation& s) {
  for_each_counter(s, [](auto& counter) {
    kCpu.write_once(counter.min, 0);
    kCpu.write_once(counter.low, 0);
  });
}

void track_failures(Simulation& s) {
  for_each_counter(s, []<typename Counter>(Counter& counter) {
    if constexpr (memcg::HasProtectionFlag<Counter>) kCpu.write(counter.track_failcnt, true);
  });
}

void raise_watermark(Simulation& s) {
  for_each_counter(s, [](auto& counter) { kCpu.write_once(counter.watermark, 1000); });
}

void without_protection(Simulation& s) {
  for_each_counter(s, []<typename Counter>(Counter& counter) {
    if constexpr (memcg::HasProtectionFlag<Counter>) kCpu.write(counter.protection_support, false);
  });
}

std::vector<Path> paths(const Variant&) {
  std::vector<Path> all;
  Workload workload;
  workload.memcgs = 2;
  workload.depth = 3;
  workload.batch = 8;
  const auto add = adding_to(all, workload);
  const auto nothing = [](Simulation&) {};
  const auto charged = [](Simulation& s) {
    s.run("charge", 0, 0, 20);
    s.run("charge", 1, 1, 20);
  };
  const auto stocked = [](Simulation& s) {
    for (unsigned cpu = 0; cpu < kCpus; ++cpu)
      for (unsigned i = 0; i < 2; ++i) s.run("charge", cpu, i, 1);
  };
  add("hit: charge", "charge", 1, stocked);
  add("hit: uncharge", "uncharge", 1, [](Simulation& s) { s.run("charge", 0, 0, 3); });
  add("hit: pair", "pair", 1, stocked);
  add("pair whose uncharge overflows the stock", "pair", 5, [](Simulation& s) { s.run("charge", 0, 0, 5); });
  add("charge, the first", "charge", 1, nothing);
  add("charge of more than a batch", "charge", 9, nothing);
  add("charge below the old peak", "charge", 1, [](Simulation& s) {
    s.run("charge", 0, 0, 30);
    s.run("uncharge", 0, 0, 30);
  });
  add("charge of another counter", "charge", 1, charged).index = 1;
  add("uncharge that overflows the stock", "uncharge", 5, [](Simulation& s) {
    s.run("charge", 0, 0, 16);
    s.run("uncharge", 0, 0, 7);
  });
  add("uncharge of more than a batch", "uncharge", 20, charged);
  for (const unsigned protection : {1u, 5u, 1000u}) {
    const std::string at = ", protected up to " + std::to_string(protection);
    for (const auto operation : {"charge", "uncharge"}) {
      add(operation + at, operation, 9, charged).workload.protected_pages = protection;
      add(std::string(operation) + " all" + at, operation, 20, charged).workload.protected_pages = protection;
    }
    add("charge, the first" + at, "charge", 9, nothing).workload.protected_pages = protection;
  }
  add("charge, no longer protected", "charge", 9, [](Simulation& s) {
    s.run("charge", 0, 0, 20);
    s.run("uncharge", 0, 0, 20);
  }).workload.protected_pages = 4;
  // min or low is in use and no longer set: the rule up to 6.0 looks at both.
  add("uncharge, the protection was taken away", "uncharge", 9, [](Simulation& s) {
    s.run("charge", 0, 0, 20);
    clear_protection(s);
  }).workload.protected_pages = 4;
  const auto limit = [](Path& path, unsigned pages) { path.workload.limit_pages = pages; };
  limit(add("charge, refused", "charge", 30, charged), 25);
  limit(add("charge, refused above", "charge", 7, charged), 45);
  limit(add("charge, refused above, protected", "charge", 7, charged), 45);
  all.back().workload.protected_pages = 10;
  limit(add("charge, refused above, protected up to 1000", "charge", 7, charged), 45);
  all.back().workload.protected_pages = 1000;
  const auto charged_and_cleared = [charged](Simulation& s) {
    charged(s);
    clear_protection(s);
  };
  limit(add("charge, refused above, the protection was taken away", "charge", 7, charged_and_cleared), 45);
  all.back().workload.protected_pages = 1000;
  add("charge, the protection was taken away", "charge", 9, charged_and_cleared).workload.protected_pages = 4;
  limit(add("charge, the batch is refused, the exact size fits", "charge", 1,
            [](Simulation& s) { s.run("charge", 0, 0, 20); }),
        24);
  limit(add("charge, refused until the stocks are drained", "charge", 7,
            [](Simulation& s) {
              s.run("charge", 0, 0, 1);
              s.run("charge", 1, 0, 1);
              s.run("charge", 2, 1, 8);
            }),
        24);
  limit(add("pair, refused", "pair", 30, charged), 25);
  limit(add("charge, refused and counted", "charge", 30,
            [charged](Simulation& s) {
              charged(s);
              track_failures(s);
            }),
        25);
  add("charge, above the local peak only", "charge", 9, raise_watermark);
  for (const auto operation : {"charge", "uncharge"}) {
    add(std::string(operation) + ", the counter has no protections", operation, 9, [charged](Simulation& s) {
      charged(s);
      without_protection(s);
    });
    limit(add(std::string(operation) + ", no protections, near the limit", operation, 7,
              [charged](Simulation& s) {
                charged(s);
                without_protection(s);
              }),
          45);
  }
  for (const auto event : {"work", "flush", "drain", "read"}) {
    add(std::string(event) + ", nothing charged", event, 0, nothing);
    add(std::string(event) + ", all CPUs have stocks", event, 0, stocked);
  }
  return all;
}

std::vector<std::string> other_text() {
  std::vector<std::string> all = {"page_counter_try_charge"};
  for (const std::string variant : {"l0", "l1", "l1-on-change", "l2", "l3", "l4", "stock-packed", "stock-padded"})
    all.push_back(variant + "/page_counter_uncharge");
  // The two operands of an addition or a comparison in the other order; charge_batch has its tail twice.
  for (const std::string variant : {"stock-packed", "stock-padded"})
    for (const std::string function : {"pair", "charge", "uncharge", "uncharge_all", "charge_batch"})
      all.push_back(variant + "/" + function);
  return all;
}

const Registered<TestedFamily> registered(TestedFamily{
    .name = "page-counter",
    .references = "page_counter/",
    .paths_of = paths,
    .simulate = simulate<>,
    .is_hit = [](const Path& path) { return path.name.starts_with("hit"); },
    .more_than_plain_c = 4,
    .least_compared = 6,
    .hot = {{"charge"}, {"uncharge"}, {"page_counter_try_charge"}, {"page_counter_uncharge"}},
    .other_text = other_text(),
    .unreachable = {{"page_counter_try_charge", 1, "the counter is never null"},
                    {"page_counter_uncharge", 1, "the same"},
                    {"charge_batch", 4, "less was stocked than is wanted, so the rest of a batch fits"}},
    .more_than_c = {{"l0", 6}, {"l1", 6}},
    .is_exchanged = [](std::string_view text) { return text.starts_with("X stock["); },
    .may_touch_nothing = {"work", "flush", "drain"},
});

}  // namespace
}  // namespace hitmark::codegen
