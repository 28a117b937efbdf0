// Builds the objects of a sock-charge variant and reads them back. Runs outside the measured time: NativeCpu's
// loads and stores need no GS base.
#include "kernels/memcg/state.hpp"

#include <cstring>
#include <new>

#include "kernels/memory/native_cpu.hpp"
#include "support/check.hpp"

namespace hitmark::memcg {
namespace {

constexpr NativeCpu kCpu;

template <typename T>
T* make_shared_object(Arena& arena, const std::string& name, const char* type, std::size_t alignment) {
  return new (arena.shared(name, type, sizeof(T), alignment)) T;
}

template <typename T>
T& percpu_object(Arena& arena, unsigned cpu, std::uintptr_t offset) {
  return *static_cast<T*>(arena.percpu_address(cpu, offset));
}

template <typename T>
std::uintptr_t make_percpu_object(Arena& arena, const std::string& name, const char* type, std::size_t alignment) {
  const std::uintptr_t offset = arena.percpu(name, type, sizeof(T), alignment);
  for (unsigned cpu = 0; cpu < arena.cpu_count(); ++cpu) new (arena.percpu_address(cpu, offset)) T;
  return offset;
}

// On a line of its own; the code knows the offset.
template <typename T>
void make_second_static(Arena& arena, const std::string& name, const char* type) {
  const std::uintptr_t at = make_percpu_object<T>(arena, name, type, kLine);
  HITMARK_CHECK(at == kSecondStaticPercpu, "the second static per-CPU object follows the stock's reserve");
}

// A node of an empty list points to itself.
void init_list(ListHead& list) {
  kCpu.write(list.next, &list);
  kCpu.write(list.prev, &list);
}

void init_counter(PageCounter& counter, PageCounter* parent, bool protection, unsigned long max) {
  kCpu.write(counter.parent, parent);
  kCpu.write(counter.protection_support, protection);
  kCpu.write(counter.high, kPageCounterMax);
  kCpu.write(counter.max, max);
}

void init_css(Arena& arena, const std::string& name, CgroupSubsysState& css, CgroupSubsys* ss,
              CgroupSubsysState* parent) {
  kCpu.write(css.cgroup, make_shared_object<Cgroup>(arena, "cgroup[" + name + "]", "hitmark::memcg::Cgroup", 64));
  kCpu.write(css.ss, ss);
  kCpu.write(css.parent, parent);
  kCpu.write(css.flags, kCssOnline | (parent ? 0u : kCssNoRef));
  init_list(css.sibling);
  init_list(css.children);

  kCpu.write(css.refcnt.data, make_shared_object<PercpuRefData>(arena, "percpu_ref_data[" + name + "]",
                                                                "hitmark::memcg::PercpuRefData", 64));
  kCpu.write(css.refcnt.percpu_count_ptr, make_percpu_object<PercpuRefCount>(arena, "percpu_ref[" + name + "]",
                                                                             "hitmark::memcg::PercpuRefCount", 8));

  const std::uintptr_t rstat =
      make_percpu_object<CssRstatCpu>(arena, "css_rstat_cpu[" + name + "]", "hitmark::memcg::CssRstatCpu", 8);
  kCpu.write(css.rstat_cpu, rstat);
  for (unsigned cpu = 0; cpu < arena.cpu_count(); ++cpu) {
    auto& rstatc = percpu_object<CssRstatCpu>(arena, cpu, rstat);
    kCpu.write(rstatc.updated_children, &css);
    kCpu.write(rstatc.lnode.next, &rstatc.lnode);
    kCpu.write(rstatc.owner, &css);
  }
}

MemCgroup* make_memcg(Setup& setup, const std::string& name, CgroupSubsys* ss, MemCgroup* parent, unsigned long max) {
  Arena& arena = *setup.arena;
  auto* memcg = make_shared_object<MemCgroup>(arena, "mem_cgroup[" + name + "]", "hitmark::memcg::MemCgroup", 64);
  init_css(arena, name, memcg->css, ss, parent ? &parent->css : nullptr);
  init_counter(memcg->memory, parent ? &parent->memory : nullptr, true, max);
  if (parent) {
    kCpu.write(memcg->memory.min, setup.workload.protected_pages);
    kCpu.write(memcg->memory.low, setup.workload.protected_pages);
  }
  init_counter(memcg->swap, parent ? &parent->swap : nullptr, false, kPageCounterMax);

  auto* vmstats = make_shared_object<MemcgVmstats>(arena, "vmstats[" + name + "]", "hitmark::memcg::MemcgVmstats", 64);
  const std::uintptr_t percpu = make_percpu_object<MemcgVmstatsPercpu>(arena, "vmstats_percpu[" + name + "]",
                                                                       "hitmark::memcg::MemcgVmstatsPercpu", 64);
  const std::uintptr_t above = parent ? kCpu.read(parent->vmstats_percpu) : 0;
  for (unsigned cpu = 0; cpu < arena.cpu_count(); ++cpu) {
    auto& statc = percpu_object<MemcgVmstatsPercpu>(arena, cpu, percpu);
    kCpu.write(statc.vmstats, vmstats);
    const bool by_address = above && setup.statistics.parent_is_address;
    kCpu.write(statc.parent_pcpu,
               by_address ? reinterpret_cast<std::uintptr_t>(arena.percpu_address(cpu, above)) : above);
  }
  kCpu.write(memcg->vmstats, vmstats);
  kCpu.write(memcg->vmstats_percpu, percpu);
  setup.memcgs.push_back(memcg);
  setup.names.push_back(name);
  return memcg;
}

void make_hierarchy(Setup& setup, CgroupSubsys* ss) {
  const Workload& w = setup.workload;
  const unsigned long max = w.limit_pages ? w.limit_pages : kPageCounterMax;
  MemCgroup* root = make_memcg(setup, "root", ss, nullptr, kPageCounterMax);
  for (unsigned group = 0; group < w.groups; ++group) {
    const std::string prefix = "g" + std::to_string(group);
    MemCgroup* parent = root;
    for (unsigned level = 1; level < w.depth; ++level)
      parent = make_memcg(setup, prefix + ".l" + std::to_string(level), ss, parent, max);
    std::vector<MemCgroup*> leaves;
    for (unsigned i = 0; i < w.memcgs; ++i)
      leaves.push_back(make_memcg(setup, prefix + ".m" + std::to_string(i), ss, parent, max));
    setup.leaves.push_back(std::move(leaves));
  }
}

Setup& setup_of(Globals* globals) { return *globals->setup; }

template <typename T>
T load_at(const void* base, std::size_t offset) {
  T value;
  std::memcpy(&value, static_cast<const char*>(base) + offset, sizeof value);
  return value;
}

}  // namespace

Globals* set_up(Arena& arena, const Workload& workload, const StockLayout& stock, const StatisticsShape& statistics,
                bool random_victims) {
  const unsigned cpus = arena.cpu_count();
  HITMARK_CHECK(workload.depth >= 1 && workload.memcgs >= 1, "a workload needs a level and a memcg");
  HITMARK_CHECK(workload.groups >= 1 && workload.groups <= cpus && cpus <= kMaxCpus, "groups of CPUs do not fit");
  HITMARK_CHECK(workload.refill.high == kChargeBatch && workload.refill.low <= kChargeBatch,
                "a refill rule's high is the batch of 64 pages, its low at most that");

  auto* setup = new Setup{&arena, workload, stock, statistics, {}, {}, {}};
  auto* globals = make_shared_object<Globals>(arena, "globals", "hitmark::memcg::Globals", 64);
  globals->setup = setup;
  kCpu.write(globals->nr_online_cpus, workload.online_cpus ? workload.online_cpus : cpus);
  kCpu.write(globals->nr_cpu_ids, cpus);
  kCpu.write(globals->keep_low, workload.refill.kind == RefillRule::Kind::kWatermark);
  kCpu.write(globals->low, workload.refill.low);

  const std::uintptr_t at = arena.percpu("memcg_stock", stock.type, stock.size, kLine, true);
  HITMARK_CHECK(at == kStaticPercpu, "the stock is the static per-CPU object");
  for (unsigned cpu = 0; cpu < cpus; ++cpu) {
    void* mine = arena.percpu_address(cpu, at);
    std::memset(mine, 0, stock.size);
    init_list(*reinterpret_cast<ListHead*>(static_cast<char*>(mine) + stock.work + offsetof(WorkStruct, entry)));
    kCpu.write(globals->per_cpu_offset[cpu], reinterpret_cast<std::uintptr_t>(arena.percpu_address(cpu, 0)));
  }

  if (statistics.pending == StatisticsShape::Pending::kGlobal)
    make_second_static<StatsUpdates>(arena, "stats_updates", "hitmark::memcg::StatsUpdates");
  if (random_victims) {
    make_second_static<BatchedEntropy>(arena, "batched_entropy", "hitmark::memcg::BatchedEntropy");
    for (unsigned cpu = 0; cpu < cpus; ++cpu)  // any word but 0, another on every CPU
      kCpu.write(percpu_object<BatchedEntropy>(arena, cpu, kSecondStaticPercpu).word, 2654435761u * (cpu + 1));
  }

  auto* ss = make_shared_object<CgroupSubsys>(arena, "memory_cgrp_subsys", "hitmark::memcg::CgroupSubsys", 64);
  kCpu.write(ss->css_rstat_flush, ss);
  kCpu.write(ss->lhead,
             statistics.rstat == StatisticsShape::Rstat::kCpuLock
                 ? make_percpu_object<RstatCpuLock>(arena, "rstat_cpu_lock", "hitmark::memcg::RstatCpuLock", 8)
                 : make_percpu_object<LlistHead>(arena, "lhead", "hitmark::memcg::LlistHead", 8));
  make_hierarchy(*setup, ss);
  kCpu.write(globals->root_mem_cgroup, setup->memcgs.front());

  const std::uintptr_t driver = make_percpu_object<Driver>(arena, "driver", "hitmark::memcg::Driver", 64);
  kCpu.write(globals->driver, driver);
  for (unsigned cpu = 0; cpu < cpus; ++cpu)
    kCpu.write(percpu_object<Driver>(arena, cpu, driver).reads, object(globals, cpu, 0));
  return globals;
}

void tear_down(Globals* globals) { delete globals->setup; }

MemCgroup* object(Globals* globals, unsigned cpu, unsigned index) {
  const Setup& setup = setup_of(globals);
  const unsigned partner = setup.workload.split ? cpu & ~1u : cpu;
  const auto& leaves = setup.leaves[std::size_t{partner} * setup.workload.groups / setup.arena->cpu_count()];
  return leaves[index % leaves.size()];
}

Phase phase(Globals* globals) {
  using Pending = StatisticsShape::Pending;
  const Pending pending = setup_of(globals).statistics.pending;
  if (pending == Pending::kItems || pending == Pending::kUnknown) return Phase::kNone;
  if (pending == Pending::kGlobal)
    return global_stats_need_flush(kCpu, globals) ? Phase::kSaturated : Phase::kAccumulating;
  for (const auto& group : setup_of(globals).leaves)
    for (MemCgroup* memcg : group)
      if (!memcg_vmstats_needs_flush(kCpu, globals, *kCpu.read(memcg->vmstats))) return Phase::kAccumulating;
  return Phase::kSaturated;
}

std::vector<Slot> slots(Globals* globals) {
  const Setup& setup = setup_of(globals);
  const StockLayout& layout = setup.stock;
  std::vector<Slot> all;
  for (unsigned cpu = 0; cpu < setup.arena->cpu_count(); ++cpu) {
    const void* stock = setup.arena->percpu_address(cpu, kStaticPercpu);
    for (unsigned i = 0; i < layout.slots; ++i)
      all.push_back({cpu, i, load_at<MemCgroup*>(stock, layout.cached + i * sizeof(MemCgroup*)),
                     layout.page_count_size == 1 ? load_at<std::uint8_t>(stock, layout.nr_pages + i)
                                                 : load_at<unsigned>(stock, layout.nr_pages + i * sizeof(unsigned)),
                     layout.nr_sock == StockLayout::kNone ? 0 : load_at<std::int8_t>(stock, layout.nr_sock + i)});
  }
  return all;
}

long live_pages(Globals* globals, const MemCgroup* memcg) {
  long live = kCpu.read_once(memcg->memory.usage);
  for (const Slot& slot : slots(globals))
    if (slot.cached == memcg) live -= slot.nr_pages;
  return live;
}

long sock_pages(Globals* globals, const MemCgroup* memcg) {
  const Setup& setup = setup_of(globals);
  long sum = 0;
  for (unsigned cpu = 0; cpu < setup.arena->cpu_count(); ++cpu)
    sum += kCpu.read_once(
        percpu_object<MemcgVmstatsPercpu>(*setup.arena, cpu, kCpu.read(memcg->vmstats_percpu)).state[kSockItem]);
  for (const Slot& slot : slots(globals))
    if (slot.cached == memcg) sum += slot.nr_sock;
  if (setup.statistics.pending != StatisticsShape::Pending::kItems) return sum;

  // What was passed on is in the item of the memcg and of every ancestor.
  const auto passed_on = [](const MemCgroup* at) { return kCpu.read_once(kCpu.read(at->vmstats)->state[kSockItem]); };
  sum += passed_on(memcg);
  for (const MemCgroup* child : setup.memcgs)
    if (kCpu.read(child->css.parent) == &memcg->css) sum -= passed_on(child);
  return sum;
}

long kept_pages(Globals* globals, const MemCgroup* memcg) {
  const Setup& setup = setup_of(globals);
  if (setup.statistics.pending != StatisticsShape::Pending::kItems) return 0;
  long sum = 0;
  for (const MemCgroup* at : setup.memcgs) {
    const CgroupSubsysState* css = &at->css;
    while (css && css != &memcg->css) css = kCpu.read(css->parent);
    for (unsigned cpu = 0; css && cpu < setup.arena->cpu_count(); ++cpu)
      sum += kCpu.read_once(
          percpu_object<MemcgVmstatsPercpu>(*setup.arena, cpu, kCpu.read(at->vmstats_percpu)).state[kSockItem]);
  }
  return sum;
}

long references(Globals* globals, const MemCgroup* memcg) {
  Arena& arena = *setup_of(globals).arena;
  const std::uintptr_t word = kCpu.read(memcg->css.refcnt.percpu_count_ptr) & ~(kPercpuRefAtomic | kPercpuRefDead);
  long sum = kCpu.read_once(kCpu.read(memcg->css.refcnt.data)->count);
  for (unsigned cpu = 0; cpu < arena.cpu_count(); ++cpu)
    sum += static_cast<long>(kCpu.read_once(percpu_object<PercpuRefCount>(arena, cpu, word).count));
  return sum;
}

unsigned long failed_charges(Globals* globals, unsigned cpu) {
  const std::uintptr_t driver = kCpu.read(globals->driver);
  return kCpu.read_once(percpu_object<Driver>(*setup_of(globals).arena, cpu, driver).failed_charges);
}

}  // namespace hitmark::memcg
