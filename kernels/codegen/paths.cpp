// The paths of sock-charge: charging, uncharging, draining and the statistics.
#include "kernels/codegen/paths.hpp"

#include <algorithm>

#include "kernels/memcg/simulation.hpp"
#include "kernels/memory/native_cpu.hpp"

namespace hitmark::codegen {
namespace {

using memcg::MemCgroup;
using memcg::Simulation;

constexpr NativeCpu kCpu;        // its loads and stores need no GS base
constexpr unsigned kMemcgs = 3;  // where a path needs no more: set-up is what takes lackey's time
constexpr RefillRule kDrainRule{};
constexpr RefillRule kLow0{.kind = RefillRule::Kind::kWatermark, .low = 0};
constexpr RefillRule kLow32{.kind = RefillRule::Kind::kWatermark, .low = 32};

// Up to 6.14 there is no lock byte, and nothing to find busy; with one slot or a random one no next victim.

void write_to_stock(Simulation& s, std::size_t offset, unsigned value) {
  auto* at = static_cast<Cell<std::uint8_t>*>(s.arena().percpu_address(0, kStaticPercpu + offset));
  kCpu.write(*at, static_cast<std::uint8_t>(value));
}
void lock_stock(Simulation& s) {
  if (const std::size_t lock = s.globals()->setup->stock.lock; lock != memcg::StockLayout::kNone)
    write_to_stock(s, lock, 1);
}
void evict_from(Simulation& s, unsigned slot) {
  if (const std::size_t next = s.globals()->setup->stock.drain_idx; next != memcg::StockLayout::kNone)
    write_to_stock(s, next, slot);
}

// From now on its references are counted in one shared word.
void let_die(Simulation& s, unsigned index) {
  Cell<std::uintptr_t>& word = s.memcg(0, index)->css.refcnt.percpu_count_ptr;
  kCpu.write_once(word, kCpu.read_once(word) | memcg::kPercpuRefAtomic);
}

class Builder {
 public:
  explicit Builder(const Variant& variant)
      : slots_(static_cast<unsigned>(memcg::trait(variant, "slots").front() - '0')),
        batched_(memcg::trait(variant, "statistics") == "batched"),
        has_flusher_(memcg::trait(variant, "rstat") != "none"),
        update_rule_(memcg::trait(variant, "update-rule")) {}

  std::vector<Path> build() {
    charge_hits();
    charge_misses();
    charge_at_the_limit();
    uncharges();
    past_the_stock();
    counts_in_the_slot();
    statistics();
    drains();
    events();
    return std::move(paths_);
  }

 private:
  using Prepare = std::function<void(Simulation&)>;

  Path& add(std::string name, std::string_view operation, unsigned amount, Prepare prepare) {
    Workload workload;
    workload.memcgs = kMemcgs;
    paths_.push_back({std::move(name), workload,
                      [prepare = std::move(prepare)](hitmark::Simulation& s) { prepare(static_cast<Simulation&>(s)); },
                      operation, 0, amount});
    return paths_.back();
  }
  Path& charge(std::string name, unsigned amount, Prepare prepare) {
    return add("charge: " + std::move(name), "charge", amount, std::move(prepare));
  }
  Path& uncharge(std::string name, unsigned amount, Prepare prepare) {
    return add("uncharge: " + std::move(name), "uncharge", amount, std::move(prepare));
  }
  // For a full stock: a memcg for each slot and one more.
  void on_memcg(unsigned index, Path& path) {
    path.workload.memcgs = slots_ + 1;
    path.index = index;
  }
  // Slot i holds memcg i, 62 pages and, when batched, a count of 1.
  Prepare full_stock() const {
    return [slots = slots_](Simulation& s) {
      for (unsigned i = 0; i < 2 * slots; ++i) s.run("charge", 0, i % slots);
    };
  }

  void charge_hits() {
    for (unsigned i = 0; i < slots_; ++i) on_memcg(i, charge("hit in slot " + std::to_string(i), 1, full_stock()));
    const auto one_page_left = [](Simulation& s) { s.run("charge", 0, 0, 63); };
    charge("hit empties the slot, drain rule", 1, one_page_left);
    charge("hit empties the slot, watermark rule", 1, one_page_left).workload.refill = kLow32;
    const auto one_page_no_count = [](Simulation& s) {
      for (int i = 0; i < 2; ++i) s.run("charge", 0, 0, 64);
      s.run("uncharge", 0, 0, 64);
      s.run("uncharge", 0, 0, 1);  // overflow: no page is left, and a count of -1
      s.run("charge", 0, 0, 63);   // a miss stocks one
    };
    charge("hit empties the slot without a count, watermark rule", 1, one_page_no_count).workload.refill = kLow0;
    charge("hit empties the slot of a dying css, watermark rule", 1, [one_page_no_count](Simulation& s) {
      one_page_no_count(s);
      let_die(s, 0);
    }).workload.refill = kLow0;
  }

  void charge_misses() {
    charge("miss, empty stock", 1, [](Simulation&) {});
    charge("miss, the slot holds too few", 5, [](Simulation& s) { s.run("charge", 0, 0, 60); });
    charge("miss, insertion behind other slots", 1, [](Simulation& s) { s.run("charge", 0); }).index = 1;
    charge("miss, insertion into a freed slot before others", 1, [](Simulation& s) {
      s.run("charge", 0, 0, 64);
      s.run("charge", 0, 0, 64);
      s.run("uncharge", 0, 0, 64);
      s.run("charge", 0, 1);
      s.run("uncharge", 0, 0, 1);  // overflow frees slot 0
    });
    on_memcg(slots_, charge("miss, eviction", 1, full_stock()));
    on_memcg(slots_, charge("miss, eviction of an empty slot", 1, [slots = slots_](Simulation& s) {
               for (unsigned i = 0; i < slots; ++i) s.run("charge", 0, i, 1), s.run("charge", 0, i, 63);
             }));
    on_memcg(slots_,
             charge("miss, eviction from the last slot", 1, [full = full_stock(), slots = slots_](Simulation& s) {
               full(s);
               evict_from(s, slots - 1);
             }));
    charge("miss, dying css", 1, [](Simulation& s) { let_die(s, 0); });
    charge("miss, min and low are set", 1, [](Simulation& s) {
      kCpu.write_once(s.memcg(0)->memory.min, 10);
      kCpu.write_once(s.memcg(0)->memory.low, 100);
    });
    charge("miss, above high at the root", 1,
           [](Simulation& s) { kCpu.write_once(s.globals()->setup->memcgs.front()->memory.high, 10); });
    charge("miss, above high of swap", 1, [](Simulation& s) {
      kCpu.write_once(s.memcg(0)->swap.usage, 11);
      kCpu.write_once(s.memcg(0)->swap.high, 10);
    });
    charge("miss, below the old peak", 1, [](Simulation& s) {
      s.run("charge", 0);
      s.run("drain", 0);
    });
    charge("miss, above the local peak only", 1,
           [](Simulation& s) { kCpu.write_once(s.memcg(0)->memory.watermark, 1000); });
  }

  void charge_at_the_limit() {
    const auto limit = [](Path& path, unsigned depth) {
      path.workload.limit_pages = 100;
      path.workload.depth = depth;
    };
    const auto charged = [](Simulation& s) { s.run("charge", 0, 0, 64); };
    limit(charge("the batch is refused, the exact size fits", 30, charged), 3);
    limit(charge("refused", 64, charged), 3);
    limit(charge("refused until this CPU has drained", 64,
                 [](Simulation& s) {
                   s.run("charge", 0, 0, 64);
                   s.run("uncharge", 0, 0, 60);
                 }),
          3);
    limit(charge("refused, another CPU is asked to drain", 64,
                 [](Simulation& s) {
                   s.run("charge", 0, 0, 64);
                   s.run("uncharge", 1, 0, 60);
                 }),
          3);
    charge("refused by an inner level, failures are counted, min and low are set", 11, [](Simulation& s) {
      MemCgroup* inner = s.globals()->setup->memcgs[1];
      kCpu.write_once(inner->memory.max, 10);
      kCpu.write(inner->memory.track_failcnt, true);
      kCpu.write_once(s.memcg(0)->memory.min, 10);
      kCpu.write_once(s.memcg(0)->memory.low, 100);
    });
    charge("refused by an inner level without protection", 11, [](Simulation& s) {
      kCpu.write_once(s.globals()->setup->memcgs[1]->memory.max, 10);
      for (MemCgroup* memcg : s.globals()->setup->memcgs) kCpu.write(memcg->memory.protection_support, false);
    });
    limit(add("pair: refused", "pair", 64, charged), 3);
    add("pair: two hits", "pair", 1, [](Simulation& s) { s.run("charge", 0); });
  }

  void uncharges() {
    for (unsigned i = 0; i < slots_; ++i) on_memcg(i, uncharge("into slot " + std::to_string(i), 1, full_stock()));
    uncharge("insertion into an empty stock", 5, [](Simulation& s) { s.run("charge", 0, 0, 64); });
    uncharge("insertion behind other slots", 5, [](Simulation& s) {
      s.run("charge", 0, 0, 1);
      s.run("charge", 0, 1, 64);
    }).index = 1;
    on_memcg(slots_, uncharge("eviction", 5, [full = full_stock(), slots = slots_](Simulation& s) {
               s.run("charge", 0, slots, 64);
               full(s);
             }));
    on_memcg(slots_, uncharge("eviction from the last slot", 5, [full = full_stock(), slots = slots_](Simulation& s) {
               s.run("charge", 0, slots, 64);
               full(s);
               evict_from(s, slots - 1);
             }));
    on_memcg(slots_, uncharge("eviction, dying css", 5, [full = full_stock(), slots = slots_](Simulation& s) {
               s.run("charge", 0, slots, 64);
               full(s);
               for (unsigned i = 0; i <= slots; ++i) let_die(s, i);  // whichever is the victim
             }));
    const auto slot_is_full = [](Simulation& s) {
      for (int i = 0; i < 2; ++i) s.run("charge", 0, 0, 64);
      s.run("uncharge", 0, 0, 64);
    };
    uncharge("overflow, drain rule", 1, slot_is_full).workload.refill = kDrainRule;
    uncharge("overflow, watermark rule", 1, slot_is_full).workload.refill = kLow32;
    uncharge("overflow, css without references", 1, [slot_is_full](Simulation& s) {
      slot_is_full(s);
      kCpu.write(s.memcg(0)->css.flags, memcg::kCssOnline | memcg::kCssNoRef);
    });
    uncharge("insertion, css without references", 5, [](Simulation& s) {
      s.run("charge", 0, 0, 64);
      kCpu.write(s.memcg(0)->css.flags, memcg::kCssOnline | memcg::kCssNoRef);
    });
  }

  void past_the_stock() {
    const auto charged_and_locked = [](Simulation& s) {
      s.run("charge", 0, 0, 64);
      lock_stock(s);
    };
    charge("lock busy", 1, charged_and_locked);
    uncharge("lock busy", 1, charged_and_locked);
    charge("more than a batch", 65, [](Simulation&) {});
    uncharge("more than a batch", 65, [](Simulation& s) { s.run("charge", 0, 0, 65); });
    uncharge("more than a batch, min and low are set", 65, [](Simulation& s) {
      kCpu.write_once(s.memcg(0)->memory.min, 10);
      kCpu.write_once(s.memcg(0)->memory.low, 100);
      s.run("charge", 0, 0, 65);
    });
    uncharge("more than a batch, without protection", 65, [](Simulation& s) {
      for (MemCgroup* memcg : s.globals()->setup->memcgs) kCpu.write(memcg->memory.protection_support, false);
      s.run("charge", 0, 0, 65);
    });
    charge("nothing", 0, [](Simulation& s) { s.run("charge", 0); });
    charge("nothing, miss", 0, [](Simulation&) {});
    uncharge("nothing", 0, [](Simulation& s) { s.run("charge", 0); });
  }

  void counts_in_the_slot() {
    if (!batched_) return;
    charge("the count reaches the batch", 1, [](Simulation& s) {
      s.run("charge", 0);         // a miss: 63 pages
      s.run("charge", 0, 0, 63);  // none left, a count of 63
      s.run("charge", 0);         // a miss: 63 pages again
    });
    for (const RefillRule& rule : {kDrainRule, kLow32})
      charge(std::string("the count reaches the batch as the slot empties, ") +
                 (rule.kind == RefillRule::Kind::kDrain ? "drain rule" : "watermark rule"),
             64,
             [](Simulation& s) {
               s.run("charge", 0, 0, 64);
               s.run("uncharge", 0, 0, 64);
             })
          .workload.refill = rule;
    uncharge("the count reaches the batch", 1, [](Simulation& s) {
      for (int i = 0; i < 3; ++i) s.run("charge", 0, 0, 64);
      s.run("uncharge", 0, 0, 64);
      s.run("uncharge", 0, 0, 1);  // overflow: no page is left, and a count of -1
      s.run("uncharge", 0, 0, 62);
    }).workload.refill = kLow0;
    for (const RefillRule& rule : {kDrainRule, kLow32})
      uncharge(std::string("the count reaches the batch as the slot overflows, ") +
                   (rule.kind == RefillRule::Kind::kDrain ? "drain rule" : "watermark rule"),
               1,
               [](Simulation& s) {
                 for (int i = 0; i < 2; ++i) s.run("charge", 0, 0, 64);
                 s.run("uncharge", 0, 0, 1);
                 s.run("uncharge", 0, 0, 63);
               })
          .workload.refill = rule;
  }

  // With the lock busy an uncharge of one page is one uncharge of the counters and one update.
  void statistics() {
    const auto update = [&](std::string name, Prepare prepare) -> Path& {
      return add("statistics: " + std::move(name), "uncharge", 1, [prepare = std::move(prepare)](Simulation& s) {
        prepare(s);
        lock_stock(s);
      });
    };
    update("accumulate", [](Simulation& s) { s.run("charge", 0, 0, 65); });
    update("the first on this CPU", [](Simulation& s) { s.run("charge", 1, 0, 65); });
    update("the first of this memcg on this CPU", [](Simulation& s) {
      s.run("charge", 0, 1, 65);
      s.run("charge", 1, 0, 65);
    });
    update("the 64th update", [](Simulation& s) {
      s.run("charge", 0, 0, 65);
      s.run("charge", 0, 0, 63);
    });
    update("the flush threshold is reached", [](Simulation& s) {
      for (int i = 0; i < 2; ++i) s.run("charge", 0, 0, 65);
    }).workload.online_cpus = 1;
    update("the flush threshold is reached above the memcg", [](Simulation& s) {
      for (int i = 0; i < 2; ++i) s.run("charge", 0, 1, 65);
      s.run("charge", 1, 0, 1);
    }).workload.online_cpus = 1;
    older_update_rules();
    update("of a cgroup's own css", [](Simulation& s) {
      s.run("charge", 0, 0, 65);
      kCpu.write(s.memcg(0)->css.cgroup, static_cast<void*>(&s.memcg(0)->css));
    });
    update("of a subsystem without a flusher", [](Simulation& s) {
      s.run("charge", 0, 0, 65);
      kCpu.write(kCpu.read(s.memcg(0)->css.ss)->css_rstat_flush, nullptr);
    });
  }

  // What the update rules before V5 have branches for.
  void older_update_rules() {
    const auto charge_pages = [](unsigned calls, unsigned pages) {
      return [calls, pages](Simulation& s) {
        for (unsigned i = 0; i < calls; ++i) s.run("charge", 0, 0, pages);
      };
    };
    if (update_rule_.starts_with("V0")) {
      charge("past 32 pages", 1, charge_pages(32, 1));
      uncharge("past 32 pages", 33, charge_pages(1, 33));
    }
    if (update_rule_.starts_with("V3")) charge("the 64th call", 1, charge_pages(63, 1));
    if (update_rule_.starts_with("V4"))
      charge("a batch of updates, the flush threshold is reached", 65, charge_pages(3, 65)).workload.online_cpus = 1;
  }

  void drains() {
    const auto three_stocks = [](Simulation& s) {
      for (unsigned cpu = 0; cpu < kCpus; ++cpu)
        for (unsigned i = 0; i < kMemcgs; ++i) s.run("pair", cpu, i), s.run("charge", cpu, i);
    };
    add("drain: nothing to drain", "drain", 0, [](Simulation&) {});
    add("drain: this CPU and others", "drain", 0, three_stocks);
    add("drain: the others are already asked", "drain", 0, [three_stocks](Simulation& s) {
      three_stocks(s);
      s.run("drain", 1);
    });
    add("drain: another is at it", "drain", 0, [three_stocks](Simulation& s) {
      three_stocks(s);
      kCpu.write_once(s.globals()->percpu_charge_mutex, 1);
    });
    add("drain: an empty slot", "drain", 0, [](Simulation& s) { s.run("charge", 0, 0, 1), s.run("charge", 0, 0, 63); });
    add("work: none", "work", 0, three_stocks);
    add("work: a drain is asked for", "work", 0, [three_stocks](Simulation& s) {
      three_stocks(s);
      s.run("drain", 1);
    });
  }

  void events() {
    const auto updated = [](Simulation& s) {
      for (unsigned cpu = 0; cpu < kCpus; ++cpu)
        for (unsigned i = 0; i < kMemcgs; ++i) s.run("charge", cpu, i, 65);
    };
    const std::size_t first = paths_.size();
    if (has_flusher_) {
      add("flush: three CPUs, three memcgs", "flush", 0, updated);
      add("flush: nothing was updated", "flush", 0, [](Simulation&) {});
    }
    add("read: below the flush threshold", "read", 0, [](Simulation& s) { s.run("charge", 0); });
    add("read: above the flush threshold", "read", 0, updated).workload.online_cpus = 1;
    for (std::size_t i = first; i < paths_.size(); ++i) paths_[i].has_reference = false;
  }

  unsigned slots_;
  bool batched_;
  bool has_flusher_;
  std::string_view update_rule_;
  std::vector<Path> paths_;
};

// Words that lackey prints as M with LOCK or without, and that nothing else locks.
bool is_compared_and_exchanged(std::string_view text) {
  return text.starts_with("X css_rstat_cpu[") || text.starts_with("X lhead@") ||
         text.starts_with("X rstat_cpu_lock@") || text == "X globals+64 4" || text == "X memory_cgrp_subsys+244 4";
}

const Registered<TestedFamily> registered(TestedFamily{
    .name = "sock-charge",
    .references = "",
    .paths_of = [](const Variant& variant) { return Builder(variant).build(); },
    .simulate = simulate<Simulation>,
    .is_hit =
        [](const Path& path) {
          return path.name.find("hit in slot") != path.name.npos || path.name.find("into slot") != path.name.npos;
        },
    // css_rstat_updated, which only updates per call execute, compares with two words in memory and adds a third.
    // The walks of V4b and V5 have one more such sum.
    .more_than_plain_c = 4,
    .least_compared = 15,
    .hot = {{"charge"},
            {"uncharge"},
            {"mod_memcg_state"},
            {"css_rstat_updated", {"rstat", "lockless list"}},
            {"cgroup_rstat_updated", {"rstat", "tree under a CPU lock"}}},
    // The flusher and the reader of memory.stat: off the paths of a charge.
    .without_reference = {"css_rstat_flush", "mem_cgroup_css_rstat_flush", "flush", "read_memory_stat", "run_flush",
                          "run_read"},
    .other_text = {"page_counter_uncharge", "page_counter_try_charge"},
    .unreachable =
        {
            {"page_counter_try_charge", 1, "the counter is never null"},
            {"try_charge", 8, "inlined variants: only an interrupt fills the stock between the two scans"},
            {"cgroup_rstat_updated", 11, "another CPU's flusher has the CPU's tree locked; the css is never null"},
            {"mod_memcg_state", 1, "the walk begins at something", {"update-rule", "V4"}},
            {"mod_memcg_state", 1, "the walk begins at something", {"update-rule", "V5:"}},
            {"refill_pages", 3,
             "inlined variants: only an interrupt fills it so that the rest of a batch overflows it"},
        },
    .is_cmpxchg = is_compared_and_exchanged,
});

}  // namespace

}  // namespace hitmark::codegen
