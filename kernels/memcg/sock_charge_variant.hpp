// Makes a Variant of a Policy: both instantiations of every operation and event, natively and traced. The
// policy must be in an unnamed namespace of the variant's file, so that all of this is the file's own.
#pragma once

#include "kernels/memcg/sock_charge.hpp"
#include "kernels/memcg/state.hpp"
#include "kernels/memory/native_cpu.hpp"
#include "kernels/memory/traced_cpu.hpp"
#include "kernels/variant.hpp"

namespace hitmark::memcg {
namespace {

template <typename Cpu>
HITMARK_NOIPA void charge_failed(Cpu cpu, Globals* globals) {
  cpu.this_cpu_add(PerCpu<Driver>(cpu.read(globals->driver)).field(&Driver::failed_charges), 1);
}

template <typename Policy, typename Cpu>
HITMARK_INLINE void charge_counted(Cpu cpu, void* state, void* object, unsigned nr_pages) {
  auto* globals = static_cast<Globals*>(state);
  if (unlikely(!charge<Policy>(cpu, globals, static_cast<MemCgroup*>(object), nr_pages))) charge_failed(cpu, globals);
}

// The life of one skb: a charge and, when it was not refused, its uncharge.
template <typename Policy, typename Cpu>
HITMARK_INLINE void pair_body(Cpu cpu, void* state, void* object, unsigned nr_pages) {
  auto* globals = static_cast<Globals*>(state);
  auto* memcg = static_cast<MemCgroup*>(object);
  if (likely(charge<Policy>(cpu, globals, memcg, nr_pages)))
    uncharge<Policy>(cpu, globals, memcg, nr_pages);
  else
    charge_failed(cpu, globals);
}

template <typename Policy>
struct Native {
  static constexpr NativeCpu kCpu{};
  HITMARK_NOIPA static void pair(void* state, void* object, unsigned n) { pair_body<Policy>(kCpu, state, object, n); }
  HITMARK_NOIPA static void charge_one(void* state, void* object, unsigned n) {
    charge_counted<Policy>(kCpu, state, object, n);
  }
  HITMARK_NOIPA static void uncharge_one(void* state, void* object, unsigned n) {
    uncharge<Policy>(kCpu, static_cast<Globals*>(state), static_cast<MemCgroup*>(object), n);
  }
  HITMARK_NOIPA static void run_work(void* state, void*, unsigned) { work<Policy>(kCpu, static_cast<Globals*>(state)); }
  HITMARK_NOIPA static void run_flush(void* state, void*, unsigned) {
    flush<typename Policy::Statistics>(kCpu, static_cast<Globals*>(state));
  }
  HITMARK_NOIPA static void run_drain(void* state, void*, unsigned) {
    drain<Policy>(kCpu, static_cast<Globals*>(state));
  }
  HITMARK_NOIPA static void run_read(void* state, void*, unsigned) {
    read_memory_stat<typename Policy::Statistics>(kCpu, static_cast<Globals*>(state));
  }
};

template <typename Policy>
struct Traced {
  static void pair(void* state, void* object, unsigned n, TracedCpu& cpu) { pair_body<Policy>(cpu, state, object, n); }
  static void charge_one(void* state, void* object, unsigned n, TracedCpu& cpu) {
    charge_counted<Policy>(cpu, state, object, n);
  }
  static void uncharge_one(void* state, void* object, unsigned n, TracedCpu& cpu) {
    uncharge<Policy>(cpu, static_cast<Globals*>(state), static_cast<MemCgroup*>(object), n);
  }
  static void run_work(void* state, void*, unsigned, TracedCpu& cpu) {
    work<Policy>(cpu, static_cast<Globals*>(state));
  }
  static void run_flush(void* state, void*, unsigned, TracedCpu& cpu) {
    flush<typename Policy::Statistics>(cpu, static_cast<Globals*>(state));
  }
  static void run_drain(void* state, void*, unsigned, TracedCpu& cpu) {
    drain<Policy>(cpu, static_cast<Globals*>(state));
  }
  static void run_read(void* state, void*, unsigned, TracedCpu& cpu) {
    read_memory_stat<typename Policy::Statistics>(cpu, static_cast<Globals*>(state));
  }
};

template <typename P>
constexpr Operation kOperations[] = {
    {"pair", "one charge and one uncharge on the same CPU", Native<P>::pair, Traced<P>::pair},
    {"charge", "one charge; counted when refused at the limit", Native<P>::charge_one, Traced<P>::charge_one},
    {"uncharge", "one uncharge", Native<P>::uncharge_one, Traced<P>::uncharge_one},
};
template <typename P>
constexpr Operation kEvents[] = {
    {"work", "run the drain that another CPU queued here", Native<P>::run_work, Traced<P>::run_work},
    {"flush", "flush the statistics of all CPUs from the root", Native<P>::run_flush, Traced<P>::run_flush},
    {"drain", "ask all CPUs to drain their stocks", Native<P>::run_drain, Traced<P>::run_drain},
    {"read", "read memory.stat, flushing above the threshold", Native<P>::run_read, Traced<P>::run_read},
};

template <typename Policy>
VariantEntry sock_charge_variant(std::string_view name, std::string_view summary, std::string_view source) {
  return {Variant{
      .family = "sock-charge",
      .name = name,
      .summary = summary,
      .source = source,
      .traits = kTraits<Policy>,
      .operations = kOperations<Policy>,
      .events = kEvents<Policy>,
      .layout_type = Policy::kStockType,
      .set_up = [](Arena& arena, const Workload& workload) -> void* {
        return set_up(arena, workload, stock_layout<typename Policy::Stock>(Policy::kStockType),
                      Policy::Statistics::kShape, Policy::kVictim == Victim::kRandom);
      },
      .tear_down = [](void* state) { tear_down(static_cast<Globals*>(state)); },
      .object = [](void* state, unsigned cpu, unsigned index) -> void* {
        return object(static_cast<Globals*>(state), cpu, index);
      },
      .phase = [](void* state) { return phase(static_cast<Globals*>(state)); },
      .violated_invariant = [](void* state) { return violated_invariant(static_cast<Globals*>(state)); },
      .digest = [](void* state) { return digest(static_cast<Globals*>(state)); },
      .net = [](void* state, void* memcg) -> long {
        return live_pages(static_cast<Globals*>(state), static_cast<MemCgroup*>(memcg));
      },
  }};
}

}  // namespace
}  // namespace hitmark::memcg
