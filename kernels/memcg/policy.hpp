// What a variant of the family sock-charge is made of. A variant's file derives a policy from one of the two
// here and changes what it is about. The traits are computed from the policy, so they cannot disagree with
// the code. A variant without counts has the usual values for the counts' aspects: they never set it apart.
#pragma once

#include <array>
#include <type_traits>

#include "kernels/memcg/stock_layouts.hpp"
#include "kernels/variant.hpp"

namespace hitmark::memcg {

// Where the hot path's body is: a call away (per call: try_charge and refill_stock, as 6.18 has them; batched:
// consume_stock and refill_stock, each one function for all callers), or in charge and uncharge themselves.
enum class Inlining { kOutOfLine, kInlined };

struct Linux618Policy {
  using Stock = MemcgStockPcp7;
  using Count = int;  // of the arithmetic on nr_sock
  static constexpr const char* kStockType = "hitmark::memcg::MemcgStockPcp7";
  static constexpr bool kBatched = false;
  static constexpr Inlining kInlining = Inlining::kOutOfLine;
};

struct PatchPolicy {
  using Stock = MemcgStockPcp6Sock;
  using Count = int;
  static constexpr const char* kStockType = "hitmark::memcg::MemcgStockPcp6Sock";
  static constexpr bool kBatched = true;
  static constexpr Inlining kInlining = Inlining::kInlined;
};

template <typename Policy>
constexpr std::string_view count_place() {
  if constexpr (HasSockCounts<typename Policy::Stock>)
    if (offsetof(typename Policy::Stock, nr_sock) >= kLine) return "own line";
  return "stock line";
}

template <typename Policy>
inline constexpr std::array<Trait, 5> kTraits = {{
    {"slots", kSlots<typename Policy::Stock> == 6 ? "6" : "7"},
    {"statistics", Policy::kBatched ? "batched" : "per call"},
    {"inlining", Policy::kInlining == Inlining::kInlined ? "inlined" : "out of line"},
    {"count-place", count_place<Policy>()},
    {"arithmetic", std::is_same_v<typename Policy::Count, int> ? "int" : "8 bit"},
}};

}  // namespace hitmark::memcg
