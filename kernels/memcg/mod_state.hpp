// The update of one statistic, mod_memcg_state() of mm/memcontrol.c: one function of its own in every variant,
// whose body is the generation's that the policy names (mod_state_v0.hpp and on).
#pragma once

#include "kernels/memcg/mod_state_v5.hpp"

namespace hitmark::memcg {
namespace {

// `val` in pages: MEMCG_SOCK and the like are counted in pages, so nothing is rounded.
template <typename Policy, typename Cpu>
HITMARK_NOIPA void mod_memcg_state(Cpu cpu, Globals* globals, MemCgroup* memcg, std::size_t item, int val) {
  Policy::Statistics::mod_memcg_state(cpu, globals, memcg, item, val);
}

}  // namespace
}  // namespace hitmark::memcg
