// The per-counter stock that was posted in 2026 (20260623180124.868655-1-joshua.hahnjy@gmail.com; reference,
// section 2.4): a word for each CPU and counter, which its owner changes by a locked cmpxchg and a drainer takes by a
// remote xchg. No slots, no lock and no work item. Not in the reference, and decided here: only the counter that is
// charged is asked for its stock, and an uncharge that would put more than a batch into it returns all of it, as the
// full drain of 6.18 does.
#pragma once

#include "kernels/page_counter/counter_variant.hpp"

namespace hitmark::page_counter {
namespace {

template <typename Stock>
struct Stocked {
  using Counter = StockedPageCounter;
  static constexpr memcg::Protection kProtection = memcg::Protection::kOnChange;

  static void set_up(FamilySetup& setup, Counter& counter, const std::string& index) {
    NativeCpu{}.write(counter.stock, setup.percpu<Stock>("stock" + index, alignof(Stock) == kLine
                                                                              ? "hitmark::page_counter::PaddedStock"
                                                                              : "hitmark::page_counter::PackedStock"));
  }

  template <typename Cpu>
  HITMARK_INLINE static bool charge(Cpu cpu, FamilyState* state, Counter* counter, unsigned nr_pages) {
    Stock& stock = cpu.this_cpu_ptr(PerCpu<Stock>(cpu.read(counter->stock)));
    const int wanted = static_cast<int>(nr_pages);
    int held = cpu.read_once(stock.nr_pages);
    while (held >= wanted)
      if (likely(cpu.try_cmpxchg(stock.nr_pages, held, held - wanted))) return true;
    return charge_batch(cpu, state, counter, nr_pages);
  }

  template <typename Cpu>
  HITMARK_NOIPA static bool charge_batch(Cpu cpu, FamilyState* state, Counter* counter, unsigned nr_pages) {
    const unsigned batch = static_cast<unsigned>(cpu.read(state->batch));
    if (nr_pages < batch && !memcg::page_counter_try_charge(cpu, counter, batch)) {
      uncharge(cpu, state, counter, batch - nr_pages);
      return true;
    }
    if (!memcg::page_counter_try_charge(cpu, counter, nr_pages)) return true;
    drain(cpu, state);
    return !memcg::page_counter_try_charge(cpu, counter, nr_pages);
  }

  template <typename Cpu>
  HITMARK_INLINE static void uncharge(Cpu cpu, FamilyState* state, Counter* counter, unsigned nr_pages) {
    Stock& stock = cpu.this_cpu_ptr(PerCpu<Stock>(cpu.read(counter->stock)));
    const int batch = cpu.read(state->batch), returned = static_cast<int>(nr_pages);
    int held = cpu.read_once(stock.nr_pages);
    do {
      if (unlikely(held + returned > batch)) return uncharge_all(cpu, counter, stock, nr_pages);
    } while (!likely(cpu.try_cmpxchg(stock.nr_pages, held, held + returned)));
  }

  template <typename Cpu>
  HITMARK_NOIPA static void uncharge_all(Cpu cpu, Counter* counter, Stock& stock, unsigned nr_pages) {
    const unsigned held = static_cast<unsigned>(cpu.atomic_xchg(stock.nr_pages, 0));
    memcg::page_counter_uncharge(cpu, counter, held + nr_pages);
  }

  // Any CPU empties the stocks of all: no owner has to be asked.
  template <typename Cpu>
  HITMARK_NOIPA static void drain(Cpu cpu, FamilyState* state) {
    const std::size_t objects = cpu.read(state->nr_objects);
    const std::size_t cpus = cpu.read(state->nr_cpus);
    // The pointer's own load is one of the code's, too: read as a Cell, so that it is traced.
    Cell<void*>* const first = cpu.read(reinterpret_cast<Cell<Cell<void*>*>&>(state->objects));
    for (std::size_t i = 0; i < objects; ++i) {
      auto* counter = static_cast<Counter*>(cpu.read(first[i]));
      const std::uintptr_t offset = cpu.read(counter->stock);
      for (std::size_t of = 0; of < cpus; ++of) {
        Stock& stock = per_cpu<Stock>(cpu, state, offset, of);
        if (!cpu.read_once(stock.nr_pages)) continue;
        if (const int held = cpu.atomic_xchg(stock.nr_pages, 0))
          memcg::page_counter_uncharge(cpu, counter, static_cast<unsigned>(held));
      }
    }
  }

  static long stocked(FamilyState* state, Counter& counter) {
    long sum = 0;
    for (unsigned i = 0; i < state->setup->arena.cpu_count(); ++i) sum += held_by(state, counter, i);
    return sum;
  }
  static std::string fault(FamilyState* state, Counter& counter) {
    const int batch = NativeCpu{}.read(state->batch);
    for (unsigned i = 0; i < state->setup->arena.cpu_count(); ++i)
      if (const int held = held_by(state, counter, i); held < 0 || held > batch)
        return "cpu " + std::to_string(i) + " has stocked " + std::to_string(held) + " pages, not 0 to a batch";
    return "";
  }
  static int held_by(FamilyState* state, Counter& counter, unsigned cpu) {
    return NativeCpu{}.read_once(state->setup->on<Stock>(cpu, NativeCpu{}.read(counter.stock)).nr_pages);
  }
};

}  // namespace
}  // namespace hitmark::page_counter
