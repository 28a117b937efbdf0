#include "harness/simulator/validation/scenario_functions.hpp"

#include "kernels/memcg/mem_cgroup.hpp"

namespace hitmark::simulator {
namespace {

using memcg::CgroupSubsysState;
using memcg::Globals;
using memcg::MemCgroup;

template <typename... Offsets>
bool is_one_of(std::uint64_t offset, Offsets... offsets) {
  return ((offset == offsets) || ...);
}

}  // namespace

Part part_of(std::string_view object, std::uint64_t offset) {
  if (object == "per-CPU area") return Part::kNext;
  if (object == "memcg_stock") return Part::kStock;
  if (object.starts_with("vmstats[") || object.starts_with("vmstats_percpu[")) return Part::kStatistics;
  if (object.starts_with("css_rstat_cpu[") || object == "memory_cgrp_subsys" || object == "lhead") return Part::kRstat;
  if (object == "globals") {
    if (offset == offsetof(Globals, nr_online_cpus)) return Part::kStatistics;
    return is_one_of(offset, offsetof(Globals, keep_low), offsetof(Globals, low)) ? Part::kStock : Part::kSlow;
  }
  if (object.starts_with("mem_cgroup[")) {
    if (offset == offsetof(MemCgroup, vmstats_percpu)) return Part::kStatistics;
    static_assert(offsetof(MemCgroup, css) == 0);
    if (is_one_of(offset, offsetof(CgroupSubsysState, cgroup), offsetof(CgroupSubsysState, ss),
                  offsetof(CgroupSubsysState, rstat_cpu)))
      return Part::kRstat;
  }
  return Part::kSlow;
}

bool is_own(const Variant& variant, Part part) {
  if (part == Part::kStatistics) return true;
  if (part != Part::kStock) return false;
  for (const Trait& trait : variant.traits)
    if (trait.aspect == "inlining") return trait.value == "inlined";
  return false;
}

Part part_of_function(std::string_view function, std::string_view operation) {
  if (function == operation || function == "mod_memcg_state") return Part::kStatistics;
  if (function == "css_rstat_updated") return Part::kRstat;
  const bool stock = function == "try_charge" || function == "consume_stock" || function == "refill_stock" ||
                     function == "refill_pages";
  return stock ? Part::kStock : Part::kSlow;
}

}  // namespace hitmark::simulator
